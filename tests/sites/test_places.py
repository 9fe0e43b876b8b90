"""States from cities and telephone numbers."""

import time

import pytest

from garimpo.contract import Page
from garimpo.sites.places import AREA_CODES, states


@pytest.mark.parametrize("text", ["Recife - PE", "Recife/PE", "São Paulo, SP", "Boa Viagem (PE)", "João Pessoa PB"])
def test_a_city_with_its_state(text: str) -> None:
    assert len(states([Page("http://a/", text=text)])) == 1


def test_area_codes_cover_all_states() -> None:
    assert len(set(AREA_CODES.values())) == 27 and len(AREA_CODES) == 67


@pytest.mark.parametrize(
    ("text", "expected"),
    [("(81) 3333-4444", ["PE"]), ("+55 11 98765-4321", ["SP"]), ("0800 123 4567", []), ("4004-1234", [])],
)
def test_telephones(text: str, expected: list[str]) -> None:
    assert states([Page("http://a/", text=text)]) == expected


@pytest.mark.parametrize(
    "text", ["VENDO PARA SP", "Imóvel SE vende", "0800 11 2345 6789", "Safra 11 2015-2016", "Ligue 0300 11 4444 5555"]
)
def test_what_only_looks_like_a_place(text: str) -> None:
    assert states([Page("http://a/", text=text)]) == []


def test_one_telephone_of_another_state_is_not_enough() -> None:
    """It may be that of whoever made the pages; two are the site's own."""
    own = "Ligue (81) 3333-4444 ou (81) 99999-1234."
    assert states([Page("http://a/", text=f"{own} Feito por (11) 3222-1111")]) == ["PE"]
    assert states([Page("http://a/", text=f"{own} Filial (11) 3222-1111 e (11) 3222-2222")]) == ["PE", "SP"]


def test_a_text_of_apostrophes_takes_no_longer_than_its_length() -> None:
    def seconds(size: int) -> float:
        begun = time.process_time()
        states([Page("http://a/", text="A'" * size)])
        return time.process_time() - begun

    seconds(100)
    assert seconds(80_000) <= 3 * 8 * max(seconds(10_000), 0.002)  # quadratic: 64 times
