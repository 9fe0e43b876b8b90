"""The bottom of the house: what every room agrees on.

::

    room ──► table (checked against its schema when written) or record ──► room
    file from outside ──► reading (coerces, counts, or BadInput) ──► table

Rooms never hand each other objects of their own. What passes between them is an Arrow table with the columns that `tables` fixes,
or one of the few records in `records` (`Page`, `Link`, `Fetched`, `Verdict`). A table is checked when it is written (`check`),
never when it is read: `reading` takes what comes from outside, coerces what it can, counts what it passes over, and raises
`BadInput` with one line that a person can act on. What a call tells its caller is a `Result`.

`protocols` names the parts of a crawl that can be exchanged: Fetcher, Judge, Scorer. `versions` holds the
version of every format that is stored, so that a file made by another version is refused by name instead of being
misread. `files` publishes a file whole or not at all. `model` is the one container for trained models: a zip of JSON
and NumPy arrays, never pickle.

Invariants: this package imports no other room and no numba; a schema here never loses or renames a column.
"""

from garimpo.contract.errors import BadInput, GarimpoError
from garimpo.contract.files import publish, publish_bytes
from garimpo.contract.model import Model, load_model, save_model
from garimpo.contract.protocols import Fetcher, Judge, Scorer
from garimpo.contract.reading import Counts, read_table
from garimpo.contract.records import Fetched, Link, Page, Verdict, combine
from garimpo.contract.results import Result, Summarised
from garimpo.contract.tables import SCHEMAS, check

__all__ = [
    "SCHEMAS",
    "BadInput",
    "Counts",
    "Fetched",
    "Fetcher",
    "GarimpoError",
    "Judge",
    "Link",
    "Model",
    "Page",
    "Result",
    "Scorer",
    "Summarised",
    "Verdict",
    "check",
    "combine",
    "load_model",
    "publish",
    "publish_bytes",
    "read_table",
    "save_model",
]
