"""Which language a site is in, told from its text."""

import pytest

from garimpo.contract import Link, Page
from garimpo.sites.language import foreign, language
from garimpo.sites.model import SiteModel
from garimpo.sites.training import train_on_sites
from sites.made import bad, good

PORTUGUESE = "Temos casas e apartamentos com três quartos, sala e cozinha em ruas calmas, perto do mar e das escolas, " * 2
ENGLISH = "We have houses and flats with three bedrooms, a living room and a kitchen in quiet streets, near the sea, " * 2


def test_an_attribute_is_not_believed() -> None:
    page = Page("http://a.com/", text=ENGLISH, language="pt-BR")
    assert foreign([page], {"pt"}) and not foreign([page], {"en"})
    assert (language(PORTUGUESE), language(ENGLISH), language("casas")) == ("pt", "en", "")


def test_pages_with_little_text_are_of_no_language() -> None:
    assert not foreign([Page("http://a.com/", text="Houses")], {"pt"})
    assert not foreign([Page("http://a.com/", text=ENGLISH)], set())


@pytest.fixture(scope="module")
def model() -> SiteModel:
    model = train_on_sites(good(4), bad(4))
    model.languages = frozenset({"pt"})
    return model


def test_a_site_in_another_language_is_left_after_two_pages(model: SiteModel) -> None:
    links = [Link(f"http://a.com/{name}", "Casas") for name in "abcdefgh"]

    def get(url: str) -> Page:
        return Page(url, text=f"casas imovel bairro {ENGLISH} {url}", links=links)

    found = model.detect("http://a.com/", get)
    assert (found.relevant, found.reason) == (None, "another language") and found.pages_fetched <= 2
