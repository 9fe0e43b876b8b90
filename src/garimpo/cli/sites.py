"""``garimpo sites``: learn what sites of an entity look like, decide sites, find more of them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from garimpo.cli.network import Asked
from garimpo.cli.options import Engine, Json, Master, NoChance, Out, Seed, Switch, Written, group_of_verbs
from garimpo.cli.output import emit, note, progress, require_folders, require_tables
from garimpo.contract.errors import BadInput

if TYPE_CHECKING:
    import pyarrow as pa

    from garimpo.sites import SiteModel

app = group_of_verbs("sites", "Find whole sites about an entity, and where they list it.")


@app.command
def train(
    pages: Path | None = None,
    *,
    out: Out,
    good: Path | None = None,
    bad: Path | None = None,
    archive: Path | None = None,
    learner: Literal["garimpo", "svm", "naive_bayes", "tree", "logistic"] = "garimpo",
    filters: str | None = None,
    entity: str = "",
    structured: bool = True,
    pages_a_site: int = 12,
    network: Asked = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Learn an entity from labelled pages, or from good and bad sites, in an archive or on the web.

    For example:
      garimpo sites train pages.parquet --out sites.model
      garimpo sites train --good good.txt --bad bad.txt --archive crawl --out sites.model

    Args:
        pages: Documents with url, html and label (1: a page of the entity, best a listing, 0: any other page).
        out: The model to write.
        good: A file of sites about the entity, or URLs of them, one a line: ten are enough.
        bad: A file of other sites: twenty are enough, some of them about other things one can list.
        archive: The crawl folder that has their pages; without it they are fetched, politely.
        learner: What judges pages: garimpo's own, or a learner of the source.
        filters: Link priorities by hand instead of learned ones: imoveis-pt, or a TOML file.
        entity: A name for what is collected, kept in the model.
        structured: Also go by the schema.org types that pages state (JSON-LD, microdata, RDFa).
        pages_a_site: How many pages of a site to fetch, where there is no archive.
    """
    from garimpo import sites
    from garimpo.cli.deciding import example_pages, named_sites

    require_folders(out)
    if pages_a_site < 1:
        raise BadInput("--pages-a-site is at least 1")
    by_hand = sites.load_filters(filters) if filters is not None else None
    shared: dict[str, Any] = {"entity": entity, "filters": by_hand, "seed": seed, "structured": structured, "learner": learner}
    with progress("learning the entity"):
        if pages is not None:
            examples, labels = sites.labelled_pages(pages)
            model = sites.train(examples, labels, **shared)
            made = {"pages": len(examples), "listings": sum(labels)}
        elif good is None or bad is None:
            raise BadInput("give labelled PAGES, or both --good and --bad")
        else:
            lists = [named_sites([f"@{path}"]) for path in (good, bad)]
            yes, no = (example_pages(names, archive, network, pages_a_site) for names in lists)
            model = sites.train(good=yes, bad=no, **shared)
            made = {"good": sum(map(bool, yes.values())), "bad": sum(map(bool, no.values()))}
        model.save(out)
    emit({"out": str(out), **made}, json, [f"{out}: learned from " + ", ".join(f"{n:,} {what}" for what, n in made.items())])


@app.command
def show(model: Path, *, words: int = 15, json: Json = False, seed: NoChance = 0) -> None:
    """What a model goes by, in words.

    For example:
      garimpo sites show sites.model

    Args:
        model: A model made by sites train.
        words: How many words of each kind are shown.
    """
    from garimpo.sites import SiteModel
    from garimpo.sites.explanation import model_lines

    learned = SiteModel.load(model)
    speaking, against = learned.listing.words(words)
    result = {"entity": learned.entity, "languages": sorted(learned.languages), "threshold": learned.threshold,
              "for": speaking, "against": against}  # fmt: skip
    emit(result, json, model_lines(learned, words))


