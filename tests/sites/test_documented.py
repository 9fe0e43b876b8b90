"""Every command of the guide, as it stands there, in a process of its own: on made sites, and on real ones where they are."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from garimpo.url import site_column
from sites.made import bad, good, html
from sites.test_live import Web

GUIDE = Path(__file__).parents[2] / "docs" / "sites.md"
REAL = Path(os.environ.get("GARIMPO_DATA", GUIDE.parents[2] / "shared" / "data")) / "swde" / "pages.parquet"
AFTER_LABELLING = "garimpo sites precision sample.csv"
"""In prose: a person labels the sample first."""
COMMANDS = [line for line in GUIDE.read_text("utf-8").splitlines() if line.startswith("garimpo sites ")] + [AFTER_LABELLING]


def garimpo(folder: Path, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "garimpo", *arguments], cwd=folder, capture_output=True, text=True, timeout=500, check=False
    )


def lay_out(folder: Path, rows: list[dict[str, object]], yes: list[str], no: list[str]) -> None:
    """The files that the guide names: half of the sites are examples, and all are asked about."""
    pq.write_table(pa.Table.from_pylist(rows), folder / "all.parquet")
    pq.write_table(pa.Table.from_pylist([row for row in rows if row["label"] is not None]), folder / "pages.parquet")
    for name, sites in (("good", yes), ("bad", no)):
        (folder / f"{name}.txt").write_text("".join(f"{site}\n" for site in [*sites[::2], f"dead-{name}.com"]))
    (folder / "sites.txt").write_text("".join(f"{site}\n" for site in [*yes[1::2], *no[1::2], "nowhere.com"]))
    labelled = "".join(f"{site},{int(site in yes)}\n" for site in [*yes[1::2], *no[1::2]])
    (folder / "labelled.csv").write_text("site,label\n" + labelled)
    assert garimpo(folder, ["archive", "import", "all.parquet", "--out", "crawl"]).returncode == 0


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    sites = {**good(8), **bad(4)}
    rows: list[dict[str, object]] = [
        {"url": page.url, "html": html(page), "label": int(page.url.endswith("/casas"))}
        for pages in sites.values() for page in pages
    ]  # fmt: skip
    names = "".join(f'<a href="http://www.{site}/">{site}</a> ' for site in good(8))
    rows.append({"url": "http://hub.com.br/", "html": f"<title>Diretório</title>{names}", "label": 0})
    lay_out(folder, rows, list(good(8)), list(bad(4)))
    return folder


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not REAL.exists():
        pytest.skip("the real sites are not here")
    folder, table = tmp_path_factory.mktemp("real"), pq.read_table(REAL)
    rows: dict[str, list[dict[str, object]]] = {}
    for site, row in zip(site_column(table["url"].combine_chunks()).to_pylist(), table.to_pylist()):
        if row["vertical"] in ("auto", "book") and len(rows.setdefault(site, [])) < 5:
            rows[site].append({"url": row["url"], "html": row["html"], "label": int(row["vertical"] == "auto")})
    yes = sorted(site for site, pages in rows.items() if pages[0]["label"])
    no = sorted(rows.keys() - set(yes))
    names = "".join(f'<a href="{rows[site][0]["url"]}">{site}</a> ' for site in yes)
    hub: dict[str, object] = {"url": "http://hub.com.br/", "html": f"<title>Cars</title>{names}", "label": None}
    lay_out(folder, [hub, *(row for pages in rows.values() for row in pages)], yes, no)
    return folder


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    Web.pages = {page.url: page for sites in (good(8), bad(4)) for pages in sites.values() for page in pages}
    server = ThreadingHTTPServer(("127.0.0.1", 0), Web)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def run_all(folder: Path, commands: list[str], more: list[str]) -> None:
    for command in commands:
        arguments = command.split()[1:]
        if "--resume" in arguments:
            leave_a_journal(folder, arguments)
        if arguments[1] == "precision":
            label(folder / arguments[2])
        ended = garimpo(folder, [*arguments, *(more if "--contact" in arguments else [])])
        assert (ended.returncode, "Traceback" in ended.stderr) == (0, False), f"{command}\n{ended.stderr}"


def leave_a_journal(folder: Path, arguments: list[str]) -> None:
    """What a killed search has left: here, all of it but the end."""
    kept = arguments[: arguments.index("--resume")]
    told = (
        "import garimpo.cli.locating as own; own.Locating.finish = lambda self: None; "
        f"from garimpo.cli.app import run; run({kept!r})"
    )
    subprocess.run([sys.executable, "-c", told], cwd=folder, check=True, capture_output=True, timeout=500)
    journal = folder / arguments[arguments.index("--resume") + 1]
    journal.write_bytes(journal.read_bytes()[:-20])


def label(sample: Path) -> None:
    """What a person does: fill in the last column."""
    head, *rows = sample.read_text().splitlines()
    sample.write_text("\n".join([head, *(row + "1" for row in rows)]) + "\n")


def test_the_guide_has_all_verbs() -> None:
    assert {command.split()[2] for command in COMMANDS} == {"train", "show", "detect", "eval", "locate", "sample", "precision"}
    assert f"`{AFTER_LABELLING}`" in GUIDE.read_text("utf-8")


def test_every_command_runs_on_made_sites(made: Path, address: str) -> None:
    run_all(made, COMMANDS, ["--resolve-all", address, "--allow-private", "--delay", "0", "--tries", "1"])
    rows = {row["site"]: row["relevant"] for row in pyarrow.csv.read_csv(made / "sites.csv").to_pylist()}
    assert all(rows[site] is True for site in list(good(8))[1::2]) and True not in {rows[site] for site in list(bad(4))[1::2]}
    found = pq.read_table(made / "found.parquet").to_pylist()
    assert {row["site"] for row in found if row["rank"]} == set(list(good(8))[1::2])
    assert found[0]["via"] == "http://hub.com.br/" and not (made / "found.parquet.journal").exists()


def test_every_command_runs_on_real_sites(real: Path) -> None:
    run_all(real, [command for command in COMMANDS if "--contact" not in command], [])
    ended = garimpo(real, ["sites", "eval", "sites.model", "labelled.csv", "--archive", "crawl", "--json"])
    assert json.loads(ended.stdout.splitlines()[-1])["f1"] >= 0.8
    found = {row["site"] for row in pq.read_table(real / "found.parquet").to_pylist() if row["rank"]}
    assert found and found <= set((real / "sites.txt").read_text().split()), "what the hub names, and no other site"
