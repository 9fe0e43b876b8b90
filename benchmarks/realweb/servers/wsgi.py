"""A WSGI application as an HTTP server: `python wsgi.py PORT MODULE`. The module's `application` is served."""

import importlib
import sys
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server


class Server(ThreadingMixIn, WSGIServer):
    """One thread a request: none waits behind a slow one."""

    daemon_threads = True


class Handler(WSGIRequestHandler):
    """The names in URLs are those of the Web, on its usual port."""

    def get_environ(self) -> dict[str, object]:
        environ: dict[str, object] = super().get_environ()
        environ["SERVER_NAME"], environ["SERVER_PORT"] = self.headers.get("Host", "localhost"), "80"
        return environ


if __name__ == "__main__":
    sys.path.insert(0, "")
    application = importlib.import_module(sys.argv[2]).application
    make_server("127.0.0.1", int(sys.argv[1]), application, Server, Handler).serve_forever()
