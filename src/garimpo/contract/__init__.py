"""The bottom of the house: what every room agrees on, and nothing that works.

Rooms never hand each other objects of their own. What passes between them is an Arrow table whose columns are fixed in
`tables`, or one of the few records in `records` (`Page`, `Link`, `Fetched`, `Verdict`). A table is checked when it is
written (`check`), never when it is read: what comes from outside is read kindly by `reading`, which coerces what can
be coerced, counts what was passed over, and raises `BadInput` with one line a person can act on.

`protocols` names the four parts of a crawl that can be exchanged: Fetcher, Judge, Scorer, Frontier. `versions` holds the
version of every format that is stored, so that a file made by another version is refused by name instead of being
misread. `files` publishes a file whole or not at all. `model` is the one container for trained models: a zip of JSON
and NumPy arrays, never pickle.

Invariants: this package imports no other room and no numba; a schema here never loses or renames a column.
"""

from garimpo.contract.errors import BadInput, GarimpoError
from garimpo.contract.files import publish, publish_bytes
from garimpo.contract.model import Model, load_model, save_model
from garimpo.contract.protocols import Fetcher, Frontier, Judge, Scorer
from garimpo.contract.reading import Counts, read_table
from garimpo.contract.records import Fetched, Link, Page, Verdict, combine
from garimpo.contract.tables import SCHEMAS, check

__all__ = [
    "SCHEMAS",
    "BadInput",
    "Counts",
    "Fetched",
    "Fetcher",
    "Frontier",
    "GarimpoError",
    "Judge",
    "Link",
    "Model",
    "Page",
    "Scorer",
    "Verdict",
    "check",
    "combine",
    "load_model",
    "publish",
    "publish_bytes",
    "read_table",
    "save_model",
]
