"""The data of the experiments, each as URLs and the number of the page they show."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.dust import clusters, prepare
from garimpo.dust.inputs.files import read_clusters

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("GARIMPO_DATA", ROOT.parent / "shared" / "data"))


def made(profile: str, size: int, seed: int) -> pa.Table:
    """A made table of clusters: `gov` knows all duplicates, `wbr` misses some and joins some wrongly."""
    noise = {"gov": ("0.0", "0.0"), "wbr": ("0.001", "0.02")}[profile]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "garimpo", "web", "tables", f"{folder}/t", "--kind", "dust", "--clusters", str(size)]
        command += ["--seed", str(seed), "--false-merge", noise[0], "--missing", noise[1]]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return prepare(read_clusters(f"{folder}/t/clusters.tsv"))


def families(size: int, seed: int) -> tuple[pa.Table, dict[str, str]]:
    """A made table without noise, and the family of each URL."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "garimpo", "web", "tables", f"{folder}/t", "--kind", "dust", "--clusters", str(size)]
        subprocess.run([*command, "--seed", str(seed)], check=True, stdout=subprocess.DEVNULL)
        family = pq.read_table(f"{folder}/t/family.parquet")
        names = dict(zip(family["url"].to_pylist(), family["family"].to_pylist()))
        return prepare(read_clusters(f"{folder}/t/clusters.tsv")), names


def swde() -> pa.Table:
    """Detail pages of 40 sites: canonical tags and equal texts."""
    return prepare(clusters(pq.read_table(DATA / "swde" / "urls.parquet", columns=["url", "canonical", "text_digest"])))


def apache() -> pa.Table:
    """One manual in eleven languages, pages that were not translated shown in English."""
    table = pq.read_table(DATA / "apache2-doc" / "urls.parquet", columns=["path", "digest"])
    urls = pa.array([f"http://manual.example/{path}" for path in table["path"].to_pylist()])
    return prepare(clusters(pa.table({"url": urls, "digest": table["digest"]})))


def https_everywhere() -> pa.Table:
    """URLs and what hand-written rules make of them, where the host changes or more than the scheme."""
    table = pq.read_table(DATA / "https-everywhere" / "pairs.parquet", columns=["url", "rewritten", "kind"])
    pairs = [
        (row["url"], row["rewritten"])
        for row in table.to_pylist()
        if row["kind"] != "same" or row["url"].replace("http:", "https:", 1) != row["rewritten"]
    ]
    return prepare(clusters(pa.table({"url": [url for url, _ in pairs], "redirect": [target for _, target in pairs]})))


def real() -> dict[str, pa.Table]:
    """The real sets whose data are there; what is not is said in one line."""
    found = {}
    for name, read in (("SWDE", swde), ("apache2-doc", apache), ("https-everywhere", https_everywhere)):
        try:
            found[name] = read()
        except FileNotFoundError as error:
            print(f"{name} is left out: {error}")
    return found
