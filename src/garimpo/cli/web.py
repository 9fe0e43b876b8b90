"""``garimpo web``: make a small Internet with known truth, and serve it."""

from pathlib import Path
from typing import Literal

from garimpo.cli.options import Json, NoChance, Seed, Switch, group_of_verbs
from garimpo.cli.output import emit, progress

app = group_of_verbs("web", "A made web with known truth, and its server.")


@app.command
def make(
    folder: Path,
    *,
    profile: Literal["small", "medium", "large"] = "small",
    seed: Seed = 0,
    static: Switch = False,
    hosts: int | None = None,
    urls: int | None = None,
    json: Json = False,
) -> None:
    """Make a web in FOLDER: pages, host names and truth tables.

    For example:
      garimpo web make web --profile small --seed 1

    Args:
        folder: A new or empty folder, or one that holds a made web.
        profile: small (60 hosts), medium (1,500) or large (50,000, computed and not stored).
        static: No dynamic text, no faults, no endless traps.
        hosts: How many hosts, in place of the profile's.
        urls: About how many URLs, in place of the profile's.
    """
    from garimpo.webgen import make as make_web
    from garimpo.webgen import settings_for

    expected = settings_for(profile, seed, static, hosts=hosts, urls=urls).urls
    with progress("making pages", expected) as bar:
        made = make_web(folder, profile, seed, static, bar.advance, hosts=hosts, urls=urls)
    emit(made, json, [", ".join(f"{name}: {value}" for name, value in made.items())])


@app.command
def serve(
    folder: Path,
    *,
    port: int = 8080,
    errors: float = 0.0,
    resets: float = 0.0,
    slow: float = 0.0,
    delay: float = 1.0,
    tls: Switch = False,
    log: Path | None = None,
    seed: NoChance = 0,
    json: Json = False,
) -> None:
    """Serve the web in FOLDER on loopback, every host by its name, until interrupted.

    For example:
      garimpo web serve web --port 8080

    Args:
        folder: A made web.
        port: Where to listen; 0 takes any free port.
        errors: Part of the requests answered 503.
        resets: Part of the requests whose connection is cut.
        slow: Part of the requests answered late.
        delay: Seconds by which they are late.
        tls: Speak TLS with HTTP/2 or 1.1; FOLDER/tls/ca.pem is the authority to trust.
        log: The access log (time, host, target, status); FOLDER/access.log if not given.
    """
    from garimpo.webgen.serving.server import serve_forever
    from garimpo.webgen.world.faults import Faults

    def ready(port: int) -> None:
        emit({"address": "127.0.0.1", "port": port}, json, [f"serving {folder} on 127.0.0.1:{port}"])

    serve_forever(folder, port, Faults(errors, resets, slow, delay), log, ready, tls)


@app.command
def tables(
    folder: Path,
    *,
    kind: Literal["mirrors", "locator", "dust", "graph"],
    hosts: int | None = None,
    prevalence: float | None = None,
    sites: int | None = None,
    relevant: float | None = None,
    recall: float | None = None,
    false_alarm: float | None = None,
    clusters: int | None = None,
    false_merge: float | None = None,
    missing: float | None = None,
    pages: int | None = None,
    regime: Literal["cluster", "islands", "sections"] | None = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Make tables without pages in FOLDER, for sizes that no page store can hold.

    For example:
      garimpo web tables big --kind mirrors --hosts 50000 --prevalence 0.004

    Args:
        folder: Where to write.
        kind: Which tables.
        hosts: mirrors: how many hosts (50,000).
        prevalence: mirrors: part of the pairs sharing a page that are replicas (0.004).
        sites: locator: how many sites (6,000).
        relevant: locator: part of them that are relevant (0.1).
        recall: locator: part of the relevant sites that the detector finds (0.9).
        false_alarm: locator: part of the other sites that it takes for relevant (0.008).
        clusters: dust: how many pages with more than one URL (200,000).
        false_merge: dust: part of the pages thrown together by mistake (0).
        missing: dust: part of the URLs whose duplicates are not known (0).
        pages: graph: how many pages (1,000,000).
        regime: graph: how its topics lie (cluster).
    """
    from garimpo.webgen.tables import make_tables

    sizes = {"hosts": hosts, "prevalence": prevalence, "sites": sites, "relevant": relevant, "recall": recall}
    sizes |= {"false_alarm": false_alarm, "clusters": clusters, "false_merge": false_merge, "missing": missing}
    made = make_tables(folder, kind, seed, **sizes, pages=pages, regime=regime)
    emit(made, json, [", ".join(f"{name}: {value}" for name, value in made.items())])
