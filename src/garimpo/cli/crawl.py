"""``garimpo crawl``: crawl the web politely, in a folder that survives any kill."""

import sys
from pathlib import Path
from typing import Any, Literal, cast

from garimpo.cli.lean import loading
from garimpo.cli.output import emit
from garimpo.contract.errors import BadInput

Many = list[str] | None


def crawl(
    *seeds: str,
    out: Path | None = None,
    resume: Path | None = None,
    settings: Path | None = None,
    strategy: Literal["garimpo", "bfs", "best", "best-dynamic"] | None = None,
    positive: Many = None,
    topic: str | None = None,
    sites: str | None = None,
    scope: Literal["host", "site", "all"] | None = None,
    include: Many = None,
    exclude: Many = None,
    suffixes: Many = None,
    schemes: Many = None,
    max_pages: int | None = None,
    max_depth: int | None = None,
    max_pages_per_host: int | None = None,
    max_pages_per_site: int | None = None,
    max_seconds: float | None = None,
    max_bytes: int | None = None,
    bandwidth: int | None = None,
    delay: float | None = None,
    connections: int | None = None,
    connections_per_address: int | None = None,
    workers: int | None = None,
    learn: bool | None = None,
    learn_seconds: float | None = None,
    learn_pages: int | None = None,
    rules: str | None = None,
    known: str | None = None,
    rollback: Many = None,
    hosts: str | None = None,
    resolve_all: str | None = None,
    allow_private: bool | None = None,
    user_agent: str | None = None,
    contact: str | None = None,
    connect_timeout: float | None = None,
    timeout: float | None = None,
    max_body: int | None = None,
    tries: int | None = None,
    hops: int | None = None,
    content_types: Many = None,
    sitemaps: bool | None = None,
    cookies: bool | None = None,
    headers: Many = None,
    proxy: str | None = None,
    sign_key: str | None = None,
    sign_agent: str | None = None,
    trap_run: int | None = None,
    metrics_port: int | None = None,
    seed: int | None = None,
    engine: Literal["local", "spark"] = "local",
    rounds: int | None = None,
    master: str | None = None,
    json: bool = False,
) -> None:
    """Crawl from SEEDS (URLs, or @FILE with one a line) into a new folder, or go on with one.

    Example: garimpo crawl http://example.org/ --out crawl --max-pages 1000 --contact you@example.org

    Parameters
    ----------
    seeds: URLs to begin with, or @FILE with one a line
    out: the folder to make
    resume: the folder to go on with; flags given with it replace its settings
    settings: a crawl.toml to take settings from; flags win over it
    strategy: what is fetched first; bfs: what was met first
    positive: documents that show the topic
    topic: a trained topic model
    sites: a trained model of the sites to collect
    scope: how far from the seeds: their hosts, their sites, or anywhere (site; with a topic: all)
    include: only URLs that match this regular expression (may be repeated)
    exclude: no URL that matches this regular expression (may be repeated)
    suffixes: only hosts under these names, such as org.br (may be repeated)
    schemes: http, https or both
    max_pages: stop after so many stored answers (0: no limit)
    max_depth: links followed from a seed, at most
    max_pages_per_host: pages of one host, at most
    max_pages_per_site: pages of one site, at most
    max_seconds: stop after so long
    max_bytes: stop after so many bytes received
    bandwidth: bytes a second, at most
    delay: seconds between two requests to one host, and to one address
    connections: requests at once
    connections_per_address: requests at once to one address
    workers: processes that read pages (0: the loop reads)
    learn: learn while crawling
    learn_seconds: how often the learner looks at what was kept
    learn_pages: after how many new pages it does
    rules: DUST rules to begin with
    known: a crawl folder whose pages are asked for again, if they changed
    rollback: KIND:N puts version N of what was learned in force again (with --resume)
    hosts: a hosts file
    resolve_all: ADDRESS:PORT where all sockets connect
    allow_private: also private and loopback addresses
    user_agent: how the crawler names itself
    contact: an address to write to, sent with the name
    connect_timeout: seconds to wait for a connection
    timeout: seconds a request may take
    max_body: bytes of one page, unpacked
    tries: how often a URL is tried
    hops: how many redirects are followed
    content_types: content types to keep, by their beginning (may be repeated)
    sitemaps: read the sitemaps that robots.txt names
    cookies: keep cookies
    headers: 'Name: value', sent with every request (may be repeated)
    proxy: a proxy's URL
    sign_key: an Ed25519 key in PEM: requests are signed (Web Bot Auth)
    sign_agent: where the public key is published
    trap_run: pages of one shape found one from the other, at most (0: no limit)
    metrics_port: serve Prometheus metrics on this port
    seed: for what is drawn at random
    engine: local, or spark: a crawl in rounds on many machines, with --rounds
    rounds: how many rounds to run (a round fetches for about five minutes)
    master: where Spark runs: local[4], spark://host:7077, yarn, k8s://...
    json: print the result as JSON
    """
    given = {name: value for name, value in locals().items() if value is not None and name not in _NOT_SETTINGS}
    with loading():
        from garimpo.crawl import Progress, read_seeds
        from garimpo.crawl import crawl as begin
        from garimpo.crawl import resume as go_on
        from garimpo.crawl.settings import Settings, from_toml, merged

    progress = Progress(sys.stderr if sys.stderr.isatty() else None)
    if seeds:
        given["seeds"] = read_seeds(seeds)
    if engine == "spark" or rounds is not None or master is not None:
        if rollback:
            raise BadInput("--rollback: a crawl in rounds learns nothing that could be taken back")
        result = _in_rounds(out, resume, settings, given, rounds, engine, master, progress)
    elif resume is not None:
        if out is not None:
            raise BadInput("--out and --resume: give one of them")
        result = go_on(resume, given, None, progress, [_version(text) for text in rollback or []])
    elif out is None:
        raise BadInput("--out: say where the crawl is to be kept (or --resume DIR)")
    else:
        base = from_toml(settings) if settings is not None else Settings()
        result = begin(out, merged(base, given), None, progress)
    emit(result, json, _lines(result))


