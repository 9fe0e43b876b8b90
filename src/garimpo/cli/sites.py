"""``garimpo sites``: learn what sites of an entity look like, decide sites, find more of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cyclopts import App

from garimpo.cli.output import emit, note, progress
from garimpo.contract.errors import BadInput

if TYPE_CHECKING:
    import pyarrow as pa

    from garimpo.contract import Page
    from garimpo.sites import Detection, Get, SiteModel

app = App(name="sites", help="Find whole sites about an entity, and where they list it.", help_format="plaintext")


@app.command
def train(
    pages: Path | None = None,
    *,
    out: Path,
    good: Path | None = None,
    bad: Path | None = None,
    archive: Path | None = None,
    filters: str | None = None,
    entity: str = "",
    json: bool = False,
    seed: int = 0,
) -> None:
    """Learn an entity from labelled pages, or from good and bad sites in an archive.

    Examples:
      garimpo sites train pages.parquet --out sites.model
      garimpo sites train --good good.txt --bad bad.txt --archive crawl --out sites.model

    Parameters
    ----------
    pages
        Documents with url, html and label (1: a listing of the entity, 0: any other page).
    out
        The model to write.
    good
        A file of sites about the entity, one a line: ten are enough.
    bad
        A file of other sites: twenty are enough, some of them about other things one can list.
    archive
        The crawl folder that has their pages.
    filters
        Link priorities by hand instead of learned ones: imoveis-pt, or a TOML file.
    entity
        A name for what is collected, kept in the model.
    json
        Print one JSON object.
    seed
        Makes a run repeatable.
    """
    from garimpo import sites

    by_hand = sites.load_filters(filters) if filters is not None else None
    with progress("learning the entity"):
        if pages is not None:
            examples, labels = _labelled(pages)
            model = sites.train_on_pages(examples, labels, entity, by_hand, seed)
            made = {"pages": len(examples), "listings": sum(labels)}
        elif good is None or bad is None or archive is None:
            raise BadInput("give labelled PAGES, or all of --good, --bad and --archive")
        else:
            yes, no = _examples(archive, good), _examples(archive, bad)
            model = sites.train_on_sites(yes, no, entity, by_hand, seed)
            made = {"good": sum(map(bool, yes.values())), "bad": sum(map(bool, no.values()))}
        model.save(out)
    emit({"out": str(out), **made}, json, [f"{out}: learned from " + ", ".join(f"{n:,} {what}" for what, n in made.items())])


@app.command
def detect(
    model: Path,
    *sites: str,
    out: Path,
    archive: Path | None = None,
    html: Path | None = None,
    delay: float = 1.0,
    hosts: str | None = None,
    resolve_all: str | None = None,
    allow_private: bool = False,
    user_agent: str | None = None,
    contact: str | None = None,
    engine: str = "local",
    master: str | None = None,
    json: bool = False,
    seed: int = 0,
) -> None:
    """Decide sites: is each about the entity, and where is its listing?

    Example: garimpo sites detect sites.model @sites.txt --archive crawl --out sites.parquet

    Parameters
    ----------
    model
        A model made by sites train.
    sites
        Sites (a.com) or root URLs, or @FILE with one a line.
    out
        The table to write: .parquet or .csv.
    archive
        A crawl folder to look in, instead of the web.
    html
        A report to write.
    delay
        Seconds between two requests to one host, and to one address.
    hosts
        A hosts file.
    resolve_all
        ADDRESS:PORT where all sockets connect.
    allow_private
        Also private and loopback addresses.
    user_agent
        How the crawler names itself.
    contact
        An address to write to, sent with the name.
    engine
        local, or spark (with --archive, in a folder that all workers see).
    master
        Where Spark runs: local[4], spark://host:7077, yarn, k8s://...
    json
        Print one JSON object.
    seed
        Makes a run repeatable; deciding has no chance in it.
    """
    from garimpo.engine import open_engine
    from garimpo.sites import SiteModel, sites_table

    named = _named(sites)
    learned = SiteModel.load(model)
    if engine != "local" or master is not None:
        from garimpo.sites.spread import detect_all

        if archive is None:
            raise BadInput("--engine goes with --archive: on the web sites are decided one after the other")
        with open_engine(engine, master) as opened, progress("deciding sites"):
            table = detect_all(opened, learned, archive, named)
        _write(table, out, html, json)
        return
    network = {"delay": delay, "hosts": hosts, "resolve_all": resolve_all, "allow_private": allow_private,
               "user_agent": user_agent, "contact": contact}  # fmt: skip
    with _source(archive, network) as source, progress("deciding sites", len(named)) as bar:
        found = []
        for name in named:
            found.append(_decide(learned, name, *source))
            bar.advance()
    _write(sites_table(found), out, html, json)


@app.command
def locate(
    model: Path,
    *,
    seeds: Path,
    out: Path,
    archive: Path,
    host_graph: tuple[Path, Path] | None = None,
    html: Path | None = None,
    max_sites: int = 1000,
    json: bool = False,
    seed: int = 0,
) -> None:
    """Find more sites like the seeds: through the pages that link to them, to what else those link to.

    Example: garimpo sites locate sites.model --seeds good.txt --archive crawl --out sites.parquet

    Parameters
    ----------
    model
        A model made by sites train.
    seeds
        A file of good sites, one a line.
    out
        The table to write: .parquet or .csv; sites in order of discovery.
    archive
        The crawl folder whose links are followed and in which sites are decided.
    host_graph
        Two more files, vertices and edges of a Common Crawl host graph (text, also .gz), whose links are followed too.
    html
        A report to write.
    max_sites
        How many sites to decide, at most.
    json
        Print one JSON object.
    seed
        Makes a run repeatable.
    """
    from garimpo.archive import Store
    from garimpo.sites import LinkTable, Settings, SiteModel, sites_table
    from garimpo.sites import locate as find
    from garimpo.sites.hostgraph import host_graph_links
    from garimpo.url import site as site_of

    learned, good = SiteModel.load(model), [site_of(name) for name in _named([f"@{seeds}"])]
    decided: dict[str, Detection] = {}
    with _source(archive, {}) as source, Store.open(archive, write=False) as store, progress("locating", max_sites) as bar:
        links = [pair for batch in store.links(["source", "target"])
                 for pair in zip(batch.column("source").to_pylist(), batch.column("target").to_pylist())]  # fmt: skip
        links += host_graph_links(*host_graph) if host_graph is not None else []

        def decide(site: str) -> bool | None:
            decided[site] = _decide(learned, site, *source)
            bar.advance()
            return decided[site].relevant

        end = find(good, LinkTable.of(links), decide, Settings(max_detections=max_sites, seed=seed))
    note(end.reason)
    table = sites_table([decided[found.site] for found in end.found])
    _write(table, out, html, json, {"tried": len(decided), "reason": end.reason})


def _decide(model: "SiteModel", name: str, get: "Get", has: Any) -> "Detection":
    from garimpo.sites import root_of

    return model.detect(root_of(name, has), get)


@contextmanager
def _source(archive: Path | None, network: dict[str, Any]) -> Iterator[tuple["Get", Any]]:
    """Where pages come from, and which root URLs exist: a crawl folder, or the web."""
    from garimpo.sites import pages_through

    if archive is not None:
        from garimpo.archive import Store

        with Store.open(archive, write=False) as store:
            yield pages_through(store.record), lambda url: store.record(url) is not None
        return
    from garimpo.contract import Fetched
    from garimpo.crawl.one import FORBIDDEN, OneByOne
    from garimpo.crawl.settings import Settings
    from garimpo.sites import Refused

    with OneByOne(Settings(**network)) as fetcher:

        def fetch(url: str) -> Fetched:
            fetched = fetcher.get(url)
            if fetched.error == FORBIDDEN:
                raise Refused(FORBIDDEN)
            return fetched

        yield pages_through(fetch), lambda url: fetcher.get(url).status > 0


def _write(table: "pa.Table", out: Path, html: Path | None, json: bool, more: dict[str, Any] | None = None) -> None:
    from garimpo.sites import write_report, write_table

    write_table(table, out)
    if html is not None:
        write_report(table, html)
    answers = table.column("relevant").to_pylist()
    result = {"sites": len(answers), "relevant": answers.count(True), "unknown": answers.count(None),
              "pages": sum(table.column("pages_fetched").to_pylist()), **(more or {})}  # fmt: skip
    shown = ", ".join(f"{result[name]:,} {name}" for name in ("sites", "relevant", "unknown", "pages"))
    emit({"out": str(out), **result}, json, [f"{out}: {shown}"])


def _named(arguments: Sequence[str]) -> list[str]:
    """Sites given one by one, or as @FILE."""
    found: list[str] = []
    for argument in arguments:
        if not argument.startswith("@"):
            found.append(argument)
            continue
        try:
            lines = Path(argument[1:]).read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{argument[1:]}: {getattr(error, 'strerror', None) or 'not a text file'}") from None
        found += [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not found:
        raise BadInput("no sites given (try: garimpo sites --help)")
    return list(dict.fromkeys(found))


def _examples(archive: Path, file: Path) -> dict[str, list["Page"]]:
    from garimpo.archive import Store
    from garimpo.sites import example_sites

    with Store.open(archive, write=False) as store:
        return example_sites(store, _named([f"@{file}"]))


def _labelled(path: Path) -> tuple[list["Page"], list[bool]]:
    """The labelled pages of a table."""
    from garimpo.archive import documents
    from garimpo.page import read

    pages, labels = [], []
    for batch in documents(path, columns=["label"], bodies=True):
        for row in batch.select(["url", "html", "label"]).to_pylist():
            if str(row["label"]) not in ("0", "1", "True", "False", "0.0", "1.0"):
                raise BadInput(f"{path}: label {row['label']!r} is neither 1 (a listing) nor 0 (any other page)")
            if row["url"] and row["html"]:
                pages.append(read(row["html"], row["url"]))
                labels.append(str(row["label"]) in ("1", "True", "1.0"))
    if not pages:
        raise BadInput(f"{path}: no row has both url and html")
    return pages, labels
