"""The commands that the documents show, and the files they speak of, made from a small web."""

import gzip
import re
import shutil
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from garimpo import archive, crawl, dust, focus, similarity, sites, webgen
from garimpo.dust.inputs.files import write_clusters

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(garimpo [^`]+)`")


def shown_lines(page: Path) -> list[str]:
    """The command lines of a page's blocks, in order, as they stand there."""
    blocks = [block for language, block in FENCE.findall(page.read_text("utf-8")) if language in ("", "sh", "bash", "console")]
    return [line for block in blocks for line in block.splitlines() if line.startswith("garimpo ")]


def shown_inline(page: Path) -> list[str]:
    """The commands that stand in a page's prose and tables."""
    text = FENCE.sub("", page.read_text("utf-8"))
    return [" ".join(command.split()) for command in INLINE.findall(text)]


class Prepared:
    """A served web of some hundred pages, and every file that a document takes for granted."""

    def __init__(self, folder: Path, server: webgen.Serving) -> None:
        self.folder, self.server = folder, server
        self.seed = (server.folder / "seeds.txt").read_text().split()[0]

    def crawl_flags(self) -> list[str]:
        return ["--resolve-all", self.server.address, "--allow-private", "--delay", "0"]

    def make(self) -> None:
        truth = webgen.truth(self.server.folder)
        self._crawl()
        documents = self._documents(truth)
        self._write("pages.parquet", pa.Table.from_pylist(documents))
        for name in ("docs.parquet", "more.parquet"):
            self._write(name, pa.Table.from_pylist(documents[:60]))
        with archive.Store.open(self.folder / "crawl", write=False) as store:
            self._write("links.parquet", pa.concat_tables([pa.table(batch) for batch in store.links(["source", "target"])]))
        shutil.copy(next((self.folder / "crawl" / "warc").glob("*.warc.gz")), self.folder / "old.warc.gz")
        (self.folder / "more.jsonl.gz").write_bytes(gzip.compress(_lines(documents[:30])))
        self._saved_pages(documents[:5])
        self._lists(truth, documents)
        self._learned(documents)

    def _crawl(self) -> None:
        settings = crawl.Settings(
            seeds=(self.server.folder / "seeds.txt").read_text().split(), resolve_all=self.server.address, allow_private=True,
            scope="all", delay=0.0, learn=False,
        )  # fmt: skip
        crawl.crawl(self.folder / "crawl", settings)

    def _documents(self, truth: dict[str, pa.Table]) -> list[dict[str, Any]]:
        kinds = {row["url"]: row["kind"] for row in truth["pages"].to_pylist()}
        rows = []
        with archive.Store.open(self.folder / "crawl", write=False) as store:
            for batch in store.latest(["url", "ip", "text"]):
                for row in batch.to_pylist():
                    body = store.record(row["url"]).body.decode("utf-8", "replace")
                    label = int(kinds.get(row["url"]) == "index_re")
                    rows.append({**row, "html": body, "label": label})
        named = [*rows]
        for host in ("http://example.org", "http://www.example.org", "http://a.example"):
            for number, row in enumerate(rows[:8]):
                named.append({**row, "url": f"{host}/page{number}.html", "ip": "192.0.2.7"})
        named.append({**rows[9], "url": "http://a.example/private.html", "ip": "192.0.2.7"})
        return [{"id": row["url"], **row} for row in named]

    def _saved_pages(self, documents: list[dict[str, Any]]) -> None:
        (self.folder / "saved-pages").mkdir()
        for number, row in enumerate(documents):
            (self.folder / "saved-pages" / f"{number}.html").write_text(row["html"])

    def _lists(self, truth: dict[str, pa.Table], documents: list[dict[str, Any]]) -> None:
        known = truth["sites"].to_pylist()
        good = [row["site"] for row in known if row["entity"] == "real_estate" and row["entry_url"]]
        everything = sorted(set(truth["hosts"].column("site").to_pylist()) - {row["site"] for row in known if row["entity"]})
        (self.folder / "good.txt").write_text("\n".join(good[:2]))
        (self.folder / "bad.txt").write_text("\n".join(everything[:12]))
        (self.folder / "sites.txt").write_text("\n".join([*good[:2], *everything[:2]]))
        labelled = [*(f"{site},1" for site in good[:2]), *(f"{site},0" for site in everything[:2])]
        (self.folder / "labelled.csv").write_text("\n".join(["site,label", *labelled]))
        (self.folder / "seeds.txt").write_text(self.seed + "\n")
        (self.folder / "urls.txt").write_text("\n".join(row["url"] for row in documents[:50]))
        topics = {row["url"]: row["topic"] for row in truth["pages"].to_pylist()}
        topic = topics[self.seed]
        on_topic = [row for row in documents if topics.get(row["url"]) == topic]
        (self.folder / "good.jsonl").write_bytes(_lines(on_topic[:15]))
        (self.folder / "articles.jsonl").write_bytes(_lines(documents[:3]))
        (self.folder / "sources.jsonl").write_bytes(_lines(documents[3:40]))

    def _learned(self, documents: list[dict[str, Any]]) -> None:
        near = similarity.dedup(pa.Table.from_pylist(documents)).near
        self._write("near.parquet", near)
        clusters = dust.clusters(
            pa.Table.from_pylist([{"url": row["url"], "text_digest": zlib.crc32(row["text"].encode())} for row in documents])
        )
        for name in ("clusters.tsv", "other.tsv"):
            write_clusters(clusters, self.folder / name)
        dust.learn(clusters).save(self.folder / "rules.json")
        focus.train([self.folder / "good.jsonl"], [self.folder / "crawl"]).save(self.folder / "topic.model")
        sites.train(self.folder / "pages.parquet").save(self.folder / "sites.model")

    def _write(self, name: str, table: pa.Table) -> None:
        pq.write_table(table, self.folder / name)


def _lines(rows: list[dict[str, Any]]) -> bytes:
    return b"".join(msgspec.json.encode({name: row[name] for name in ("id", "url", "html")}) + b"\n" for row in rows)
