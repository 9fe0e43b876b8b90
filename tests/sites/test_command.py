"""The command `garimpo sites`, as it is used over an archive."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from garimpo.archive import Store
from garimpo.cli.app import run
from garimpo.contract import BadInput, Fetched, load_model, save_model
from garimpo.engine import local
from garimpo.sites import LinkTable, LocatorSettings, SiteModel, locate, sites_table
from garimpo.sites.archive_pages import answering, pages_through, root_of
from garimpo.sites.detector import Unreadable
from garimpo.sites.jobs import detect_all
from garimpo.sites.training import train_on_sites
from sites.made import bad, getter, good, html


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of example sites and of new ones, with a directory that names them."""
    folder = tmp_path_factory.mktemp("sites")
    sites = {**good(8), **bad(8)}
    names = "".join(f'<a href="http://www.{site}/">{site}</a> ' for site in good(8))
    rows = [{"url": page.url, "html": html(page), "label": int(page.url.endswith("/casas"))}
            for pages in sites.values() for page in pages]  # fmt: skip
    (folder / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    hub = {"url": "http://hub.com.br/", "html": f"<title>Diretório</title>{names}"}
    (folder / "all.jsonl").write_text("".join(json.dumps(row) + "\n" for row in [*rows, hub]))
    (folder / "good.txt").write_text("# good ones\n" + "".join(f"{site}\n" for site in good(5)))
    (folder / "bad.txt").write_text("".join(f"{site}\n" for site in bad(5)))
    assert run(["archive", "import", str(folder / "all.jsonl"), "--out", str(folder / "crawl")]) == 0
    return folder


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return train_on_sites(good(5), bad(5))


def test_train_on_sites_detect_and_locate(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl, model = str(folder / "crawl"), str(folder / "sites.model")
    lists = ["--good", str(folder / "good.txt"), "--bad", str(folder / "bad.txt")]
    assert run(["sites", "train", *lists, "--archive", crawl, "--out", model]) == 0
    out = folder / "sites.parquet"
    named = ["casa7.com.br", "carro7.com.br", "blog7.com.br", "nowhere.com.br"]
    flags = ["--archive", crawl, "--out", str(out), "--html", str(folder / "report.html"), "--json"]
    assert run(["sites", "detect", model, *named, *flags]) == 0
    rows = {row["site"]: row for row in pq.read_table(out).to_pylist()}
    assert [rows[name]["relevant"] for name in named] == [True, False, False, None]
    assert rows["casa7.com.br"]["entry_url"] == "http://www.casa7.com.br/casas"
    assert rows["nowhere.com.br"]["reason"] == "not in the archive"
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["relevant"] == 1
    assert "casa7.com.br" in (folder / "report.html").read_text()
    found = folder / "found.csv"
    assert run(["sites", "locate", model, "--seeds", str(folder / "good.txt"), "--archive", crawl, "--out", str(found)]) == 0
    assert set(pyarrow.csv.read_csv(found).column("site").to_pylist()) == {"casa5.com.br", "casa6.com.br", "casa7.com.br"}


def test_what_is_no_site_is_unknown_and_no_site_means_all(
    folder: Path, model: SiteModel, capsys: pytest.CaptureFixture[str]
) -> None:
    stored, out = folder / "few.model", folder / "some.parquet"
    model.save(stored)
    flags = ["--archive", str(folder / "crawl"), "--out", str(out)]
    assert run(["sites", "detect", str(stored), "a b", "ftp://a.com/", "HTTP://WWW.casa7.com.BR", *flags]) == 0
    rows = [(row["site"], row["relevant"], row["reason"]) for row in pq.read_table(out).to_pylist()]
    assert rows[:2] == [(name, None, "not the name or URL of a site") for name in ("a b", "ftp://a.com/")]
    assert rows[2] == ("casa7.com.br", True, "found")
    assert run(["sites", "detect", str(stored), *flags]) == 0
    found = {row["site"] for row in pq.read_table(out).to_pylist() if row["relevant"]}
    assert found == set(good(8)) and pq.read_table(out).num_rows == 25
    (folder / "empty.txt").write_text("# none\n")
    assert run(["sites", "detect", str(stored), f"@{folder / 'empty.txt'}", *flags]) == 2
    assert "no sites given" in capsys.readouterr().err


def test_an_engine_decides_as_one_by_one(folder: Path, model: SiteModel) -> None:
    named = ["carro7.com.br", "http://www.casa7.com.br/", "casa7.com.br", "nowhere.com.br"]
    with Store.open(folder / "crawl", write=False) as store:
        get = pages_through(store.record)
        expected = sites_table([model.detect(root_of(name, answering(store.record)), get) for name in named])
    with local() as engine:
        assert detect_all(engine, model, folder / "crawl", named).to_pylist() == expected.to_pylist()


def test_train_on_labelled_pages(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = folder / "pages.model"
    assert run(["sites", "train", str(folder / "pages.jsonl"), "--out", str(model)]) == 0
    assert model.stat().st_size > 0
    (folder / "bare.jsonl").write_text('{"url": "http://a.com/", "html": "<p>casas"}\n')
    assert run(["sites", "train", str(folder / "bare.jsonl"), "--out", str(folder / "none.model")]) == 2
    assert "no row has url, html and label (1: a listing" in capsys.readouterr().err


def test_a_search_that_cannot_begin_says_what_may_help(
    folder: Path, model: SiteModel, capsys: pytest.CaptureFixture[str]
) -> None:
    model.save(folder / "start.model")
    (folder / "unlinked.txt").write_text("carro7.com.br\n")
    (folder / "linked.txt").write_text("casa1.com.br\n")
    flags = ["--archive", str(folder / "crawl"), "--out", str(folder / "few.csv")]
    for seeds, more, said in (
        ("unlinked.txt", [], "no page is known that links to a seed; more seeds"),
        ("linked.txt", ["--within", ".pt"], "name no other site that is wanted; a wider --within, more seeds"),
    ):
        assert run(["sites", "locate", str(folder / "start.model"), "--seeds", str(folder / seeds), *flags, *more]) == 0
        assert said in capsys.readouterr().err


def test_names_in_any_letters_and_files_of_any_editor(folder: Path, model: SiteModel, capsys: pytest.CaptureFixture[str]) -> None:
    model.save(folder / "own.model")
    (folder / "labelled.csv").write_text("site,label\nm\u00fcller.de,1\nWWW.Casa7.com.br,1\n", "utf-8")
    archive = ["--archive", str(folder / "crawl"), "--json"]
    assert run(["sites", "eval", str(folder / "own.model"), str(folder / "labelled.csv"), *archive]) == 0
    answer = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert answer["confusion"]["relevant"] == {"yes": 1, "no": 0, "unknown": 1}
    assert answer["errors"] == {"unknown: not in the archive": ["xn--mller-kva.de"]}
    (folder / "marked.txt").write_text("casa7.com.br\r\n", "utf-8-sig")
    assert (
        run(["sites", "detect", str(folder / "own.model"), f"@{folder / 'marked.txt'}", "--out", str(folder / "o.csv"), *archive])
        == 0
    )
    assert pyarrow.csv.read_csv(folder / "o.csv").column("relevant").to_pylist() == [True]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["train", "--out", "m"], "give labelled PAGES"),
        (["train", "none.jsonl", "--out", "m"], "none.jsonl"),
        (["detect", "none.model", "a.com", "--out", "o.parquet"], "none.model"),
        (["detect", "none.model", "@none.txt", "--out", "o.parquet"], "none.txt"),
        (["detect", "none.model", "--out", "o.parquet"], "no sites given"),
        (["detect", "none.model", "a.com", "--out", "o.xlsx"], "written as .parquet, .csv"),
        (["locate", "none.model", "--seeds", "none.txt", "--out", "o.xlsx"], "written as .parquet, .csv"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["sites", *arguments]) == 2
    shown = capsys.readouterr().err
    assert said in shown and shown.count("\n") == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Fetched("", 0, error="name not found"), "name not found"),
        (Fetched("", 302, headers=[("Location", "http://other.com/")]), "redirects to other.com"),
        (Fetched("", 302, headers=[("Location", "http://a.com/")]), "redirects without end"),
        (Fetched("", 503), "answers 503"),
        (Fetched("", 200, b"<form action=/s><input name=q></form>"), "no links to follow"),
        (Fetched("", 200, "<p>дом и сад".encode() + b" <a href=/x>x</a> uno duo tria quattuor quinque sex"), "words not known"),
    ],
)
def test_a_site_that_cannot_be_read_is_unknown_with_the_reason(model: SiteModel, answer: Fetched, reason: str) -> None:
    get = pages_through(lambda url: Fetched(url, answer.status, answer.body, answer.headers, error=answer.error))
    found = model.detect("http://a.com/", get)
    assert (found.relevant, found.reason) == (None, reason)
    assert found.pages_fetched <= model.limits.max_pages


