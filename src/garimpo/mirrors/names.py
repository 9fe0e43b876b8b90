"""What host names alone say: which pairs differ by `www.`, by the top of the domain, by a number, or stand on one site."""

import re
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from garimpo.mirrors.blocking import Candidates
from garimpo.mirrors.page_scan import Array
from garimpo.url import site
from garimpo.url.addresses import is_address


@dataclass(slots=True)
class Names:
    """For each host, numbers that are equal for hosts equal in some respect; 0 where the respect has no meaning."""

    bare: Array  # without a leading www.
    stem: Array  # without the public suffix: all but the top of the domain
    unnumbered: Array  # without digits
    site: Array

    @classmethod
    def of(cls, hosts: list[str]) -> "Names":
        """Look at each name once."""
        sites = [site(host) for host in hosts]
        labels = [name.split(".")[0] if "." in name and not is_address(name) else "" for name in sites]
        stems = [host[: len(host) - len(s)] + label if label else "" for host, s, label in zip(hosts, sites, labels)]
        return cls(
            bare=_codes([host.removeprefix("www.") for host in hosts]),
            stem=_codes(stems),
            unnumbered=_codes(["" if is_address(host) else re.sub(r"\d+", "", host) for host in hosts]),
            site=_codes(sites),
        )

    def same(self, respect: str, pairs: Candidates) -> Array:
        """Where the two hosts of a pair are equal in a respect."""
        codes = getattr(self, respect)
        return (codes[pairs.first] == codes[pairs.second]) & (codes[pairs.first] > 0)


def _codes(texts: list[str]) -> Array:
    """A number for each distinct text, 0 for the empty one."""
    encoded = pa.array(texts, pa.string()).dictionary_encode()
    empty = [text == "" for text in encoded.dictionary.to_pylist()]
    numbers = np.where(empty, 0, np.arange(1, len(empty) + 1))
    return numbers[encoded.indices.to_numpy()] if len(texts) else np.zeros(0, np.int64)


def obvious_copies(names: Names, pairs: Candidates) -> Array:
    """Pairs whose names differ by a leading `www.` only, or by the top of the domain only (`x.gov.br`, `x.br`)."""
    return names.same("bare", pairs) | names.same("stem", pairs)


def obvious_strangers(hosts: int, pairs: Candidates, wanted: int, seed: int) -> Candidates:
    """Random pairs that are no candidates: they share neither a path nor a content."""
    random = np.random.default_rng(seed)
    if hosts < 2:
        return Candidates(np.zeros(0, np.int32), np.zeros(0, np.int32))
    drawn = np.sort(random.integers(0, hosts, (2 * wanted + 100, 2)), axis=1)
    drawn = drawn[drawn[:, 0] < drawn[:, 1]]
    keys = np.unique(drawn[:, 0] * hosts + drawn[:, 1])
    taken = pairs.first.astype(np.int64) * hosts + pairs.second
    keys = random.permutation(keys[~np.isin(keys, taken)])[:wanted]
    keys.sort()
    return Candidates((keys // hosts).astype(np.int32), (keys % hosts).astype(np.int32))
