"""Folders as hosts: `python static.py PORT ROOT`. The folder `ROOT/<Host>` is the host; a folder's page is its `index.html`."""

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Handler(SimpleHTTPRequestHandler):
    """Files by host. No listings: only what the packages' authors wrote is a page."""

    def __init__(self, *given: object, root: Path) -> None:
        self.root = root
        super().__init__(*given, directory=str(root))  # type: ignore[arg-type]

    def translate_path(self, path: str) -> str:
        host = self.headers.get("Host", "").partition(":")[0]
        self.directory = str(self.root / host) if host in {folder.name for folder in self.root.iterdir()} else "/nonexistent"
        return super().translate_path(path)

    def list_directory(self, path: object) -> None:
        self.send_error(404)


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), partial(Handler, root=Path(sys.argv[2]))).serve_forever()