def test_a_get_that_says_why() -> None:
    with pytest.raises(Unreadable, match="answers 404"):
        pages_through(lambda url: Fetched(url, 404))("http://a.com/")


def test_the_root_of_a_bare_name_is_the_one_that_answers(model: SiteModel) -> None:
    """Not one that an archive knows only as an error."""
    pages = {page.url: html(page) for page in good(1, 30)["casa30.com.br"]}

    def record(url: str) -> Fetched | None:
        return Fetched(url, 200, pages[url].encode()) if url in pages else Fetched(url, 404)

    found = model.detect(root_of("casa30.com.br", answering(record)), pages_through(record))
    assert found.entry_url == "http://www.casa30.com.br/casas"


def test_the_locator_finds_what_hubs_name_and_passes_over_false_alarms() -> None:
    links = [(f"http://hub{h}.com/", f"http://good{i}.com/") for h in range(4) for i in range(h * 5, h * 5 + 20)]
    links += [(f"http://far{h}.com/", f"http://bad{i}.com/") for h in range(9) for i in range(h * 9, h * 9 + 12)]
    links += [(f"http://far{h}.com/", "http://good3.com/") for h in range(9)]
    found = locate(["good0.com", "good1.com"], LinkTable.of(links), lambda site: site.startswith("good") or site == "bad5.com",
                   LocatorSettings(prevalence=0.3))  # fmt: skip
    names = [one.site for one in found.found]
    assert len(set(names)) == len(names) >= 30 and "bad5.com" not in names


