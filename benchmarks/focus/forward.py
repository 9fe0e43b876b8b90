"""The forward index beside zstd of each document (level 19), its random access beside reading the words of a text again, and
reading all of it beside what a visit does instead: read all texts and score them."""

import os
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.archive import texts
from garimpo.archive.forward.build import build_forward
from garimpo.archive.forward.index import Forward
from garimpo.focus import TopicModel
from garimpo.page import words

DATA = Path(os.environ.get("GARIMPO_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))


def corpus(folder: Path) -> Path:
    """Pages of WebKB where the data are at hand, else texts of a Zipf vocabulary."""
    path = folder / "texts.parquet"
    if (DATA / "webkb").is_dir():
        table = pa.Table.from_batches(texts(DATA / "webkb/pages.parquet")).select(["id", "url", "text"])
    else:
        chance = np.random.default_rng(0)
        limits = np.cumsum(1 / (np.arange(50_000) + 3) ** 1.05)
        rows = [" ".join(f"w{i}" for i in np.searchsorted(limits / limits[-1], chance.random(300))) for _ in range(4000)]
        table = pa.table({"id": [str(i) for i in range(4000)], "text": rows})
    pq.write_table(table, path)
    return path


def visit_seconds(path: Path, index: Forward, shown: list[str]) -> tuple[float, float]:
    """CPU seconds of scoring every text as a visit does, and of reading every document of the index; the best of three."""
    model = TopicModel.train(shown[:50], shown[50:1500])
    best = [np.inf, np.inf]
    for _ in range(3):
        began = time.process_time()
        for batch in pq.ParquetFile(path).iter_batches(columns=["text"]):
            model.score(batch.column("text"))
        middle = time.process_time()
        for _document in index:
            pass
        best = [min(best[0], middle - began), min(best[1], time.process_time() - middle)]
    return best[0], best[1]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = corpus(Path(folder))
        began = time.process_time()
        stat = build_forward(path, Path(folder) / "x.fwd")
        print(f"built in {time.process_time() - began:.1f} CPU s: {stat['documents']:,} documents, {stat['pairs']:,} pairs")
        for name, field in stat["fields"].items():
            print(f"  {name:<12} {field['bits_each']:.2f} bits each, {100 * field['over']:+.1f} % beside the order-0 entropy")
        index, shown = Forward(Path(folder) / "x.fwd"), pq.read_table(path)["text"].to_pylist()
        some = np.random.default_rng(0).integers(0, len(index), 3000).tolist()
        codec = pa.Codec("zstd", 19)
        packed = np.mean([len(codec.compress(shown[i].encode(), asbytes=True)) for i in some])
        lines = [" ".join(f"{t}:{f}" for t, f in zip(*map(np.ndarray.tolist, index.by_index(i)[1:]))).encode() for i in some]
        pairs = np.mean([len(codec.compress(line, asbytes=True)) for line in lines])
        ours = (stat["stream_bytes"] + stat["skip_bytes"]) / len(index)
        print(f"bytes a document: ours {ours:.0f}, zstd-19 of its pairs {pairs:.0f}, zstd-19 of its text {packed:.0f}")
        times = {}
        for _ in range(10):
            for name, work in (("ours", index.by_index), ("words again", lambda i: Counter(words(shown[i])))):
                began = time.process_time()
                for i in some:
                    work(i)
                times[name] = min(times.get(name, np.inf), (time.process_time() - began) / len(some))
        ratio = times["words again"] / times["ours"]
        seconds = visit_seconds(path, index, shown)
        print(f"all pages: scored from their texts {seconds[0]:.2f} s, read from the index without a score {seconds[1]:.2f} s")
        print(f"random access {1e6 * times['ours']:.1f} µs, the words again {1e6 * times['words again']:.1f} µs: {ratio:.1f} x")


if __name__ == "__main__":
    main()
