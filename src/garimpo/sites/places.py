"""Where a site's entities are: Brazilian states, from "City - UF" and from telephone area codes."""

import re
from collections.abc import Iterable

from garimpo.contract import Page
from garimpo.sites.site_text import STATES

_AREAS = {
    "SP": range(11, 20), "RJ": (21, 22, 24), "ES": (27, 28), "MG": (31, 32, 33, 34, 35, 37, 38), "PR": range(41, 47),
    "SC": (47, 48, 49), "RS": (51, 53, 54, 55), "DF": (61,), "GO": (62, 64), "TO": (63,), "MT": (65, 66), "MS": (67,),
    "AC": (68,), "RO": (69,), "BA": (71, 73, 74, 75, 77), "SE": (79,), "PE": (81, 87), "AL": (82,), "PB": (83,),
    "RN": (84,), "CE": (85, 88), "PI": (86, 89), "PA": (91, 93, 94), "AM": (92, 97), "RR": (95,), "AP": (96,),
    "MA": (98, 99),
}  # fmt: skip
AREA_CODES = {code: state for state, codes in _AREAS.items() for code in codes}

CITY_STATE = re.compile(
    r"\b([A-ZÀ-Ý][\wÀ-ÿ'’]{1,40})(\s{0,9}[-–/,(]\s{0,9}|\s{1,9})(" + "|".join(sorted(STATES)) + r")\b(?!\s+[a-zà-ý])"
)
"""A town and a state; "SE vende" and "PA ra" go on in small letters, so they are none."""
PHONE = re.compile(
    r"(?<![\d.,/-])(?:\+55\s*)?(?:\(0?([1-9][1-9])\)\s*|0([1-9][1-9])\s+|([1-9][1-9])\s+)(9\d{4}|[2-5]\d{3})[\s.-]?(\d{4})(?![\d/-])"
)
"""An area code and a number that a telephone can have: 0800 has none, and years are no numbers."""
YEAR = re.compile(r"(?:19|20)\d\d$")
NO_TOWN = frozenset("PARA EM DE DO DA NO NA COM POR OU E SEM ATE ATÉ SOBRE".split())  # noqa: SIM905
TWICE = 2
"""A state needs a town with it, or this many telephones: one alone may be that of whoever made the page."""


def states(pages: Iterable[Page]) -> list[str]:
    """The states that a site's pages name, sorted.

    Args:
        pages: Some pages of the site.

    >>> states([Page("http://a/", text="Boa Viagem, Recife - PE. Ligue (11) 98765-4321")])
    ['PE', 'SP']
    """
    named: set[str] = set()
    phones: dict[str, set[str]] = {}
    for page in pages:
        named |= {state for town, gap, state in CITY_STATE.findall(page.text) if _is_town(town, gap)}
        for *areas, start, end in PHONE.findall(_without_toll_free(page.text)):
            state = AREA_CODES.get(int("".join(areas)))
            if state is not None and not (YEAR.match(start) and YEAR.match(end)):
                phones.setdefault(state, set()).add(start + end)
    return sorted(named | {state for state, numbers in phones.items() if len(numbers) >= TWICE or len(phones) == 1})


def _is_town(word: str, gap: str) -> bool:
    """Whether a word before a state's code is a town: no preposition, and in capitals only where a mark stands between."""
    return word.upper() not in NO_TOWN and (bool(gap.strip()) or not word.isupper())


def _without_toll_free(text: str) -> str:
    return re.sub(r"\b0[3589]00[\s.-]*\d{2,4}(?:[\s.-]*\d{2,4}){0,2}", " ", text)
