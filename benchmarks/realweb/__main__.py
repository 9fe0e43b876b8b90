"""The commands: set the real web up, serve it, keep a snapshot of it, run crawls over it."""

import argparse
import shutil
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from realweb.application import Application, Material
from realweb.applications import APPLICATIONS
from realweb.cache import serving
from realweb.packages import Missing
from realweb.releases import make_repositories
from realweb.texts import read_texts
from realweb.upstream import open_source


def set_up(applications: Sequence[Application], data: Path, text: Path | None, again: bool) -> None:
    """Install and fill what does not stand yet; what cannot be had is skipped with one line."""
    material: Material | None = None
    for application in applications:
        folder = data / "applications" / application.name
        if again:
            shutil.rmtree(folder, ignore_errors=True)
        if (folder / "ready").exists():
            print(f"{application.name}: stands")
            continue
        started = time.monotonic()
        try:
            material = material or gather(data, text)
            build(application, folder, material)
        except Missing as error:
            print(f"{application.name}: skipped: {error}")
            continue
        (data / "answers" / f"{application.name}.sqlite").unlink(missing_ok=True)
        print(f"{application.name}: set up in {time.monotonic() - started:.0f} s", flush=True)


def gather(data: Path, text: Path | None) -> Material:
    """What applications are filled with."""
    documents = read_texts(data / "texts", text)
    make_repositories(data / "repositories")
    return Material(documents, data / "repositories")


def build(application: Application, folder: Path, material: Material) -> None:
    """One application, from nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    application.install(folder)
    application.fill(folder, material)
    (folder / "ready").touch()


def standing(applications: Sequence[Application], data: Path) -> list[Application]:
    """Those that were set up."""
    return [one for one in applications if (data / "applications" / one.name / "ready").exists()]


def serve(applications: Sequence[Application], data: Path, port: int) -> None:
    """Serve until interrupted."""
    sources = [open_source(application, data) for application in standing(applications, data)]
    try:
        with serving(sources, port) as cache:
            for source in sources:
                print(*source.application.seeds())
            print(f"garimpo crawl ... --resolve-all {cache.address} --allow-private", file=sys.stderr)
            threading.Event().wait()
    except KeyboardInterrupt:
        pass
    finally:
        for source in sources:
            source.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m realweb", description=__doc__)
    parser.add_argument("command", choices=["setup", "serve", "snapshot", "bench", "equality", "demo"])
    parser.add_argument("names", nargs="*", help="applications (all; demo: one, mezzanine unless named)")
    parser.add_argument("--data", type=Path, default=Path("out/realweb"), help="where everything is kept (out/realweb)")
    parser.add_argument(
        "--text", type=Path, help="setup: a folder of .txt and .html, or a Parquet file with a column text, to fill with first"
    )
    parser.add_argument("--again", action="store_true", help="setup: from nothing, also what stands")
    parser.add_argument("--port", type=int, default=0, help="serve: where to listen (any free port)")
    parser.add_argument("--requests", type=int, help="snapshot, bench, demo: requests a crawl may make (20000, 1500, 1000)")
    parser.add_argument("--seeds", type=int, default=5, help="bench: how many values of --seed")
    parser.add_argument("--figure", type=Path, default=Path("out/realweb.svg"), help="demo: where its figure goes (%(default)s)")
    parser.add_argument("--live", action="store_true", help="bench: crawl over loopback, not over the kept answers")
    given = parser.parse_intermixed_args()
    unknown = set(given.names) - {application.name for application in APPLICATIONS}
    if unknown:
        parser.error(f"no such application: {', '.join(sorted(unknown))}")
    if given.command == "demo":
        given.names = given.names[:1] or ["mezzanine"]
    applications = [one for one in APPLICATIONS if not given.names or one.name in given.names]
    data = given.data.absolute()
    if given.command == "setup":
        set_up(applications, data, given.text, given.again)
    elif given.command == "serve":
        serve(applications, data, given.port)
    elif given.command == "demo":
        from realweb.demo import show

        set_up(applications, data, given.text, again=False)
        for application in standing(applications, data):
            show(application, data, given.requests or 1_000, given.figure)
    elif given.command == "equality":
        from realweb.equality import measure

        for application in standing(applications, data):
            print(f"{application.name}: {measure(open_source(application, data))}", flush=True)
    else:
        from realweb.bench import bench, snapshot

        if given.command == "snapshot":
            snapshot(standing(applications, data), data, given.requests or 20_000)
        else:
            bench(standing(applications, data), data, given.requests or 1_500, given.seeds, given.live)


if __name__ == "__main__":
    main()
