"""What a person says of pages of a focused crawl: on the topic, or not. `control/labels.jsonl`, a line a word.

Whoever looks at a crawl adds a line; of two about one URL the later counts. The study of the topic reads the file in its next
round. No line is ever taken away.
"""

import time
from pathlib import Path

import msgspec

from garimpo.url import normalise

FOLDER, FILE = "control", "labels.jsonl"
MOST_BYTES = 16 << 20


class Label(msgspec.Struct, omit_defaults=True):
    """One word about one page."""

    url: str
    good: bool
    at: float = 0.0


def say(folder: str | Path, url: str, good: bool) -> None:
    """Say whether a page is on the topic of a crawl.

    Args:
        folder: the crawl folder.
        url: of the page.
        good: whether it is on the topic.
    """
    control = Path(folder) / FOLDER
    control.mkdir(exist_ok=True)
    line = msgspec.json.encode(Label(normalise(url) or url, good, round(time.time(), 3))) + b"\n"
    with (control / FILE).open("ab") as file:
        file.write(line)


def read(folder: str | Path) -> dict[str, bool]:
    """All that was said: for each URL whether it is on the topic. Lines that say nothing are passed over.

    Args:
        folder: the crawl folder.
    """
    try:
        with (Path(folder) / FOLDER / FILE).open("rb") as file:
            lines = file.read(MOST_BYTES).split(b"\n")
    except OSError:
        return {}
    found = {}
    for line in lines:
        try:
            label = msgspec.json.decode(line, type=Label)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
        found[normalise(label.url) or label.url] = label.good
    return found
