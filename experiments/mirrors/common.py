"""Made collections with truth, rankings by every method, and the measures of the source, tie-aware."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import pyarrow.parquet as pq
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score

from garimpo import engine
from garimpo.mirrors.bins import Bins
from garimpo.mirrors.candidates import Candidates, candidates, overlap
from garimpo.mirrors.features import cosine, features, matrix, name_segments, names_apart, same_address
from garimpo.mirrors.names import Names, obvious_copies, obvious_strangers
from garimpo.mirrors.scan import Scan, scan
from garimpo.webgen.tables.mirrors import make


@dataclass
class Collection:
    """Candidate pairs of one made collection: the five features, binned; truth; seeds; baselines."""

    found: Scan
    pairs: Candidates
    table: dict
    values: np.ndarray
    truth: np.ndarray
    obvious: np.ndarray
    strangers: np.ndarray
    normpaths: np.ndarray
    jaccard: np.ndarray
    urls: np.ndarray  # digest, host of every fetched URL whose digest another URL has too
    true_pairs: int

    @property
    def prevalence(self):
        return float(self.truth.mean())


def tables(seed, hosts, prevalence, folder):
    """The pages and the true pairs of a made collection."""
    made = make(Path(folder), seed, hosts, prevalence)
    truth = pq.read_table(Path(folder) / "truth.parquet")
    true = {(row["host_a"], row["host_b"]) for row in truth.filter(truth["replica"]).to_pylist()}
    return pq.read_table(Path(folder) / "pages.parquet"), true, made


def collect(seed, hosts, prevalence, block_on=("digest",), max_list=2_000):
    """A collection as the source had it: candidates share a content; lists are hardly capped."""
    with tempfile.TemporaryDirectory() as folder:
        pages, true, _ = tables(seed, hosts, prevalence, folder)
    with engine.local() as local:
        found = scan(local, pages)
    pairs = candidates(found, block_on, max_list, min_weight=-1e9)
    table = features(found, pairs)
    names = Names.of(found.hosts)
    number = {host: i for i, host in enumerate(found.hosts)}
    keys = np.array([number[a] * len(number) + number[b] for a, b in true])
    truth = np.isin(pairs.first.astype(np.int64) * len(number) + pairs.second, keys)
    obvious = obvious_copies(names, pairs)
    far = obvious_strangers(len(found.hosts), pairs, int((~obvious).sum()), seed)
    none = np.zeros(len(far))
    strangers = np.column_stack(
        [names_apart(found.hosts, far), cosine(*name_segments(found.hosts), far), same_address(found, far, 0),
         same_address(found, far, 1), none]
    )  # fmt: skip
    clusters = found.lists["digest"]
    sizes, shared = np.diff(clusters.starts), overlap(clusters, pairs).count
    union = sizes[pairs.first] + sizes[pairs.second] - shared
    return Collection(
        found, pairs, table, matrix(table), truth, obvious, strangers,
        _normpaths(pages, number, pairs), shared / np.maximum(union, 1), _duplicates(pages, number), len(true),
    )  # fmt: skip


def _normpaths(pages, number, pairs):
    """Sum over shared (path, signature) of 1 / hosts that have it."""
    query = """with t as (select distinct regexp_extract(url, '://([^/]+)', 1) as host,
                      regexp_extract(url, '://[^/]+(.*)', 1) as path, digest from pages where digest is not null),
               l as (select path, digest, count(*) as n from t group by path, digest having count(*) between 2 and 2000)
               select a.host as a, b.host as b, sum(1.0 / l.n) as rsim from l join t a using (path, digest)
               join t b using (path, digest) where a.host < b.host group by a.host, b.host"""
    rows = duckdb.sql(query).to_arrow_table()
    hosts = len(number)
    keys = np.array([number[a] * hosts + number[b] for a, b in zip(rows["a"].to_pylist(), rows["b"].to_pylist())], np.int64)
    order = np.argsort(keys)
    wanted = pairs.first.astype(np.int64) * hosts + pairs.second
    at = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
    return np.where(keys[order][at] == wanted, rows["rsim"].to_numpy()[order][at], 0.0)


def _duplicates(pages, number):
    query = """select digest, regexp_extract(url, '://([^/]+)', 1) as host from pages where digest in
               (select digest from pages where digest is not null group by digest having count(*) >= 2)"""
    rows = duckdb.sql(query).to_arrow_table()
    digests = np.unique(rows["digest"].to_numpy(), return_inverse=True)[1]
    return np.column_stack([digests, [number[host] for host in rows["host"].to_pylist()]])


def binned(collection, train):
    """All pairs and the negative seeds in bins that were fitted on the training pairs."""
    bins = Bins().fit(collection.values[train])
    return bins.transform(collection.values), bins.transform(collection.strangers)


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
    allowed = int(rate * len(strangers))
    return scores > strangers[allowed]


def reduction(collection, chosen, kind):
    """Share of the duplicate URLs that go: `doc` drops both hosts of a pair, `keep1` keeps one host of each group."""
    first, second = collection.pairs.first[chosen], collection.pairs.second[chosen]
    digests, hosts = collection.urls.T
    gone = np.zeros(len(collection.found.hosts), bool)
    if kind == "doc":
        gone[first] = gone[second] = True
        return float(gone[hosts].mean())
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    size = len(gone)
    group = connected_components(coo_matrix((np.ones(len(first)), (first, second)), (size, size)), directed=False)[1]
    order = np.lexsort((-collection.found.urls, group))
    kept = np.zeros(size, bool)
    kept[order[np.r_[True, np.diff(group[order]) > 0]]] = True
    gone = ~kept
    stays = np.zeros(digests.max() + 1, bool)
    stays[digests[~gone[hosts]]] = True
    return float((gone[hosts] & stays[digests]).mean())
