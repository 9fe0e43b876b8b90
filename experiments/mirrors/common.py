"""Made collections with truth, as the source had them, and its measures, tie-aware."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import numpy as np
import pyarrow.parquet as pq
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score

from garimpo import engine
from garimpo.mirrors import find
from garimpo.mirrors.blocking import Candidates, candidates, overlap, shared
from garimpo.mirrors.names import Names, obvious_copies, obvious_strangers
from garimpo.mirrors.page_scan import scan
from garimpo.mirrors.pair_features import cosine, features, matrix, name_segments, names_apart, same_address
from garimpo.mirrors.thesis.bins import Bins
from garimpo.webgen.tables.mirror_hosts import IN_REPLICAS
from garimpo.webgen.tables.mirrors import make

LABELLED = 60_000
"""Candidates that have a label, at most; the source had 1.6 of 111 million."""
SEEDS, NEGATIVES = 50_000 / 583_411, 0.5
"""Positive seeds for each host, and negative ones for each labelled pair, as many as the source had."""
OBVIOUS = ("www", "suffix")
"""What makes copies that are obvious by their names."""
WAYS = {"frequency": ("frequency", "strangers"), "width": ("equal", "apart")}
"""Intervals with as many pairs each, and negative seeds that share nothing (the defaults of the command); or intervals as wide as
each other, and negative seeds that share a path and no content."""
MAX_LIST, UNCAPPED = 100, 2_000
"""Lists are hardly capped here, as in the source."""


@dataclass
class Collection:
    """Labelled candidate pairs of one made collection: the five features, truth, seeds, baselines, and some counts."""

    hosts: int
    first: np.ndarray
    second: np.ndarray
    values: np.ndarray
    truth: np.ndarray
    obvious: np.ndarray
    strangers: np.ndarray  # features of pairs that share nothing
    apart: np.ndarray  # features of pairs that share a path that was fetched on both, and no content
    own: np.ndarray  # scores of the package's own method
    normpaths: np.ndarray
    jaccard: np.ndarray
    sizes: np.ndarray  # URLs of each host
    urls: np.ndarray  # digest, host of every fetched URL whose digest another URL has too
    facts: dict
    seeds: np.ndarray = field(default_factory=lambda: np.zeros((0, 5)))  # features of obvious pairs of another collection

    @property
    def prevalence(self):
        return float(self.truth.mean())


def tables(seed, hosts, prevalence, folder):
    """The pages and the true pairs of a made collection."""
    made = make(Path(folder), seed, hosts, prevalence)
    truth = pq.read_table(Path(folder) / "truth.parquet")
    true = {(row["host_a"], row["host_b"]) for row in truth.filter(truth["replica"]).to_pylist()}
    return pq.read_table(Path(folder) / "pages.parquet"), true, made


def collect(seed, hosts, prevalence):
    """A collection as the source had it: candidates share a content; a random part of them is labelled, with as many copies."""
    with tempfile.TemporaryDirectory() as folder:
        pages, true, _ = tables(seed, hosts, prevalence, folder)
    with engine.local() as local:
        found = scan(local, pages)
    pairs = candidates(found, ("digest",), UNCAPPED, min_weight=-1e9)
    number = {host: i for i, host in enumerate(found.hosts)}
    keys = np.array([number[a] * len(number) + number[b] for a, b in true])
    truth = np.isin(_keys(pairs, number), keys)
    by_path = candidates(found, ("path",), UNCAPPED, min_weight=-1e9)
    facts = _facts(found, pairs, by_path, keys, number) | {"candidates": len(pairs), "kept": truth.sum() / len(true)}
    random = np.random.default_rng(seed)
    chosen = _labelled(truth, prevalence, random)
    names = Names.of(found.hosts)
    far = obvious_strangers(len(found.hosts), pairs, int(NEGATIVES * len(chosen)), seed)
    of_far = names_apart(found.hosts, far), cosine(*name_segments(found.hosts), far)
    strangers = np.column_stack([*of_far, same_address(found, far, 0), same_address(found, far, 1), np.zeros(len(far))])
    clusters = found.lists["digest"]
    of_host, common = np.diff(clusters.starts), overlap(clusters, pairs).count
    jaccard = common / np.maximum(of_host[pairs.first] + of_host[pairs.second] - common, 1)
    labelled = _part(found, pairs, chosen)
    return Collection(
        len(number), labelled.first, labelled.second, matrix(features(found, labelled)), truth[chosen],
        obvious_copies(names, labelled), strangers, _apart(found, by_path, names, int(NEGATIVES * len(chosen)), random),
        _own(pages, number, pairs)[chosen], _normpaths(pages, number, pairs)[chosen], jaccard[chosen],
        found.urls, _duplicates(pages, number), facts,
    )  # fmt: skip


def _labelled(truth, prevalence, random):
    """Some candidates at random, so that just the wanted part of them are copies."""
    copies, others = random.permutation(np.flatnonzero(truth)), random.permutation(np.flatnonzero(~truth))
    each = (1 - prevalence) / prevalence
    count = int(min(len(copies), len(others) / each, LABELLED * prevalence))
    return np.sort(np.concatenate([copies[:count], others[: round(each * count)]]))


def _part(found, pairs, chosen):
    """Some of the candidates, with what they share."""
    part = Candidates(pairs.first[chosen], pairs.second[chosen])
    part.shared = {kind: shared(found.lists[kind], part, MAX_LIST) for kind in pairs.shared}
    return part


def _apart(found, by_path, names, wanted, random):
    """Features of pairs with a common path, fetched on both, and no common content."""
    drawn = _part(found, by_path, np.sort(random.permutation(len(by_path))[: 4 * wanted]))
    table = features(found, drawn)
    apart = (table["both"] > 0) & (table["digests"] == 0) & ~obvious_copies(names, drawn)
    return matrix(table)[apart][:wanted]


def obvious_seeds(seed, wanted):
    """Features of obvious copies that share a content, from a web whose copies are all obvious."""
    size = max(300, round(2.8 * wanted / IN_REPLICAS))
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), seed, size, 0.05, OBVIOUS)
        pages = pq.read_table(Path(folder) / "pages.parquet")
    with engine.local() as local:
        found = scan(local, pages)
    pairs = candidates(found, ("digest",), MAX_LIST, min_weight=-1e9)
    sure = _part(found, pairs, np.flatnonzero(obvious_copies(Names.of(found.hosts), pairs)))
    return matrix(features(found, sure))[:wanted]


def _keys(pairs, number):
    return pairs.first.astype(np.int64) * len(number) + pairs.second


def _facts(found, by_content, by_path, true, number):
    """What the source tells of its collection: candidates by evidence, sizes of clusters and of hosts."""
    product = candidates(found)
    copies = np.zeros(len(number), bool)
    copies[true // len(number)] = copies[true % len(number)] = True
    sizes = np.unique(found.lists["digest"].items, return_counts=True)[1]
    every = len(number) * (len(number) - 1) / 2
    return {
        "blocking recall": np.isin(true, _keys(product, number)).mean(),
        "blocking share": len(product) / every,
        "share of all pairs": len(by_content) / every,
        "by path": len(by_path),
        "by content": len(by_content),
        "cluster hosts": {f"{q:g} %": int(np.percentile(sizes, q)) for q in (50, 90, 99, 100)},
        "urls of copies": found.urls[copies].mean(),
        "urls of others": found.urls[~copies].mean(),
    }


def _normpaths(pages, number, pairs):
    """Sum over shared (path, signature) of 1 / hosts that have it."""
    query = """with t as (select distinct regexp_extract(url, '://([^/]+)', 1) as host,
                      regexp_extract(url, '://[^/]+(.*)', 1) as path, digest from pages where digest is not null),
               l as (select path, digest, count(*) as n from t group by path, digest having count(*) between 2 and 2000)
               select a.host as a, b.host as b, sum(1.0 / l.n) as rsim from l join t a using (path, digest)
               join t b using (path, digest) where a.host < b.host group by a.host, b.host"""
    rows = duckdb.sql(query).to_arrow_table()
    return _scores_of(pairs, number, rows["a"], rows["b"], rows["rsim"])


def _own(pages, number, pairs):
    """The probability by the package's own method; what is no candidate there has none."""
    found = find(pages)
    return _scores_of(pairs, number, found["host_a"], found["host_b"], found["score"])