@app.command
def detect(
    model: Path,
    *sites: str,
    out: Out,
    archive: Path | None = None,
    html: Written = None,
    host_word: str | None = None,
    max_pages: int | None = None,
    depth: int | None = None,
    trace: Switch = False,
    network: Asked = None,
    engine: Engine = "local",
    master: Master = None,
    json: Json = False,
    seed: NoChance = 0,
) -> None:
    """Decide sites: is each about the entity, and where is its listing?

    For example:
      garimpo sites detect sites.model @sites.txt --out sites.parquet
      garimpo sites detect sites.model --archive crawl --out sites.csv --html report.html

    Args:
        model: A model made by sites train.
        sites: Sites (a.com) or URLs of them, or @FILE with one a line; none: all that the archive has.
        out: The table to write: .parquet or .csv.
        archive: A crawl folder to look in, instead of the web.
        html: Also write a report.
        host_word: Say in the report how many of the sites with this word in their name were found.
        max_pages: How many pages of a site to ask for, at most (else what the model says: 10).
        depth: How many links deep to look, at most (else what the model says: 2).
        trace: Also print how each site was decided: which pages, why, and what each changed.
    """
    from garimpo.cli.deciding import archived_sites, decided_sites, limited, named_sites, once
    from garimpo.sites import sites_table
    from garimpo.sites.explanation import trace_lines

    require_tables(out)
    require_folders(out, html)
    named = archived_sites(archive) if archive is not None and not sites else once(named_sites(sites))
    learned = limited(model, max_pages, depth)
    if engine != "local" or master is not None:
        if trace:
            raise BadInput("--trace goes with --engine local")
        return _write(_decided_on(engine, master, learned, archive, named), out, html, json, host_word=host_word)
    found = decided_sites(learned, named, archive, network)
    traces = [trace_lines(learned, one) for one in found] if trace else []
    for line in (line for lines in traces for line in lines if not json):
        print(line)
    return _write(sites_table(found), out, html, json, {"trace": traces} if trace else None, host_word=host_word)


@app.command(name="eval")
def evaluate(
    model: Path,
    labelled: Path,
    *,
    archive: Path | None = None,
    max_pages: int | None = None,
    depth: int | None = None,
    network: Asked = None,
    json: Json = False,
    seed: NoChance = 0,
) -> None:
    """How good is a model, on sites whose answer is known?

    For example:
      garimpo sites eval sites.model labelled.csv --archive crawl

    Args:
        model: A model made by sites train.
        labelled: A table (.csv, .parquet, .jsonl) with site and label (1: relevant, 0: not).
        archive: A crawl folder to look in, instead of the web.
        max_pages: How many pages of a site to ask for, at most.
        depth: How many links deep to look, at most.
    """
    from garimpo import sites
    from garimpo.cli.deciding import decided_sites, limited
    from garimpo.sites.evaluation import evaluation_lines

    truth = sites.labelled_sites(labelled)
    found = sites.evaluate(decided_sites(limited(model, max_pages, depth), list(truth), archive, network), truth)
    result = {"sites": len(truth), "precision": found.precision, "recall": found.recall, "f1": found.f1,
              "confusion": found.confusion, "calibration": found.calibration, "calibration_error": found.calibration_error,
              "errors": found.errors, "pages": found.pages}  # fmt: skip
    emit(result, json, evaluation_lines(found))


@app.command
def sample(found: Path, *, out: Out, size: int = 100, json: Json = False, seed: Seed = 0) -> None:
    """The first, some random and the last of the sites found, for you to label: fill in the column label with 1 or 0.

    For example:
      garimpo sites sample found.parquet --out sample.csv

    Args:
        found: A table of sites that sites locate or sites detect has written.
        out: The table to write: .csv or .parquet.
        size: How many of each part.
    """
    from garimpo.contract.table_files import write_table
    from garimpo.sites.analysis import sample as drawn
    from garimpo.sites.evaluation import site_table

    require_tables(out)
    require_folders(out)
    if size < 1:
        raise BadInput("--size is at least 1")
    table = drawn(site_table(found, ["site", "relevant"]), size, seed)
    write_table(table, out)
    emit({"out": str(out), "sites": table.num_rows}, json, [f"{out}: {table.num_rows:,} sites to label"])


@app.command
def precision(sample: Path, *, json: Json = False, seed: NoChance = 0) -> None:
    """How many of a labelled sample are right, by order of discovery.

    For example:
      garimpo sites precision sample.csv

    Args:
        sample: A table made by sites sample, with its column label filled in.
    """
    from garimpo.sites.analysis import sample_precision

    parts = sample_precision(sample)
    shown = [f"{part:<7} {right:>4,} of {of:>4,}  {right / of:.2f} ({low:.2f} to {high:.2f})"
             for part, (of, right, low, high) in parts.items()]  # fmt: skip
    result = {part: {"labelled": of, "right": right, "precision": right / of, "interval": [low, high]}
              for part, (of, right, low, high) in parts.items()}  # fmt: skip
    emit(result, json, shown)


def _decided_on(engine: str, master: str | None, model: "SiteModel", archive: Path | None, named: list[str]) -> "pa.Table":
    from garimpo.engine import open_engine
    from garimpo.sites.jobs import detect_all

    if archive is None:
        raise BadInput("--engine goes with --archive: on the web sites are decided by this machine")
    with open_engine(engine, master) as opened, progress("deciding sites"):
        return detect_all(opened, model, archive, named)


