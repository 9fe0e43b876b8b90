"""States from cities and telephone numbers."""

import pytest

from garimpo.contract import Page
from garimpo.sites.places import AREA_CODES, states


@pytest.mark.parametrize(
    "text", ["Recife - PE", "Recife/PE", "São Paulo, SP", "Boa Viagem (PE)", "João Pessoa PB"]
)
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