def _scores_of(pairs, number, first, second, scores):
    """Scores that are given by names, for some pairs; 0 where there is none."""
    keys = np.array([number[a] * len(number) + number[b] for a, b in zip(first.to_pylist(), second.to_pylist())], np.int64)
    order, wanted = np.argsort(keys), _keys(pairs, number)
    at = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
    return np.where(keys[order][at] == wanted, scores.to_numpy()[order][at], 0.0)


def _duplicates(pages, number):
    query = """select digest, regexp_extract(url, '://([^/]+)', 1) as host from pages where digest in
               (select digest from pages where digest is not null group by digest having count(*) >= 2)"""
    rows = duckdb.sql(query).to_arrow_table()
    digests = np.unique(rows["digest"].to_numpy(), return_inverse=True)[1]
    return np.column_stack([digests, [number[host] for host in rows["host"].to_pylist()]])


def binned(collection, train, way):
    """All pairs, the positive and the negative seeds in bins that were fitted on the training pairs; `way` is one of WAYS."""
    width, negatives = WAYS[way]
    bins = Bins(width=width).fit(collection.values[train])
    return tuple(bins.transform(part) for part in (collection.values, collection.seeds, getattr(collection, negatives)))


def auc(y, scores):
    return float(roc_auc_score(y, scores))


