"""Learning the entity from labelled pages, or from good and bad sites alone."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from garimpo.contract import BadInput, Link, Page
from garimpo.sites import LEARNERS, ListingClassifier, SiteModel
from garimpo.sites.detector import EVIDENCE, NotArchived
from garimpo.sites.link_worth import link_words
from garimpo.sites.listing import Learner, unseen_margins
from garimpo.sites.telling import TellingWords, telling
from garimpo.sites.training import train_on_pages, train_on_sites
from sites.made import bad, blog, getter, good, market, shop


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return train_on_sites(good(6), bad(6), "casas")


def is_listing(url: str) -> bool:
    return url.endswith("/casas")


def right(model: SiteModel) -> int:
    """How many of ten new sites it decides rightly."""
    unseen = {**good(4, 50), **bad(3, 50)}
    answers = {site: model.detect(f"http://www.{site}/", getter(unseen)).relevant for site in unseen}
    return sum(answer is site.startswith("casa") for site, answer in answers.items())


def test_example_sites_are_enough(model: SiteModel) -> None:
    assert right(model) == 10


def test_a_relevant_site_costs_two_pages(model: SiteModel) -> None:
    found = model.detect("http://www.casa90.com.br/", getter(good(1, 90)))
    assert found.entry_url == "http://www.casa90.com.br/casas" and found.pages_fetched == 2


def test_labelled_pages_are_enough() -> None:
    pages = [page for sites in (good(6), bad(6)) for pages in sites.values() for page in pages]
    assert right(train_on_pages(pages, [is_listing(page.url) for page in pages])) == 10


@pytest.mark.parametrize("learner", LEARNERS)
def test_all_learners_tell_listings_from_other_pages(learner: str) -> None:
    pages = [page for sites in (good(6), bad(6)) for pages in sites.values() for page in pages]
    labels = [is_listing(page.url) for page in pages]
    assert (ListingClassifier(learner).fit(pages, labels).predict(pages) == labels).mean() > 0.95


def test_a_stored_model_answers_alike(model: SiteModel, tmp_path: Path) -> None:
    model.save(tmp_path / "sites.model")
    again = SiteModel.load(tmp_path / "sites.model")
    for site, pages in {**good(1, 70), **bad(1, 70)}.items():
        before, after = (m.detect(f"http://www.{site}/", getter({site: pages})) for m in (model, again))
        assert (before.relevant, before.entry_url, before.reason) == (after.relevant, after.entry_url, after.reason)
        assert before.score == pytest.approx(after.score)


def test_the_entity_is_what_all_good_sites_list() -> None:
    beside = ("carro", "livro", "carro", "livro", "carro", "carro")
    markets = {f"feira{i}.com.br": market(f"feira{i}.com.br", ("casa", other)) for i, other in enumerate(beside)}
    blogs = {f"blog{i}.com.br": blog(f"blog{i}.com.br") for i in range(9)}
    model = train_on_sites(markets, blogs)
    unseen = {f"{thing}99.com.br": shop(f"{thing}99.com.br", thing) for thing in ("casa", "carro", "livro")}
    answers = [model.detect(f"http://www.{site}/", getter(unseen)).relevant for site in unseen]
    assert answers[0] is True and True not in answers[1:]


def test_more_examples_than_are_compared_do_as_well() -> None:
    assert right(train_on_sites(good(25), bad(25), "casas")) == 10


def test_a_site_that_is_good_and_bad_is_refused() -> None:
    with pytest.raises(BadInput, match=r"casa0\.com\.br: both good and bad"):
        train_on_sites(good(2), {**good(1), **bad(1)})


def spelled(pages: list[Page], first: str, gap: str) -> list[Page]:
    """The same pages with other letters, and URLs that say nothing."""
    letters = {ord(letter): chr(ord(first) + i) for i, letter in enumerate("abcdefghijklmnopqrstuvwxyz")}
    numbers = {page.url: f"{pages[0].url}{i or ''}" for i, page in enumerate(pages)}

    def said(text: str) -> str:
        return text.lower().replace(" ", gap).translate(letters)

    def own(page: Page) -> Page:
        links = [Link(numbers[link.target], said(link.anchor)) for link in page.links]
        return replace(
            page, url=numbers[page.url], text=said(page.text), title=said(page.title or ""), links=links, language=None
        )

    return [own(page) for page in pages]


@pytest.mark.parametrize(("first", "gap"), [("\u0430", " "), ("\u0905", " "), ("\u4e00", "")], ids=["Cyrillic", "Indic", "Han"])
def test_sites_in_any_script_are_told_apart(first: str, gap: str) -> None:
    shown, unseen = [
        {site: spelled(pages, first, gap) for site, pages in sites.items()}
        for sites in ({**good(5), **bad(4)}, {**good(3, 50), **bad(2, 50)})
    ]
    fit = {site: pages for site, pages in shown.items() if site.startswith("casa")}
    model = train_on_sites(fit, {site: pages for site, pages in shown.items() if site not in fit})
    answers = {site: model.detect(f"http://www.{site}/", getter(unseen)).relevant for site in unseen}
    assert [site for site, answer in answers.items() if answer] == [site for site in unseen if site.startswith("casa")]


def detail_only(site: str, thing: str) -> list[Page]:
    """What an archive may have of a shop: some pages of single things, no root, no listing, no links among them."""
    return [replace(page, links=[], language=None) for page in shop(site, thing)[3:7]]


@pytest.fixture(scope="module")
def from_details() -> SiteModel:
    good = {f"casa{i}.com.br": detail_only(f"casa{i}.com.br", "casa") for i in range(5)}
    bad = {f"carro{i}.com.br": detail_only(f"carro{i}.com.br", "carro") for i in range(5)}
    return train_on_sites({**good, "dead.com.br": []}, {**bad, "one.com.br": [Page("http://one.com.br/x", text="musica e vida")]})


@pytest.mark.parametrize(("thing", "expected"), [("casa", True), ("carro", False), ("livro", None)])
def test_detail_pages_without_links_or_root_are_enough(from_details: SiteModel, thing: str, expected: bool | None) -> None:
    pages = {page.url: page for page in detail_only(f"{thing}9.com.br", thing)}

    def get(url: str) -> Page:
        if url not in pages:
            raise NotArchived("not in the archive")
        return pages[url]

    assert from_details.detect(f"http://{thing}9.com.br/", get, list(pages)).relevant is expected


@pytest.mark.parametrize(("thing", "expected"), [("casa", True), ("carro", False)])
def test_single_pages_are_evidence_though_the_examples_have_listings(model: SiteModel, thing: str, expected: bool) -> None:
    pages = {page.url: page for page in detail_only(f"{thing}9.com.br", thing)}
    found = model.detect(next(iter(pages)), pages.get, list(pages)[1:])
    assert (found.relevant is True, found.reason == EVIDENCE) == (expected, expected)


def test_labelled_pages_of_one_page_sites_are_enough() -> None:
    pages = [
        page for i in range(4) for page in (detail_only(f"casa{i}.com", "casa")[0], detail_only(f"carro{i}.com", "carro")[0])
    ]
    model = train_on_pages(pages, [True, False] * 4)
    assert [model.listing(detail_only("x.com", thing)[0]) > 0.5 for thing in ("casa", "carro")] == [True, False]


def test_the_name_of_a_site_decides_nothing(model: SiteModel) -> None:
    page = Page("http://casas.com.br/", text="Casas. Bem-vindo a casas.com.br, casas!", title="Casas")
    plain = Page("http://nome.com.br/", text="Bem-vindo a com.br", title="")
    assert model.topic is not None
    assert model.topic(page) == pytest.approx(model.topic(plain), abs=0.1)


def test_labels_of_one_kind_are_refused() -> None:
    pages = next(iter(good(1).values()))
    with pytest.raises(BadInput, match="one kind"):
        train_on_pages(pages, [False] * len(pages))


def test_sites_without_pages_are_refused() -> None:
    with pytest.raises(BadInput, match="no page of any good site"):
        train_on_sites({"a.com": []}, bad(1))


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_is_stored_whole(learner: Learner, tmp_path: Path) -> None:
    pages = [page for sites in (good(4), bad(4)) for pages in sites.values() for page in pages]
    labels = [is_listing(page.url) for page in pages]
    train_on_pages(pages, labels, learner=learner).save(tmp_path / "sites.model")
    stored, fitted = SiteModel.load(tmp_path / "sites.model"), ListingClassifier(learner).fit(pages, labels)
    unseen = [*shop("casa77.com.br", "casa"), *shop("carro77.com.br", "carro")]
    assert [stored.listing(page) for page in unseen] == pytest.approx(fitted.predict_proba(unseen)[:, 1].tolist(), abs=1e-6)


def test_the_classifier_keeps_the_contract_of_scikit_learn() -> None:
    classifier = ListingClassifier("tree", C=2.0, seed=3)
    assert clone(classifier).get_params() == {"learner": "tree", "C": 2.0, "seed": 3}
    with pytest.raises(NotFittedError):
        classifier.predict(shop("a.com", "casa"))
    with pytest.raises(NotFittedError):
        classifier.predict_proba([])


def test_words_of_several_relevant_sites_tell_more_than_those_of_one_or_of_all() -> None:
    """Rows: four listings on four sites, then four sites without one. Columns: on three of the first, on one, on all sites."""
    x = csr_matrix([[1, 1, 1], [1, 0, 1], [1, 0, 1], [0, 0, 1], *[[0, 0, 1]] * 4], dtype=float)
    of_three, of_one, of_all = telling(x, np.arange(8) < 4, np.array(list("abcdefgh")))
    assert of_three > 1.5 * of_one > of_one > of_all == 0


def test_every_part_that_is_held_back_has_sites_of_both_kinds() -> None:
    held: list[set[str]] = []

    class Watched(TellingWords):
        def decision_function(self, x: csr_matrix) -> NDArray[np.float64]:
            held.append({"good" if value else "bad" for value in x[:, 0].toarray().ravel()})
            return super().decision_function(x)

    sites = np.array([f"{i}.com" for i in range(30)])
    relevant = np.arange(30) % 3 == 0
    x = csr_matrix(np.column_stack([relevant, np.ones(30)]).astype(float))
    margins, known = unseen_margins(lambda: Watched(0), x, relevant, np.ones(30), sites)
    assert held == [{"good", "bad"}] * 5 and known.all() and ((margins > 0) == relevant).all()


def test_a_section_named_by_a_number_is_no_card() -> None:
    section, card = (
        link_words("http://a.com/list.php?cat=3", anchor, True) for anchor in ("Casas", "Casa com três quartos " * 3)
    )
    assert "n:short-number" in section and "n:card-number" in card
