"""How a made host is written down: its whole site, what a crawl saw of it, who links to it, and whether a fold is right."""

from itertools import combinations, count

import numpy as np
import pyarrow as pa

ALIKE = 0.9
"""Two hosts are copies, and a fold is right, if so much of what the smaller holds is the same on the other."""


class World:
    """Hosts with their sites (path -> content), and the rows that a crawl has of them."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self._contents, self._addresses, self._names = count(1), count(1), set()
        self.sites, self.rows, self.truth, self.edges = {}, [], set(), []
        self._clock = 0

    # what a site is made of

    def content(self):
        return next(self._contents)

    def new(self, paths):
        """Contents of their own for some paths."""
        return {path: self.content() for path in paths}

    def changed(self, site, share):
        """The same paths, a share of them with other contents."""
        return {path: self.content() if self.random.random() < share else content for path, content in site.items()}

    def pick(self, values, weights=None):
        return values[int(self.random.choice(len(values), p=weights))]

    def word(self, syllables=None):
        parts = [
            "ba",
            "ker",
            "lo",
            "mi",
            "ta",
            "ven",
            "ro",
            "sul",
            "da",
            "pe",
            "gri",
            "no",
            "xa",
            "fi",
            "lu",
            "zem",
            "or",
            "an",
            "ti",
            "que",
        ]
        return "".join(self.pick(parts) for _ in range(syllables or self.random.integers(2, 5)))

    def name(self):
        while (name := self.word(3) + self.pick(["", "", self.word(1)])) in self._names:
            pass
        self._names.add(name)
        return name

    def address(self):
        number = next(self._addresses)
        return f"{11 + number // 60000}.{number // 250 % 240}.{number % 240}.{number * 7 % 250}"

    # what a crawl saw

    def see(self, host, site, ip, known, fetched=0.8, changing=0.0, order=None, links=2.0, moved_to=None):
        """Write a host down: `known` of its URLs are, `fetched` of these were fetched; `changing` of these differ at each fetch.

        `order` gives a rank to a path (what a crawl meets first); without it any URL is as likely as another.
        """
        if host in self.sites:  # two towns of one name
            return
        paths = list(site)
        ranks = np.array([order(path) for path in paths], float) if order else np.zeros(len(paths))
        ranks += self.random.random(len(paths))
        kept = [paths[i] for i in np.argsort(ranks, kind="stable")[: max(1, round(known * len(paths)))]]
        self._clock += int(self.random.integers(1, 50))
        for path in kept:
            digest = None
            if self.random.random() < fetched:
                changes = self.random.random() < changing
                digest = int(self.random.integers(1, 2**62)) if changes else (site[path] * 0x9E3779B97F4A7C15) % 2**63
            moves = f"http://{moved_to}{path}" if moved_to and self.random.random() < 0.7 else None
            self.rows.append((f"http://{host}{path}", ip, digest, self._clock, moves))
        self.sites[host] = site
        self.edges += [
            (f"http://www.linker{i}.net/", f"http://{host}/") for i in self.random.choice(400, self.random.poisson(links))
        ]

    def copies(self, hosts):
        """These hosts are copies of each other."""
        self.truth |= {(min(pair), max(pair)) for pair in combinations(hosts, 2)}

    # tables

    @property
    def pages(self):
        urls, ips, digests, times, moves = (list(column) for column in zip(*self.rows))
        linkers = sorted({source for source, _ in self.edges})
        urls, ips, digests = urls + linkers, ips + [None] * len(linkers), digests + [None] * len(linkers)
        times, moves = times + [0] * len(linkers), moves + [None] * len(linkers)
        kinds = {"digest": pa.uint64(), "fetched_at": pa.timestamp("us", "UTC")}
        columns = {"url": urls, "ip": ips, "digest": digests, "fetched_at": times, "canonical": moves}
        return pa.table({name: pa.array(values, kinds.get(name, pa.string())) for name, values in columns.items()})

    @property
    def near(self):
        """Near-duplicates: what the pages say but for what changes at each fetch."""
        fetched = [(url, url.split("/", 3)) for url, _, digest, _, _ in self.rows if digest is not None]
        clusters = [self.sites[parts[2]]["/" + parts[3]] for _, parts in fetched]
        return pa.table({"id": [url for url, _ in fetched], "cluster": pa.array(clusters, pa.int64())})

    @property
    def links(self):
        return pa.table({"source": [a for a, _ in self.edges], "target": [b for _, b in self.edges]})

    def is_right(self, fold):
        """Whether what lies below the prefix of a fold is where the fold sends it."""
        ours, theirs = self.sites.get(fold["host"], {}), self.sites.get(fold["keep_host"], {})
        below = [(path, path[len(fold["prefix"]) :]) for path in ours if path.startswith(fold["prefix"])]
        return bool(below) and sum(theirs.get(fold["keep_prefix"] + rest) == ours[path] for path, rest in below) >= ALIKE * len(
            below
        )

    def check_truth(self):
        """The pairs called copies hold the same by their sites."""
        for a, b in self.truth:
            small, large = sorted((self.sites[a], self.sites[b]), key=len)
            contents = set(large.values())
            assert sum(content in contents for content in small.values()) >= ALIKE * len(small), (a, b)
