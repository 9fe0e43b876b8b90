"""Real hosts: the pairs of the https-everywhere rules by name alone, and Debian's documentation under several names.

Debian packages are fetched with apt (nothing is installed) and served, in a table, as hosts: two packages with the same files are
copies; two releases of one manual have the same paths and other contents.
"""

import argparse
import hashlib
import os
import subprocess
import tarfile
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.mirrors import find, folds
from garimpo.mirrors.explain import explain

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("GARIMPO_DATA", ROOT.parent / "shared" / "data"))
PACKAGES = ["singular-doc", "singular-dev-doc", "libstdc++-11-doc", "libstdc++-12-doc", "apache2-doc"]


def https_everywhere():
    """Both URLs of each rule as known paths, without address or content; which host pairs are found, by kind."""
    table = pq.read_table(DATA / "https-everywhere" / "pairs.parquet")
    urls = pa.concat_arrays([c for name in ("url", "rewritten") for c in table[name].chunks])
    pairs = find(pa.table({"url": urls.unique()}))
    score = {(r["host_a"], r["host_b"]): r["replica"] for r in pairs.select(["host_a", "host_b", "replica"]).to_pylist()}
    print(f"https-everywhere: {len(score):,} candidates, {sum(score.values()):,} called copies")
    known = {}
    for row in table.select(["host_a", "host_b", "kind"]).to_pylist():
        if row["kind"] != "same":
            known[tuple(sorted((row["host_a"].lower(), row["host_b"].lower())))] = row["kind"]
    for kind in ("www", "other"):
        mine = [pair for pair, k in known.items() if k == kind]
        found, called = sum(p in score for p in mine), sum(score.get(p, False) for p in mine)
        print(f"  {kind}: {len(mine):,} pairs, {found:,} share a path that few hosts have, {called:,} called copies")
    right = sum(score[p] for p in score if p in known)
    print(f"  of the {sum(score.values()):,} called copies {right:,} are pairs of the rules")


def files_of(package, folder):
    """Path -> digest of the documentation in a Debian package."""
    subprocess.run(["apt-get", "download", package], cwd=folder, check=True, capture_output=True)
    archive = next(Path(folder).glob(f"{package}_*.deb"))
    with open(Path(folder) / "t.tar", "wb") as unpacked:
        subprocess.run(["dpkg-deb", "--fsys-tarfile", str(archive)], check=True, stdout=unpacked)
    out = {}
    with tarfile.open(Path(folder) / "t.tar") as tar:
        for member in tar:
            if member.isfile() and member.name.endswith((".html", ".htm", ".css", ".png")):
                path = member.name.removeprefix("./usr/share/doc/")
                content = hashlib.blake2b(tar.extractfile(member).read(), digest_size=8).digest()
                out["/" + path.split("/", 1)[1]] = int.from_bytes(content, "big") >> 1
    archive.unlink()
    return out


def debian():
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for package in PACKAGES:
            files = files_of(package, folder)
            print(f"  {package}: {len(files):,} files")
            rows += [(f"http://{package.replace('+', 'x')}.debian.example{path}", digest) for path, digest in files.items()]
    pages = pa.table({"url": [row[0] for row in rows], "digest": pa.array([row[1] for row in rows], pa.int64())})
    pairs = find(pages)
    for row in pairs.to_pylist():
        print("\n".join(explain(pairs, row["host_a"], row["host_b"]).lines()))
    for fold in folds(pairs, pages).to_pylist():
        print("fold:", fold)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=["https", "debian"])
    given = parser.parse_args()
    if given.only != "debian":
        https_everywhere()
    if given.only != "https":
        debian()