@app.command
def locate(
    model: Path,
    *,
    seeds: Path,
    out: Out,
    archive: Path | None = None,
    host_graph: tuple[Path, Path] | None = None,
    backlinks: str | None = None,
    html: Written = None,
    host_word: str | None = None,
    max_sites: int = 1000,
    give_up: float = 0.05,
    accept: float = 0.9,
    within: str | None = None,
    backlinks_a_site: int = 15,
    max_pages: int | None = None,
    depth: int | None = None,
    resume: Path | None = None,
    network: Asked = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Find more sites like the seeds: through the pages that link to them, to what else those link to.

    What is learned on the way is kept in OUT.journal, and removed at the end.

    For example:
      garimpo sites locate sites.model --seeds good.txt --archive crawl --out sites.parquet

    Args:
        model: A model made by sites train.
        seeds: A file of good sites, one a line.
        out: The table to write: .parquet or .csv; the sites found in order of discovery, then all others that were decided.
        archive: The crawl folder whose links are followed and in which sites are decided; without it the web is
            asked.
        host_graph: Two more files, vertices and edges of a Common Crawl host graph (text, also .gz), whose links are
            followed too.
        backlinks: A web service that names pages that link to a site: its address, with {site} and {limit} in it.
        html: Also write a report.
        host_word: Say in the report how many of the sites with this word in their name were found.
        max_sites: How many sites to decide, at most.
        give_up: Stop when fewer than this share of the last hundred sites are good; 0: never.
        accept: How likely a site must be good, by the detector and by its neighbours, to count as found.
        within: Only decide sites whose name ends so: .br, or com.br.
        backlinks_a_site: How many pages that link to a site are read.
        max_pages: How many pages of a site to ask for, at most.
        depth: How many links deep to look in a site, at most.
        resume: The journal of a search that was cut short: go on with it.
    """
    from garimpo.cli.deciding import limited, named_sites, network_settings
    from garimpo.cli.locating import Locating
    from garimpo.sites import LocatorSettings

    require_tables(out)
    require_folders(out, html)
    if archive is not None and backlinks is not None:
        raise BadInput("--backlinks asks the web, --archive does not: give one of them")
    if not 0 <= give_up <= 1 or not 0 < accept <= 1:
        raise BadInput("--give-up and --accept are shares between 0 and 1")
    if max_sites < 1 or backlinks_a_site < 1:
        raise BadInput("--max-sites and --backlinks-a-site are at least 1")
    learned, good = limited(model, max_pages, depth), named_sites([f"@{seeds}"])
    settings = LocatorSettings(give_up_below=give_up, accept=accept, backlinks_a_site=backlinks_a_site,
                               max_detections=max_sites, seed=seed)  # fmt: skip
    with progress("locating", max_sites) as bar:
        search = Locating(learned, good, settings, within, resume or out.with_name(f"{out.name}.journal"), bar.advance)
        if archive is not None:
            table = search.archived(archive, host_graph, resume is not None)
        else:
            table = search.live(network_settings(network), host_graph, backlinks, resume is not None)
    note(search.end.reason + (f"; {advice}" if (advice := search.advice()) else ""))
    more = {"tried": len(search.end.decided) - len(good), "reason": search.end.reason, "harvest": search.end.harvest()}
    _write(table, out, html, json, more, search, host_word)
    search.finish()


def _write(
    table: "pa.Table", out: Path, html: Path | None, json: bool, more: dict[str, Any] | None = None, search: Any = None,
    host_word: str | None = None,
) -> None:  # fmt: skip
    from garimpo.sites import write_report, write_table
    from garimpo.sites.analysis import coverage

    write_table(table, out)
    if html is not None:
        write_report(table, html, harvest=search.end.harvest() if search is not None else None, host_word=host_word)
    answers = table.column("relevant").to_pylist()
    result = {"sites": len(answers), "relevant": answers.count(True), "unknown": answers.count(None),
              "pages": sum(table.column("pages_fetched").to_pylist()), **(more or {})}  # fmt: skip
    if host_word is not None:
        of = coverage(table, host_word)
        result["coverage"] = {"word": of.word, "found_with": of.found_with, "missed_with": of.missed_with,
                              "of_the_same": of.of_the_same, "as_source": of.as_source}  # fmt: skip
    shown = ", ".join(f"{result[name]:,} {name}" for name in ("sites", "relevant", "unknown", "pages"))
    emit({"out": str(out), **result}, json, [f"{out}: {shown}"])
