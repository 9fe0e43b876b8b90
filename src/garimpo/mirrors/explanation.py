"""Why a pair of hosts was judged as it was: its evidence, weighed; or the rules that voted."""

import os
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from garimpo.contract import BadInput, read_table
from garimpo.contract.tables import HOST_PAIRS
from garimpo.mirrors.folding import speaking
from garimpo.mirrors.pair_features import SOURCE
from garimpo.mirrors.thesis.lac import LAC
from garimpo.url import host

_MEANING = {
    "content": "contents of both at places of one name, the rarer the better, and their share of what was fetched",
    "agreement": "of the paths fetched on both, how many show the same",
    "missing": "sections of one where the other has no path, though elsewhere they share most",
    "paths": "paths that both have, as a share of the smaller host; the less the more pages were compared",
    "name": "names that differ by www., by the top of the domain or by a number only",
    "address": "whether they stand on one address that few others share, or on different networks",
    "redirect": "pages of one that redirect to the other, or call it canonical",
    "titles": "titles on common paths",
    "links": "sites that link to both, and sites both link to",
    "rarity": "how rare copies are among pairs that share as much, by how alike pairs are that are surely copies",
    "doubt": "taken off because few compared pages agree",
}
_SHOWN: dict[str, tuple[str, ...]] = {
    "content": ("tails", "digests"), "agreement": ("same", "both", "near_same"), "paths": ("paths", "contained"),
    "missing": ("common", "inside_a", "urls_a", "inside_b", "urls_b"), "name": ("ndist",), "address": ("ip4", "ip3"),
    "redirect": ("redirects",), "titles": ("titles_same", "titles_both"), "links": ("inlinks", "outlinks"),
}  # fmt: skip
"""The columns that tell more of each kind of evidence."""
MOST_RULES = 8


class Reason(NamedTuple):
    """One thing that speaks for a pair (positive weight) or against it, in bits."""

    what: str
    weight: float
    meaning: str


class Explanation(NamedTuple):
    """A pair with its features, its score and what led to it."""

    pair: dict[str, Any]
    reasons: list[Reason]

    def lines(self) -> list[str]:
        """For a terminal."""
        pair = self.pair
        verdict = f"copies (kept: {pair['keep_host']})" if pair["replica"] else "no copies"
        out = [f"{pair['host_a']}  {pair['host_b']}: {verdict}, score {pair['score']:.4f}"]
        out.append("features: " + "  ".join(f"{name} {pair[name]:.4g}" for name in SOURCE))
        out += [f"  {reason.weight:+7.2f} bits  {reason.what}: {reason.meaning}" for reason in self.reasons]
        return out


def explain(path: str | os.PathLike[str] | pa.Table, host_a: str, host_b: str) -> Explanation:
    """What `find` knew about a pair. Hosts may come in any order."""
    if isinstance(path, pa.Table):
        table, where = path, "host pairs"
    else:
        table, where = read_table(path, HOST_PAIRS.names, _extra_names(path)), str(path)
        _check_numbers(table, where)
    first, second = sorted((_host(host_a), _host(host_b)))
    rows = table.filter(pc.and_(pc.equal(table["host_a"], first), pc.equal(table["host_b"], second)))
    if not rows.num_rows:
        raise BadInput(f"{where}: no pair {first} {second}: they share no path and no content that few hosts have")
    pair = rows.slice(0, 1).to_pylist()[0]
    return Explanation(pair, _reasons(table, pair))


def _reasons(table: pa.Table, pair: dict[str, Any]) -> list[Reason]:
    if "likeness" in pair:
        told = f"{pair['same']:.0f} of the {pair['both']:.0f} pages that were fetched under one path on both are equal"
        return [
            Reason("normpaths", float(np.log2(max(pair["likeness"], 1e-9))), f"{told}: {pair['likeness']:.4g} by 1/hosts each")
        ]
    return weighed(pair) if "weight_paths" in pair else _voted(table, pair)


def _host(given: str) -> str:
    """A host as the table names it: a URL, an IDN or capitals will do."""
    return host(given if "://" in given else f"http://{given}/") or given.lower()


def _extra_names(path: str | os.PathLike[str]) -> list[str]:
    import pyarrow.parquet as pq

    try:
        return list(pq.read_schema(path).names)
    except (OSError, pa.ArrowInvalid):
        return []  # read_table says what is wrong


def _check_numbers(table: pa.Table, where: str) -> None:
    shown = {name for several in _SHOWN.values() for name in several}
    for field in table.schema:
        is_number = any(test(field.type) for test in (pa.types.is_integer, pa.types.is_floating, pa.types.is_null))
        if (field.name.startswith("weight_") or field.name in shown | {*SOURCE, "score"}) and not is_number:
            raise BadInput(f"{where}: column {field.name} is {field.type}, no number")


def weighed(pair: dict[str, Any]) -> list[Reason]:
    """The evidence of the room's own method, the heaviest first."""
    weights = {name.removeprefix("weight_"): value for name, value in pair.items() if name.startswith("weight_")}
    speaks = speaking(pair)
    reasons = []
    for kind, weight in weights.items():
        note = _MEANING[kind] + _detail(kind, pair) + ("" if kind not in speaks else " [counts for a fold]")
        reasons.append(Reason(kind, float(weight / np.log(2.0)), note))
    return sorted(reasons, key=lambda reason: -abs(reason.weight))


def _detail(kind: str, pair: dict[str, Any]) -> str:
    values = [f"{name} {pair[name]:.3g}" for name in _SHOWN.get(kind, ()) if pair.get(name) is not None]
    return f" ({', '.join(values)})" if values else ""


def _voted(table: pa.Table, pair: dict[str, Any]) -> list[Reason]:
    """The rules that vote on a pair, counted over all pairs with the labels that the method gave them; of pnu, those of both."""
    features = np.column_stack([table[name].to_numpy() for name in SOURCE]).astype(np.float64)
    modes = [mode for mode in ("pu", "nu") if f"{mode}_label" in table.column_names]
    width = "equal" if pair.get("bins") == "equal-width" else "frequency"
    reasons = []
    for mode in modes:
        labels = table[f"{mode}_label"].to_numpy().astype(int)
        if len(np.unique(labels)) < 2:
            continue
        votes = LAC(width=width).fit(features, labels).explain([float(pair[name]) for name in SOURCE], list(SOURCE))
        for vote in votes[: MOST_RULES // len(modes)]:
            odds = np.log2((vote.positive + 0.5) / (vote.negative + 0.5))
            when = ", ".join(f"{name} in {interval}" for name, interval in vote.antecedent.items())
            counted = f"{vote.positive:.0f} copies, {vote.negative:.0f} others"
            reasons.append(Reason(f"{mode} rule", float(odds), f"if {when}: {counted}"))
    return reasons
