"""``garimpo ui``: what a crawl does, and why, in the browser."""

from pathlib import Path

from garimpo.cli.options import Json, NoChance
from garimpo.cli.output import emit


def ui(folder: Path, *, port: int = 0, json: Json = False, seed: NoChance = 0) -> None:
    """Show the crawl in FOLDER in the browser, while it runs or afterwards: open the address that is printed.

    For example:
      garimpo ui crawl
      garimpo ui crawl --port 8090

    Args:
        folder: A crawl folder.
        port: Where to listen, on this machine only; 0 takes any free port.
    """
    from garimpo.ui import serve

    def ready(address: str) -> None:
        emit({"address": address}, json, [f"{folder} is shown at {address} (Ctrl-C ends it; the crawl goes on)"])

    serve(folder, port, ready=ready)
