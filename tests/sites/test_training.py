"""Learning the entity from labelled pages, or from good and bad sites alone."""

from pathlib import Path

import pytest

from garimpo.contract import BadInput, Page
from garimpo.sites import LEARNERS, ListingClassifier, SiteModel, train_on_pages, train_on_sites
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
    assert answers == [True, False, False]


def test_more_examples_than_are_compared_do_as_well() -> None:
    assert right(train_on_sites(good(25), bad(25), "casas")) == 10


def test_a_site_that_is_good_and_bad_is_refused() -> None:
    with pytest.raises(BadInput, match=r"casa0\.com\.br: both good and bad"):
        train_on_sites(good(2), {**good(1), **bad(1)})


def test_good_sites_without_links_are_refused() -> None:
    with pytest.raises(BadInput, match="links to other pages"):
        train_on_sites({"a.com": [Page("http://a.com/", text="casas")]}, bad(1))


def test_labels_of_one_kind_are_refused() -> None:
    pages = next(iter(good(1).values()))
    with pytest.raises(BadInput, match="one kind"):
        train_on_pages(pages, [False] * len(pages))


def test_sites_without_pages_are_refused() -> None:
    with pytest.raises(BadInput, match="need pages"):
        train_on_sites({"a.com": []}, bad(1))