def ap(y, scores):
    return float(average_precision_score(y, scores))


def precision_at(y, scores, recall, total=None):
    """The best precision at that recall or more; recall counts `total` true pairs."""
    precision, found, _ = precision_recall_curve(y, scores)
    found = found * y.sum() / (total or y.sum())
    return float(precision[found >= recall].max()) if (found >= recall).any() else 0.0


def rdr(y, scores, k, draws=1000, seed=0):
    """Mean reciprocal rank of a true pair among k others, expected under random order of ties."""
    random = np.random.default_rng(seed)
    negatives = np.sort(scores[~y])
    out = []
    for score in random.choice(scores[y], draws):
        drawn = random.choice(negatives, k)
        above, equal = int((drawn > score).sum()), int((drawn == score).sum())
        out.append(np.mean(1.0 / (above + 1 + np.arange(equal + 1))))
    return float(np.mean(out))


def at_fpr(y, scores, rate):
    """The pairs down to the score that lets in this share of the strangers."""
    strangers = np.sort(scores[~y])[::-1]
    return scores > strangers[int(rate * len(strangers))]


def components(first, second, size):
    """The group of each host when pairs are chained."""
    return connected_components(coo_matrix((np.ones(len(first)), (first, second)), (size, size)), directed=False)[1]


def dropped_hosts(collection, chosen, keep_one):
    """The hosts that go: both of every chosen pair, or all of a group but its largest."""
    first, second = collection.first[chosen], collection.second[chosen]
    gone = np.zeros(collection.hosts, bool)
    gone[first] = gone[second] = True
    if keep_one:
        group = components(first, second, collection.hosts)
        order = np.lexsort((-collection.sizes, group))
        gone[order[np.r_[True, np.diff(group[order]) > 0]]] = False
    return gone


def reduction(collection, chosen, kind):
    """Share of the duplicate URLs that go: `doc` drops both hosts of a pair; `keep1` keeps one host of each group and counts
    only pages that stay somewhere; `tp` is `keep1` over true pairs alone."""
    gone = dropped_hosts(collection, chosen & collection.truth if kind == "tp" else chosen, kind != "doc")
    digests, hosts = collection.urls.T
    if kind == "doc":
        return float(gone[hosts].mean())
    stays = np.zeros(digests.max() + 1, bool)
    stays[digests[~gone[hosts]]] = True
    return float((gone[hosts] & stays[digests]).mean())