def test_searches_over_made_sites_stay_inside(model: SiteModel) -> None:
    sites = {**good(2, 20), **bad(2, 20)}
    for site in sites:
        found = model.detect(f"http://www.{site}/", getter(sites))
        assert all(site in visit.url for visit in found.visits)


@pytest.mark.parametrize("change", [lambda array: array[:1], lambda array: np.array("x"), lambda array: array[None]])
def test_a_model_whose_arrays_do_not_fit_is_bad_input(model: SiteModel, tmp_path: Path, change: Callable[..., Any]) -> None:
    model.save(tmp_path / "whole.model")
    stored = load_model(tmp_path / "whole.model", "sites")
    assert len(stored.arrays) > 1
    for name, array in stored.arrays.items():
        save_model(tmp_path / "odd.model", replace(stored, arrays={**stored.arrays, name: change(array)}))
        with pytest.raises(BadInput, match="not a whole model of sites"):
            SiteModel.load(tmp_path / "odd.model")


def test_a_tree_that_leads_in_circles_is_bad_input(model: SiteModel, tmp_path: Path) -> None:
    size = len(model.listing.weights)
    tree = np.array([[0, -2, -2], [0.5, 0, 0], [1, -1, -1], [2, -1, -1], [0, 1, -1]], float)
    for name, (row, node, value) in {"whole": (0, 0, 0), "circle": (2, 0, 0), "beyond": (3, 0, 9), "wide": (0, 0, size)}.items():
        odd = tree.copy()
        odd[row, node] = value
        replace(model, listing=replace(model.listing, tree=odd)).save(tmp_path / name)
    SiteModel.load(tmp_path / "whole")
    for name in ("circle", "beyond", "wide"):
        with pytest.raises(BadInput, match="do not fit"):
            SiteModel.load(tmp_path / name)
