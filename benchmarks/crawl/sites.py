"""Static sites for the speed comparison: one host of many pages, or many hosts of a few, served by nginx from files."""

import contextlib
import random
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

WORDS = ("river", "gravel", "gold", "pan", "water", "stone", "sieve", "camp", "trail", "valley", "map", "lamp", "rope", "tent")
CONF = """
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
  access_log off; sendfile on; tcp_nodelay on; keepalive_requests 1000000; default_type text/html;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  open_file_cache max=20000; types {{ text/html html; }}
  server {{ listen 127.0.0.0:{port}; listen 0.0.0.0:{port}; root {folder}/$host; index 0.html; }}
}}
"""


def page(host: str, number: int, hosts: list[str], per_host: int, size: int, draw: random.Random, port: int) -> bytes:
    """A page of about `size` bytes with links in its text: to the next page, to others of its host, to other hosts."""
    links = [f"/{(number + 1) % per_host}.html", *(f"/{draw.randrange(per_host)}.html" for _ in range(size // 600))]
    links += [f"http://{draw.choice(hosts)}:{port}/0.html" for _ in range(4)] if len(hosts) > 1 else []
    parts, length = [f"<html><head><title>Page {number} of {host}</title></head><body><h1>{number}</h1>"], 0
    paragraph = max(200, size // len(links) - 60)
    for link in links:
        words: list[str] = []
        while sum(map(len, words)) + len(words) < paragraph:
            words.append(draw.choice(WORDS))
        parts.append(f'<p>{" ".join(words)} <a href="{link}">{draw.choice(WORDS)} {number}</a></p>')
        length += paragraph
    return "\n".join([*parts, "</body></html>"]).encode()


def make(folder: Path, hosts: list[str], per_host: int, sizes: tuple[int, int], port: int) -> None:
    """Write all pages; the same arguments give the same files."""
    for host in hosts:
        draw = random.Random(f"{host} {sizes}")
        (folder / host).mkdir(parents=True)
        for number in range(per_host):
            body = page(host, number, hosts, per_host, draw.randint(*sizes), draw, port)
            (folder / host / f"{number}.html").write_bytes(body)
            (folder / host / "robots.txt").write_text("User-agent: *\nDisallow: /private\n")


@contextlib.contextmanager
def served(hosts: list[str], per_host: int, sizes: tuple[int, int], port: int, core: int) -> Iterator[Path]:
    """The sites behind nginx on one core of this machine, while the block runs."""
    folder = Path(tempfile.mkdtemp(prefix="garimpo-bench-"))
    try:
        make(folder, hosts, per_host, sizes, port)
        conf = CONF.replace("listen 127.0.0.0:{port}; ", "").format(folder=folder, port=port)
        (folder / "nginx.conf").write_text(conf)
        folder.chmod(0o755)
        command = ["taskset", "-c", str(core), "nginx", "-c", str(folder / "nginx.conf"), "-p", str(folder), "-g", "user root;"]
        server = subprocess.Popen(command)
        try:
            _wait(f"http://{hosts[0]}:{port}/0.html")
            yield folder
        finally:
            server.terminate()
            server.wait()
    finally:
        shutil.rmtree(folder)


def _wait(url: str) -> None:
    for _ in range(100):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(url, timeout=1).read()
            return
        time.sleep(0.1)
    raise SystemExit(f"{url}: the server did not start")
