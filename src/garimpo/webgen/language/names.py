"""Names a world makes up: people, towns, brands, and host names that are told apart by nothing but their letters."""

from functools import lru_cache

from garimpo.webgen.language.chance import Dice, number, pick

ONSETS = "b br c ch d dr f fl g gr h j k l m n p pr qu r s st t tr v w z".split()
VOWELS = "a e i o u ai ea ei io ou a e i o".split()
CODAS = ["", "", "", "", "", "n", "r", "s", "l", "m"]
FIRST = """Ana Bruno Carla Daniel Elisa Fabio Gloria Hugo Ines Jonas Karen Luis Marta Nuno Olivia Paulo Rita Sergio Tania Vasco
Alice Brian Clara David Emma Frank Grace Henry Irene Jack Laura Martin Nora Oscar Peter Rose Simon Tess Victor Wendy""".split()
STATES = "AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO".split()
AREA_CODES = {
    "SP": "11 13 19", "RJ": "21 22 24", "ES": "27 28", "MG": "31 32 35", "PR": "41 43", "SC": "47 48", "RS": "51 54", "DF": "61",
    "GO": "62 64", "TO": "63", "MT": "65", "MS": "67", "AC": "68", "RO": "69", "BA": "71 73", "SE": "79", "PE": "81 87",
    "AL": "82", "PB": "83", "RN": "84", "CE": "85 88",
    "PI": "86", "PA": "91 93", "AM": "92", "RR": "95", "AP": "96", "MA": "98",
}  # fmt: skip


def word(seed: int, *what: object, syllables: int = 2) -> str:
    """A word that no dictionary has but a reader can say.

    >>> word(1, "x") == word(1, "x") and word(1, "x").isalpha()
    True
    """
    bits = number(seed, "word", *what)
    made = []
    for _ in range(syllables):
        made.append(ONSETS[bits % len(ONSETS)] + VOWELS[(bits >> 8) % len(VOWELS)] + CODAS[(bits >> 16) % len(CODAS)])
        bits = bits >> 20 | (bits & 0xFFFFF) << 44
    return "".join(made)


@lru_cache(maxsize=4096)
def person(seed: int, index: int) -> str:
    """A first name and a made family name."""
    return f"{pick(FIRST, seed, 'first', index)} {word(seed, 'family', index).capitalize()}"


def town(seed: int, index: int) -> str:
    """A town of this world."""
    prefix = pick(("", "", "São ", "Nova ", "Porto ", "Campo ", "Vila "), seed, "town prefix", index)
    return prefix + word(seed, "town", index).capitalize()


def phone(dice: Dice, state: str) -> str:
    """A telephone number with the area code of a Brazilian state."""
    return f"({dice.one(AREA_CODES[state].split())}) {dice.between(2000, 9999)}-{dice.between(1000, 9999)}"
