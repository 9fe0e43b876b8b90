"""A CGI program as an HTTP server: `python gateway.py PORT PROGRAM`. Every path goes to the program."""

import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    """Runs the program once a request."""

    program = ""

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        environment = {
            **os.environ,
            "GATEWAY_INTERFACE": "CGI/1.1",
            "REQUEST_METHOD": "GET",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "SERVER_NAME": self.headers.get("Host", "localhost"),
            "SERVER_PORT": "80",
            "HTTP_HOST": self.headers.get("Host", "localhost"),
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_URI": self.path,
        }
        ran = subprocess.run([self.program], env=environment, capture_output=True, timeout=60)
        head, _, body = ran.stdout.replace(b"\r\n\r\n", b"\n\n", 1).partition(b"\n\n")
        lines = [line.partition(":") for line in head.decode("latin-1").splitlines() if ":" in line]
        headers = [(name.strip(), value.strip()) for name, _, value in lines]
        status = next((value for name, value in headers if name.lower() == "status"), "200")
        self.send_response(int(status.split()[0]) if headers else 500)
        for name, value in headers:
            if name.lower() not in ("status", "content-length"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    Handler.program = sys.argv[2]
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
