"""A documentation site on loopback: pages with a menu and a footer, each under a second address, and without them under a third.

There is a PDF document, too, and names are in mixed case.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from page.made_pdf import pdf

PAGES = 40
FOOTER = "All rights are reserved by the panners of the river."
TOOLS = "pan sluice rocker cradle sieve shovel dredge bucket scale magnet".split()  # noqa: SIM905
WORDS = "river gravel bedrock stream nugget flake placer tailing bank bend flood drift assay claim vein quartz".split()  # noqa: SIM905


def sentence(number: int, part: int) -> str:
    chosen = [WORDS[(number * 7 + part * 5 + at * (number + 3)) % len(WORDS)] for at in range(14)]
    words = " ".join(f"{word}{(number * part + at) % 97}" for at, word in enumerate(chosen))
    return f"Step {part} of tool {number}: {words}."


def page(number: int, bare: bool = False) -> str:
    """A page of the manual; `bare` as it is to be printed: the same body, without menu and footer."""
    tool = f"{TOOLS[number % len(TOOLS)]}{number}"
    links = "".join(f"<li><a href='/Tools/{other}.html'>The {TOOLS[other % len(TOOLS)]}{other}</a>" for other in range(PAGES))
    menu = f"<div class=top><a href=/>Manual of the panners</a></div><ul class=toc>{links}</ul>"
    steps = "".join(f"<p>{sentence(number, part)}</p>" for part in range(1, 9))
    footer = f"<p class=end>{FOOTER}</p>"
    return (
        f"<!doctype html><html lang=en><title>{tool}</title>{'' if bare else menu}<div class=body><h1>The {tool}</h1>{steps}"
        f"<h2>How to call the {tool}</h2><pre><code class=language-sh>{tool} --wash {number}</code></pre>"
        f"<table><tr><th>part of it</th><th>weight in grams</th></tr><tr><td>rim of {tool}</td><td>{number} g</td></tr></table>"
        f"<p>See <a href='/Tools/{(number + 1) % PAGES}.html'>the one after {tool}</a>, <a href='/Copy/{number}.html'>a copy</a>,"
        f" <a href='/Print/{number}.html'>on paper</a>.</div>{'' if bare else footer}"
    )


class _Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        kind, body = "text/html; charset=utf-8", b""
        path = self.path.partition("?")[0]
        name = path.rpartition("/")[2].removesuffix(".html")
        if path == "/":
            links = "".join(f"<a href=/Tools/{number}.html>{number}</a> " for number in range(PAGES))
            body = f"<title>Manual</title><h1>Manual</h1>{links}<a href=/all.pdf>PDF</a>".encode()
        elif path == "/all.pdf":
            kind, body = "application/pdf", pdf([["Gold was found in the river where nobody had looked."]], "The whole manual")
        elif path.startswith(("/Tools/", "/Copy/", "/Print/")) and name.isdigit() and int(name) < PAGES:
            body = page(int(name), bare=path.startswith("/Print/")).encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def served() -> Iterator[str]:
    """The address of the site, while it is served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Site) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
