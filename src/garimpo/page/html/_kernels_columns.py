"""Where the parts of links stand, and where they go in columns of many pages."""

from numba import types

from garimpo.engine.jit import kernel
from garimpo.page.html._kernels_extract import CONTEXT, LABEL, ROWS, TARGET, TARGET_STOP, TEXT

PARTS = (TARGET, TEXT, LABEL, CONTEXT)
"""The columns of a row with the start of target, anchor, relation and context; beside each stands its stop."""
PLACES = types.Array(types.int64, 1, "C", readonly=True)
NUMBERS = types.Array(types.int32, 1, "C", readonly=True)
STARTS = types.Array(types.int64, 2, "C")
OFFSETS = types.Array(types.int32, 2, "C")


@kernel(types.int64(ROWS, PLACES, NUMBERS, PLACES, PLACES, types.Array(types.int32, 1, "C"), STARTS, OFFSETS))
def lay_out(rows, row_places, numbers, html, text, of, starts, offsets):  # type: ignore[no-untyped-def]
    """For each link that has a target: the number of its page, the start of each part, and its end in the column of that part.

    `html` and `text` say where those of each page begin. A part that is not there is empty. Gives how many links there are.
    """
    kept = 0
    for page in range(row_places.size - 1):
        for r in range(row_places[page], row_places[page + 1]):
            if rows[r, TARGET_STOP] < 0:
                continue
            of[kept] = numbers[page]
            for p in range(4):
                start = rows[r, PARTS[p]]
                starts[p, kept] = start + (0 if p == 0 else html[page] if p == 2 else text[page])
                offsets[p, kept + 1] = offsets[p, kept] + (rows[r, PARTS[p] + 1] - start if start >= 0 else 0)
            kept += 1
    return kept
