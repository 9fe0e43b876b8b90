"""Real hosts: the pairs of the https-everywhere rules by name alone, hosts linked from university pages of 1997, and Debian's
documentation under several names.

Debian packages are fetched with apt (nothing is installed) and served, in a table, as hosts: two packages with the same files are
copies; two releases of one manual have the same paths and other contents. Without apt that part says so.
"""

import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from protocol import table

from garimpo.mirrors import find, folds

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("GARIMPO_DATA", ROOT.parent / "shared" / "data"))
PACKAGES = ["singular-doc", "singular-dev-doc", "libstdc++-11-doc", "libstdc++-12-doc", "libboost1.74-doc", "libboost1.81-doc"]
SHOWN = 15


def https_everywhere():
    """Both URLs of each rule as known paths, without address or content; which host pairs are found, by kind."""
    rules = pq.read_table(DATA / "https-everywhere" / "pairs.parquet")
    urls = pa.concat_arrays([c for name in ("url", "rewritten") for c in rules[name].chunks])
    pairs = find(pa.table({"url": urls.unique()}))
    called = {(r["host_a"], r["host_b"]): r["replica"] for r in pairs.select(["host_a", "host_b", "replica"]).to_pylist()}
    known = {}
    for row in rules.select(["host_a", "host_b", "kind"]).to_pylist():
        if row["kind"] != "same":
            known[tuple(sorted((row["host_a"].lower(), row["host_b"].lower())))] = row["kind"]
    rows = []
    for kind in ("www", "other"):
        mine = [pair for pair, k in known.items() if k == kind]
        counts = len(mine), sum(pair in called for pair in mine), sum(called.get(pair, False) for pair in mine)
        rows.append([kind, *(f"{count:,}" for count in counts)])
    right, copies = sum(called[p] for p in called if p in known), sum(called.values())
    lines = [f"https-everywhere, names and paths only: {len(called):,} candidates, {copies:,} called copies, {right:,} of them"]
    lines[0] += " pairs of the rules. That a rule sends one host to another does not say that all their pages are the same."
    heads = ["pairs of hosts in the rules", "pairs", "share a path that few hosts have", "called copies"]
    return [*lines, "", *table(heads, rows)]


def university_links():
    """Every URL that is linked to, without address or content: the likeliest pairs. There are no labels."""
    linked = pq.read_table(DATA / "webkb" / "links.parquet", columns=["target"])["target"].unique()
    pairs = find(pa.table({"url": linked}))
    copies = pairs.filter(pairs["replica"])
    rows = [[r["host_a"], r["host_b"], int(r["paths"]), f"{r['score']:.3f}"] for r in copies.slice(0, SHOWN).to_pylist()]
    strangers = copies.filter(pc.invert(copies["same_site"])).num_rows
    head = f"Hosts linked from university pages: {len(linked):,} URLs, {pairs.num_rows:,} candidates, {copies.num_rows:,} called "
    head += f"copies, {strangers:,} of them across sites."
    return [head, "", *table(["host", "host", "common rare paths", "score"], rows)]


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
    """Each package as a host: which pairs are called copies, and which are folded."""
    rows = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            for package in PACKAGES:
                host = f"{package.replace('+', 'x')}.debian.example"
                rows += [(f"http://{host}{path}", digest) for path, digest in files_of(package, folder).items()]
    except (OSError, subprocess.CalledProcessError) as error:
        return [f"Debian's documentation was not fetched: {error}", ""]
    pages = pa.table({"url": [row[0] for row in rows], "digest": pa.array([row[1] for row in rows], pa.int64())})
    pairs = find(pages)
    folded = {tuple(sorted((f["host"], f["keep_host"]))) for f in folds(pairs, pages).to_pylist()}
    cells = []
    for row in pairs.to_pylist():
        names = row["host_a"], row["host_b"]
        short = [name.removesuffix(".debian.example") for name in names]
        verdicts = ["yes" if yes else "no" for yes in (row["replica"], names in folded)]
        cells.append([*short, int(row["paths"]), int(row["same"]), f"{row['score']:.3f}", *verdicts])
    heads = ["package", "package", "common paths", "equal there", "score", "called copies", "folded"]
    return [f"Debian's documentation, {len(rows):,} files, each package as a host of one site.", "", *table(heads, cells)]


def lines():
    """All parts for which the data is there."""
    made = [*https_everywhere(), *university_links()] if DATA.is_dir() else [f"{DATA} is not there.", ""]
    return made if "--quick" in sys.argv else [*made, *debian()]


if __name__ == "__main__":
    print("\n".join(lines()))
