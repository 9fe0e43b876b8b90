"""What was fetched, on disk: a crawl is a folder of open formats.

::

    crawl.toml            the format version and every setting
    crawl.log             what happened, one JSON object a line
    warc/                 the answers as they came (WARC 1.1), one gzip member or zstd frame a record
    pages/ links/         the tables, as Parquet segments numbered by commit
    state/crawl.sqlite    what is committed; the crawl keeps its queue there too
    learned/              what the crawl learned: KIND/N.suffix, and current.json that says which N is in force

    answer ──► warc (records, writer) ──┐
    rows, links ────────────────────────┴─► folder (Store.commit) ──► collection (stream) ──► every other room
                                                              └─────► link_graph, forward

**Writing.** `Store.warc` packs an answer and its request as WARC records, appends them to a buffer, and says at once in which
file and at which offset they will be, so that the row of the pages table can name the place. A body whose SHA-1 is known
becomes a *revisit* record that refers to the first. Nothing counts until `Store.commit`: it syncs the WARC to the disk, writes
the two segments as `.tmp`, and lists segments and WARC lengths in one SQLite transaction, together with whatever the caller
keeps. That transaction is the only truth. The renames that follow are for other programs.

**Opening.** `folder.repairing` finishes the renames that the transaction lists, moves what it does not list to
`state/dropped/`, and cuts WARC files at the listed length. A damaged or missing state is rebuilt from tables and WARC files.

**Reading.** `Store.pages` and `Store.links` stream the committed segments; `Store.latest` gives the newest good row of each
URL; `Store.record` the stored answer of a URL. With ``write=False`` a folder opens without a lock and nothing changes: so
everything but the crawl opens it, also while the crawl runs. `warc.reader` reads WARC files of any origin, and counts the
damaged records it passes over.

**Documents.** `collection` reads every kind of input (JSON lines, Parquet, WARC, folders, a crawl folder) as one stream of
Arrow batches of at most 16 MB; on an engine with workers elsewhere they read what they can themselves (`on_engine`), with the
same ids, order and counts. `importing` makes a crawl folder from documents, `sampling` a smaller one from a large one,
`exporting` writes one out, `folder.removal` takes pages out for good. `link_graph` numbers URLs and maps their links, both
ways, in memory. `forward` holds the words of every document as numbers in a bit stream.

Invariants:

- One process writes, under a lock that dies with it.
- A committed row or record never changes in place (a take-down rewrites files).
- The `warc_file` and `warc_offset` of a row lead to a whole record.
- Equal bodies are stored once.
"""

from garimpo.archive.collection.exporting import export
from garimpo.archive.collection.importing import import_documents
from garimpo.archive.collection.sampling import sample_folder
from garimpo.archive.collection.stream import documents
from garimpo.archive.collection.text_stream import texts
from garimpo.archive.folder.learned import Learned
from garimpo.archive.folder.removal import remove
from garimpo.archive.folder.store import Store, is_crawl_folder
from garimpo.archive.link_graph import LinkGraph
from garimpo.archive.warc.reader import Stored, read_warc
from garimpo.archive.warc.records import Earlier, Exchange, exchange
from garimpo.archive.warc.writer import WarcWriter

__all__ = [
    "Earlier",
    "Exchange",
    "Learned",
    "LinkGraph",
    "Store",
    "Stored",
    "WarcWriter",
    "documents",
    "exchange",
    "export",
    "import_documents",
    "is_crawl_folder",
    "read_warc",
    "remove",
    "sample_folder",
    "texts",
]
