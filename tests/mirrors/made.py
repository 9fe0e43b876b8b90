"""A small made web of hosts with known copies, and with strangers that look like copies; the same for a seed."""

from itertools import combinations, count

import numpy as np
import pyarrow as pa

WORDS = [
    "casa", "rio", "pedra", "mar", "sol", "lua", "flor", "vento", "terra", "fogo", "ouro", "prata", "ponte", "porta", "livro",
    "mesa", "campo", "serra", "mata", "chuva",
]  # fmt: skip
SHELVES = ["noticias", "produtos", "artigos", "fotos", "agenda", "equipe", "cursos", "obras"]
CMS = ["/index.php", "/contato.html", "/sobre.html", "/feed", "/robots.txt", "/wp-login.php", "/mapa.html", "/busca"]


class Maker:
    """Draws sites, puts them on hosts, and crawls a part of each."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.contents = count(1)
        self.rows, self.truth, self.kinds = [], set(), {}
        self.addresses = count(1)
        self.boilerplate = {path: int(self.random.integers(1, 2**62)) for path in CMS}

    def name(self):
        return "".join(self.random.choice(WORDS, 2)) + str(self.random.integers(1000))

    def address(self):
        n = next(self.addresses)
        return f"10.{n // 65000}.{n // 250 % 256}.{n % 250}"

    def site(self, size=None):
        """Path -> content of a whole site, shallow pages first."""
        size = size or int(np.clip(self.random.lognormal(4.2, 0.9), 8, 800))
        pages = {"/": next(self.contents)}
        for path in self.random.choice(CMS, 4, replace=False):
            pages[str(path)] = self.boilerplate[str(path)] if self.random.random() < 0.5 else next(self.contents)
        while len(pages) < size:
            shelf, word = self.random.choice(SHELVES), self.random.choice(WORDS)
            depth = self.random.integers(1, 4)
            folders = "/".join([str(shelf), *map(str, self.random.choice(WORDS, depth - 1))])
            pages[f"/{folders}/{word}-{self.random.integers(4000)}.html"] = next(self.contents)
        return dict(sorted(pages.items(), key=lambda item: item[0].count("/")))

    def crawl(self, host, ip, site, dynamic=0.0, share=None, prefix=""):
        """Keep the shallow part of a site; a page of a dynamic site may have another digest on each host."""
        share = share or self.random.uniform(0.15, 0.6)
        paths = list(site)
        kept = sorted(range(len(paths)), key=lambda i: i / len(paths) + self.random.exponential(0.35))
        for i in sorted(kept[: max(2, int(share * len(paths)))]):
            content = site[paths[i]]
            digest = content if self.random.random() >= dynamic else int(self.random.integers(1, 2**62))
            fetched = self.random.random() < 0.8
            self.rows.append((f"http://{host}{prefix}{paths[i]}", ip, digest * 7919 % 2**63 if fetched else None))

    def copies(self, cause):
        """One group of hosts that are copies of each other."""
        site, name = self.site(), self.name()
        dynamic = float(self.random.choice([0.0, 0.1, 0.4, 0.8], p=[0.4, 0.3, 0.2, 0.1]))
        ip = self.address()
        hosts = {
            "www": [(f"{name}.com.br", ip), (f"www.{name}.com.br", ip)],
            "balance": [(f"www{i}.{name}.org.br", ip.rsplit(".", 1)[0] + f".{i}") for i in range(1, 5)],
            "franchise": [(f"{name}.com.br", ip), (f"{name}-sul.com.br", self.address())],
            "moved": [(f"www.{name}.com.br", ip), (f"{name}.provedor.net.br", self.address())],
            "malicious": [(f"www.{self.name()}.com", self.address()) for _ in range(3)],
            "domain": [(f"{name}.gov.br", ip), (f"{name}.br", ip)],
        }[cause]
        for host, address in hosts:
            part = dict(list(site.items())[: int(len(site) * 0.7)]) if cause == "franchise" else site
            self.crawl(host, address, part, dynamic)
        self.truth |= {tuple(sorted(pair)) for pair in combinations([h for h, _ in hosts], 2)}

    def strangers(self, kind):
        """A group of hosts that are no copies, and look like it."""
        hosts, ip = [f"{self.name()}.com.br" for _ in range(6)], self.address()
        if kind == "lyrics":
            songs = [next(self.contents) for _ in range(150)]
            for host in hosts:
                mine = self.site(40)
                chosen = self.random.choice(songs, 60, replace=False)
                mine |= {f"/letras/{self.name()}/{self.random.integers(9999)}": int(c) for c in chosen}
                self.crawl(host, self.address(), mine)
        elif kind == "catalogue":
            items = [f"/produto/{self.random.integers(10**6)}" for _ in range(80)]
            for host in hosts:
                self.crawl(host, self.address(), self.site(30) | {str(p): next(self.contents) for p in items})
        elif kind == "shared address":
            for host in hosts:
                self.crawl(host, ip, self.site())
        elif kind == "departments":
            domain = f"{self.name()}.edu.br"
            common = {f"/normas/{i}.pdf": next(self.contents) for i in range(4)}
            for i, word in enumerate(self.random.choice(WORDS, 5, replace=False)):
                self.crawl(f"{word}.{domain}", ip.rsplit(".", 1)[0] + f".{i}", self.site() | common)
        elif kind == "squatter":
            name, parked = self.name(), int(self.random.integers(1, 2**62))
            self.crawl(f"{name}.com.br", ip, self.site())
            self.crawl(f"{name}.net.br", self.address(), self.site(10) | {"/": parked})
        for host in {row[0].split("/")[2] for row in self.rows} - set(self.kinds):
            self.kinds[host] = kind


def web(seed, hosts=600, copies=0.06):
    """Tables `pages` (url, ip, digest) and the set of true pairs, for about that many hosts."""
    maker = Maker(seed)
    causes = ["www", "balance", "franchise", "moved", "malicious", "domain"]
    kinds = ["lyrics", "catalogue", "shared address", "departments", "squatter"]
    made = 0
    while made < hosts:
        before = len(maker.rows)
        if maker.random.random() < copies:
            maker.copies(str(maker.random.choice(causes)))
        elif maker.random.random() < 0.15:
            maker.strangers(str(maker.random.choice(kinds)))
        else:
            maker.crawl(f"www.{maker.name()}.com.br", maker.address(), maker.site())
        made += len({row[0].split("/")[2] for row in maker.rows[before:]})
    url, ip, digest = zip(*maker.rows)
    return pa.table({"url": url, "ip": ip, "digest": pa.array(digest, pa.uint64())}), maker.truth
