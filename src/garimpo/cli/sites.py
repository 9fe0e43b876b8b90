"""``garimpo sites``: learn what sites of an entity look like, decide sites, find more of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cyclopts import App

from garimpo.cli.network import Asked, Network
from garimpo.cli.output import emit, note, progress
from garimpo.contract.errors import BadInput

if TYPE_CHECKING:
    import pyarrow as pa

    from garimpo.crawl.live import SiteWeb
    from garimpo.crawl.settings import Settings as CrawlSettings
    from garimpo.sites import Detection, SiteModel

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
    structured: bool = True,
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
    structured
        Also go by the schema.org types that pages state (JSON-LD, microdata, RDFa).
    json
        Print one JSON object.
    seed
        Makes a run repeatable.
    """
    from garimpo import sites

    by_hand = sites.load_filters(filters) if filters is not None else None
    shared: dict[str, Any] = {"entity": entity, "filters": by_hand, "seed": seed, "structured": structured}
    with progress("learning the entity"):
        if pages is not None:
            examples, labels = sites.labelled_pages(pages)
            model = sites.train(examples, labels, **shared)
            made = {"pages": len(examples), "listings": sum(labels)}
        elif good is None or bad is None or archive is None:
            raise BadInput("give labelled PAGES, or all of --good, --bad and --archive")
        else:
            yes, no = _named([f"@{good}"]), _named([f"@{bad}"])
            model = sites.train(good=yes, bad=no, archive=archive, **shared)
            made = {"good": len(yes), "bad": len(no)}
        model.save(out)
    emit({"out": str(out), **made}, json, [f"{out}: learned from " + ", ".join(f"{n:,} {what}" for what, n in made.items())])


@app.command
def detect(
    model: Path,
    *sites: str,
    out: Path,
    archive: Path | None = None,
    html: Path | None = None,
    network: Asked = None,
    engine: str = "local",
    master: str | None = None,
    json: bool = False,
    seed: int = 0,
) -> None:
    """Decide sites: is each about the entity, and where is its listing?

    Examples:
      garimpo sites detect sites.model @sites.txt --out sites.parquet
      garimpo sites detect sites.model --archive crawl --out sites.csv --html report.html

    Parameters
    ----------
    model
        A model made by sites train.
    sites
        Sites (a.com) or root URLs, or @FILE with one a line; none: all that the archive has.
    out
        The table to write: .parquet or .csv.
    archive
        A crawl folder to look in, instead of the web.
    html
        A report to write.
    engine
        local, or spark (with --archive, in a folder that all workers see).
    master
        Where Spark runs: local[4], spark://host:7077, yarn, k8s://...
    json
        Print one JSON object.
    seed
        Makes a run repeatable; deciding has no chance in it.
    """
    from garimpo.sites import SiteModel, check_name
    from garimpo.sites import detect as decide

    check_name(out)
    named = _archived(archive) if archive is not None and not sites else _named(sites)
    learned = SiteModel.load(model)
    if engine != "local" or master is not None:
        return _write(_decided_on(engine, master, learned, archive, named), out, html, json)
    with progress("deciding sites", len(named)) as bar:
        if archive is not None:
            found = decide(learned, named, archive=archive, done=lambda _: bar.advance())
        else:
            from garimpo.crawl.live import detect_live

            found = detect_live(learned, named, _settings(network), done=lambda _: bar.advance())
    return _write(_table(found), out, html, json)


def _decided_on(engine: str, master: str | None, model: "SiteModel", archive: Path | None, named: list[str]) -> "pa.Table":
    from garimpo.engine import open_engine
    from garimpo.sites.spread import detect_all

    if archive is None:
        raise BadInput("--engine goes with --archive: on the web sites are decided by this machine")
    with open_engine(engine, master) as opened, progress("deciding sites"):
        return detect_all(opened, model, archive, named)


@app.command
def locate(
    model: Path,
    *,
    seeds: Path,
    out: Path,
    archive: Path | None = None,
    host_graph: tuple[Path, Path] | None = None,
    backlinks: str | None = None,
    html: Path | None = None,
    max_sites: int = 1000,
    network: Asked = None,
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
        The crawl folder whose links are followed and in which sites are decided; without it the web is asked.
    host_graph
        Two more files, vertices and edges of a Common Crawl host graph (text, also .gz), whose links are followed too.
    backlinks
        A web service that names pages that link to a site: its address, with {site} and {limit} in it.
    html
        A report to write.
    max_sites
        How many sites to decide, at most.
    json
        Print one JSON object.
    seed
        Makes a run repeatable.
    """
    from garimpo.cli.locating import Locating
    from garimpo.sites import SiteModel, check_name

    check_name(out)
    learned, good = SiteModel.load(model), _named([f"@{seeds}"])
    with progress("locating", max_sites) as bar:
        search = Locating(learned, good, max_sites, seed, bar.advance)
        if archive is not None:
            if backlinks is not None:
                raise BadInput("--backlinks asks the web, --archive does not: give one of them")
            end = search.archived(archive, host_graph)
        else:
            with _web(network) as web:
                end = search.live(web, host_graph, backlinks)
    note(end.reason)
    found = [search.decided[found.site] for found in end.found]
    _write(_table(found), out, html, json, {"tried": len(search.decided), "reason": end.reason})


def _web(network: Network | None) -> "SiteWeb":
    from garimpo.crawl.live import SiteWeb

    return SiteWeb(_settings(network))


def _settings(network: Network | None) -> "CrawlSettings":
    from garimpo.crawl.settings import Settings

    return Settings(**(network or Network()).given())


def _table(found: Sequence["Detection"]) -> "pa.Table":
    from garimpo.sites import sites_table

    return sites_table(found)


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


def _archived(archive: Path) -> list[str]:
    from garimpo.archive import Store
    from garimpo.sites import all_sites

    with Store.open(archive, write=False) as store:
        return all_sites(store)


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