_NOT_SETTINGS = {"seeds", "out", "resume", "settings", "rollback", "engine", "rounds", "master", "json"}


def _in_rounds(
    out: Path | None,
    resume: Path | None,
    settings: Path | None,
    given: dict[str, Any],
    rounds: int | None,
    engine: str,
    master: str | None,
    progress: Any,
) -> dict[str, Any]:
    from garimpo.crawl.rounds import crawl_rounds, resume_rounds
    from garimpo.crawl.settings import Settings, from_toml, merged
    from garimpo.engine import open_engine

    if engine != "spark" or rounds is None or rounds < 1:
        raise BadInput("--engine spark and --rounds N (1 or more) go together, --master with them")
    if (out is None) == (resume is None):
        raise BadInput("--out or --resume: give one of them")
    with open_engine(engine, master, temp=str((out or resume or Path()).absolute() / "state" / "spark")) as opened:
        if resume is not None:
            return resume_rounds(resume, rounds, opened, progress.note, given)
        base = from_toml(settings) if settings is not None else Settings()
        return crawl_rounds(cast(Path, out), merged(base, given), rounds, opened, progress.note)


def _version(text: str) -> tuple[str, int]:
    kind, _, number = text.partition(":")
    if not kind or not number.isdigit():
        raise BadInput(f"--rollback {text}: not KIND:N (such as rules:3)")
    return kind, int(number)


def _lines(result: dict[str, Any]) -> list[str]:
    skipped = ", ".join(f"{reason} {count:,}" for reason, count in result["skipped"].items()) or "none"
    return [
        f"{result['stored']:,} stored ({result['pages']:,} pages, {result['errors']:,} errors), "
        f"{result['redirects']:,} redirects, {result['queued']:,} queued, skipped: {skipped}",
        f"{result['ended']} after {result['seconds']:,.1f} s ({result['folder']})",
    ]
