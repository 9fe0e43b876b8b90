"""On a crawl of the made web: what folds and URL rules save together (table 4.5), and which host of a group to keep."""

import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from common import at_fpr, components
from protocol import RATES, table

from garimpo import dust, engine, webgen
from garimpo.archive import Store
from garimpo.crawl import Settings, crawl
from garimpo.crawl.learning.defaults import components_for
from garimpo.demo.mirrors import trees_of
from garimpo.mirrors import POLICIES, find
from garimpo.mirrors.kept_host import choose, facts, linking_domains
from garimpo.mirrors.page_scan import scan
from garimpo.url import host_column

ERRORS = (0.0, 0.1)
"""The error that URL rules may make, as in the source."""


class Crawled:
    """The pages and links of a crawl of a made web, and the truth about its hosts."""

    def __init__(self, folder, web):
        with Store.open(folder, write=False) as store:
            rows = pa.Table.from_batches(store.pages(["url", "status", "ip", "text_digest", "digest", "redirect", "fetched_at"]))
            self.links = pa.Table.from_batches(store.links(["source", "target"]))
        self.pages = rows.filter(pc.and_(pc.equal(rows["status"], 200), pc.is_null(rows["redirect"])))
        truth = webgen.truth(web)
        self.trees = trees_of(truth["mirrors"])
        self.kind = dict(zip(truth["hosts"]["host"].to_pylist(), truth["hosts"]["kind"].to_pylist()))
        self.contents = {}
        for host, content in zip(host_column(truth["pages"]["url"]).to_pylist(), truth["pages"]["content"].to_pylist()):
            self.contents.setdefault(host, set()).add(content)

    def are_copies(self, a, b):
        return a in self.trees and b in self.trees and self.trees[a].group == self.trees[b].group


def visit(pages, seed, profile="medium"):
    """Crawl a made web breadth first, learning nothing."""
    with tempfile.TemporaryDirectory() as folder:
        web, out = Path(folder) / "web", Path(folder) / "crawl"
        webgen.make(web, profile=profile, seed=seed)
        with webgen.serve(web) as server:
            settings = Settings(
                seeds=(web / "seeds.txt").read_text().split(), strategy="bfs", scope="all", max_pages=pages, delay=0.0,
                learn=False, connections_per_address=4, hosts=str(web / "hosts"), resolve_all=server.address,
                allow_private=True, seed=seed,
            )  # fmt: skip
            crawl(out, settings, components_for(settings))
        return Crawled(out, web)


def keeping(crawled):
    """Each policy on the true groups of hosts that were met: is the original kept, and what of the group's pages is there."""
    with engine.local() as local:
        found = scan(local, crawled.pages)
    groups = np.arange(len(found.hosts))
    first = {}
    for number, host in enumerate(found.hosts):
        if host in crawled.trees:
            groups[number] = first.setdefault(crawled.trees[host].group, number)
    members = {group: np.flatnonzero(groups == group) for group in np.unique(groups) if (groups == group).sum() > 1}
    known, rows = facts(found, linking_domains(found, crawled.links)), []
    for policy in POLICIES:
        kept = choose(groups, known, policy)
        original = [not crawled.kind[found.hosts[kept[g]]].startswith(("mirror:", "alias:")) for g in members]
        there = [_there(crawled, found.hosts[kept[g]], [found.hosts[m] for m in of]) for g, of in members.items()]
        rows.append([policy, f"{np.mean(original):.3f}", f"{np.mean(there):.3f}"])
    lines = [f"Which host of a group to keep, {len(members)} groups of copies met in {crawled.pages.num_rows:,} pages.", ""]
    return lines + table(["what decides first", "the original is kept", "of the group's pages it has"], rows)


def _there(crawled, kept, hosts):
    every = set().union(*(crawled.contents.get(host, set()) for host in hosts))
    return len(crawled.contents.get(kept, set()) & every) / max(len(every), 1)


def combination(crawled):
    """Duplicate URLs that go by folds, by URL rules, and by both, as in table 4.5; three ways to count folds."""
    urls = crawled.pages["url"].combine_chunks()
    hosts = np.array(host_column(urls).to_pylist(), object)
    content = crawled.pages["text_digest"].to_numpy()
    _, cluster, sizes = np.unique(content, return_inverse=True, return_counts=True)
    duplicate = (sizes[cluster] > 1) & (content != 0)
    pairs = find(crawled.pages, links=crawled.links)
    names = pairs.select(["host_a", "host_b"]).to_pylist()
    truth = np.array([crawled.are_copies(row["host_a"], row["host_b"]) for row in names])
    number = {host: i for i, host in enumerate(np.unique(hosts))}
    ends = np.array([[number[row["host_a"]], number[row["host_b"]]] for row in names])
    of_url = np.array([number[host] for host in hosts])
    intra = {error: _by_rules(crawled, urls, cluster, error) & duplicate for error in ERRORS}
    rows = [[f"URL rules alone, error {error}", *[f"{gone.sum() / duplicate.sum():.4f}"] * 3] for error, gone in intra.items()]
    score, found = pairs["score"].to_numpy(), {}
    for rate in (None, *RATES):
        chosen = truth if rate is None else at_fpr(truth, score, rate)
        pairs_of = {kind: chosen & truth if kind == "tp" else chosen for kind in KINDS}
        gone = {kind: _by_folds(ends, pairs_of[kind], of_url, cluster, kind) & duplicate for kind in KINDS}
        name = "true pairs" if rate is None else f"FPR {rate}"
        rows.append([f"folds, {name}", *(f"{gone[kind].sum() / duplicate.sum():.4f}" for kind in KINDS)])
        for error, by_rules in intra.items():
            both = {kind: (gone[kind] | by_rules).sum() / duplicate.sum() for kind in KINDS}
            found[rate, error] = [gone["keep1"].sum() / duplicate.sum(), by_rules.sum() / duplicate.sum(), both["keep1"]]
            rows.append([f"both, {name}, error {error}", *(f"{both[kind]:.4f}" for kind in KINDS)])
    head = f"Folds and URL rules together (table 4.5): share of {duplicate.sum():,} duplicate URLs among {len(urls):,} that go."
    return [head, "", *table(["what", *(f"RR_{kind}" for kind in KINDS)], rows)], found


KINDS = ("doc", "keep1", "tp")


def _by_rules(crawled, urls, cluster, error):
    """URLs whose key another URL of the same content had before."""
    rules = dust.learn(dust.clusters(crawled.pages), fpr_max=error)
    keys = rules.keys(urls)[0].dictionary_encode().indices.to_numpy()
    _, first, back = np.unique(keys, return_index=True, return_inverse=True)
    earlier = first[back]
    return (earlier != np.arange(len(keys))) & (cluster[earlier] == cluster)


def _by_folds(ends, chosen, of_url, cluster, kind):
    """URLs of hosts that go; but for `doc` the host with most URLs of a group stays, and only what stays somewhere counts."""
    hosts = int(of_url.max()) + 1
    gone = np.zeros(hosts, bool)
    gone[ends[chosen].ravel()] = True
    if kind != "doc":
        group = components(ends[chosen, 0], ends[chosen, 1], hosts)
        order = np.lexsort((-np.bincount(of_url, minlength=hosts), group))
        gone[order[np.r_[True, np.diff(group[order]) > 0]]] = False
        stays = np.zeros(cluster.max() + 1, bool)
        stays[cluster[~gone[of_url]]] = True
        return gone[of_url] & stays[cluster]
    return gone[of_url]
