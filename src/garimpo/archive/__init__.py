"""What was fetched, on disk: a crawl is a folder of open formats.

::

    crawl.toml            the format version and every setting
    crawl.log             what happened, one JSON object a line
    warc/                 the answers as they came (WARC 1.1), one gzip member or zstd frame a record
    pages/ links/         the tables, as Parquet segments numbered by commit
    state/crawl.sqlite    what is committed; the crawl keeps its queue there too
    learned/              what the crawl learned: KIND/N.suffix, and current.json that says which N is in force

How an answer comes to rest. `Store.warc.write_response` packs the answer and its request as WARC records (`records`) and
appends them to a buffer (`warc`); it says at once in which file and at which offset they will stand, so that the row of the
pages table can carry the place. A body whose SHA-1 is known already becomes a *revisit* record that refers to the
first. Nothing of this counts until `Store.commit`: it forces the WARC to the disk, writes the two segments aside as `.tmp`,
and then, in one SQLite transaction with whatever the caller wants to keep, lists the segments by name and the WARC files by
length. That transaction is the only truth. The renames that follow are a courtesy to other programs.

Opening a folder after a kill (`repair`) therefore needs no cleverness: renames that are listed are finished, segments that
are not are deleted, WARC files are cut at the listed length. A damaged state file is rebuilt from tables and WARC files.

How it is read. `Store.pages` and `Store.links` stream the committed segments; `Store.latest` gives the newest good row of
each URL; `Store.record` the stored answer of a URL, through the place its row carries (`lookup`), the body of a revisit
from where it was stored first. A folder opened with ``write=False`` takes no lock and changes nothing: that is how all
but the crawl itself opens it, also while the crawl runs. `reading` reads WARC files of any origin and passes over damaged
records, counting them.

How documents come in. `documents` reads every kind of input (JSON lines, Parquet, WARC, folders, a crawl folder) as one even
stream of Arrow batches of at most 16 MB, so that no room has to know where its documents come from; `texts` is the same with
the text of each. The readers, one a kind, are in `sources`. On an engine whose workers are elsewhere they read what they can
themselves (`placed`), with the same ids, order and counts.

What is made of it. `importing` makes a crawl folder from documents, `exporting` writes one out, `removal` takes pages out of one
for good, and `graph` builds the link graph: numbered URLs with their links out and in, memory-mapped.

The forward index (`forwardbuild.build_forward`, `forward.Forward`; not imported here, as they bring kernels) holds the words
of every document as numbers in a bit stream, a small fraction of the text, with the place of each: for whoever needs the words
of any page at once without reading its text again.

Invariants: one process writes (a lock that dies with it); a committed row or record is never changed in place (a take-down
rewrites files); a row's `warc_file` and `warc_offset` always lead to a whole record; equal bodies are stored once.
"""

from garimpo.archive.documents import documents
from garimpo.archive.exporting import export
from garimpo.archive.graph import LinkGraph
from garimpo.archive.importing import import_documents
from garimpo.archive.learned import Learned
from garimpo.archive.reading import Stored, read_warc
from garimpo.archive.records import Earlier, Exchange, exchange
from garimpo.archive.removal import remove
from garimpo.archive.store import Store, is_crawl_folder
from garimpo.archive.texts import texts
from garimpo.archive.warc import WarcWriter

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
    "texts",
]
