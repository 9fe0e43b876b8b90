"""Where a site's entities are: Brazilian states, from "City - UF" and from telephone area codes."""

import re
from collections.abc import Iterable

from garimpo.contract import Page
from garimpo.sites.text import STATES

_AREAS = {
    "SP": range(11, 20), "RJ": (21, 22, 24), "ES": (27, 28), "MG": (31, 32, 33, 34, 35, 37, 38), "PR": range(41, 47),
    "SC": (47, 48, 49), "RS": (51, 53, 54, 55), "DF": (61,), "GO": (62, 64), "TO": (63,), "MT": (65, 66), "MS": (67,),
    "AC": (68,), "RO": (69,), "BA": (71, 73, 74, 75, 77), "SE": (79,), "PE": (81, 87), "AL": (82,), "PB": (83,),
    "RN": (84,), "CE": (85, 88), "PI": (86, 89), "PA": (91, 93, 94), "AM": (92, 97), "RR": (95,), "AP": (96,),
    "MA": (98, 99),
}  # fmt: skip
AREA_CODES = {code: state for state, codes in _AREAS.items() for code in codes}

CITY_STATE = re.compile(r"\b[A-ZÀ-Ý][\wÀ-ÿ'’]+\s*(?:[-–/,(]\s*)?\b(" + "|".join(sorted(STATES)) + r")\b")
PHONE = re.compile(r"(?<!\d)(?:\+?55\s*)?\(?0?([1-9][1-9])\)?[\s.-]*(9?\d{4})[\s.-]?(\d{4})(?!\d)")


def states(pages: Iterable[Page]) -> list[str]:
    """The states that a site's pages name, sorted.

    >>> states([Page("http://a/", text="Boa Viagem, Recife - PE. Ligue (11) 98765-4321")])
    ['PE', 'SP']
    """
    found: set[str] = set()
    for page in pages:
        found |= set(CITY_STATE.findall(page.text))
        found |= {AREA_CODES[int(area)] for area, _, _ in PHONE.findall(page.text) if int(area) in AREA_CODES}
    return sorted(found)
