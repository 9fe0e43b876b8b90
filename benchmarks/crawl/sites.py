"""Static sites for the speed comparison: one host of many pages, or many hosts of a few, served by nginx from files.

The hosts have names, as on the web; for the time of a run they stand in /etc/hosts (which takes a root shell in a container).
"""

import contextlib
import random
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

HOSTS = Path("/etc/hosts")
WORDS = ("river", "gravel", "gold", "pan", "water", "stone", "sieve", "camp", "trail", "valley", "map", "lamp", "rope", "tent")
CONF = """
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
  access_log off; sendfile on; tcp_nodelay on; keepalive_requests 1000000; default_type text/html;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  open_file_cache max=20000; types {{ text/html html; }}
  server {{ listen 127.0.0.1:80; root {folder}/$host; index 0.html; }}
}}
"""


def page(host: str, number: int, hosts: list[str], per_host: int, size: int, draw: random.Random) -> bytes:
    """A page of about `size` bytes with links in its text: to the next page, to others of its host, to other hosts."""
    links = [f"/{(number + 1) % per_host}.html", *(f"/{draw.randrange(per_host)}.html" for _ in range(size // 600))]
    links += [f"http://{draw.choice(hosts)}/0.html" for _ in range(4)] if len(hosts) > 1 else []
    parts, length = [f"<html><head><title>Page {number} of {host}</title></head><body><h1>{number}</h1>"], 0
    paragraph = max(200, size // len(links) - 60)
    for link in links:
        words, filled = [], 0
        while filled < paragraph:
            words.append(draw.choice(WORDS))
            filled += len(words[-1]) + 1
        parts.append(f'<p>{" ".join(words)} <a href="{link}">{draw.choice(WORDS)} {number}</a></p>')
        length += paragraph
    return "\n".join([*parts, "</body></html>"]).encode()


def make(folder: Path, hosts: list[str], per_host: int, sizes: tuple[int, int]) -> None:
    """Write all pages; the same arguments give the same files."""
    for host in hosts:
        draw = random.Random(f"{host} {sizes}")
        (folder / host).mkdir(parents=True)
        for number in range(per_host):
            body = page(host, number, hosts, per_host, draw.randint(*sizes), draw)
            (folder / host / f"{number}.html").write_bytes(body)
        (folder / host / "robots.txt").write_text("User-agent: *\nDisallow: /private\n")


@contextlib.contextmanager
def named(hosts: list[str]) -> Iterator[None]:
    """The hosts in /etc/hosts while the block runs."""
    before = HOSTS.read_text()
    HOSTS.write_text(before + "".join(f"127.0.0.1 {host}\n" for host in hosts))
    try:
        yield
    finally:
        HOSTS.write_text(before)


@contextlib.contextmanager
def served(webs: Mapping[tuple[str, ...], int], sizes: tuple[int, int], core: int) -> Iterator[Path]:
    """Webs (hosts that link to each other, each with so many pages) behind nginx on one core, while the block runs."""
    hosts = [host for web in webs for host in web]
    folder = Path(tempfile.mkdtemp(prefix="garimpo-bench-"))
    try:
        for web, per_host in webs.items():
            make(folder, list(web), per_host, sizes)
        (folder / "nginx.conf").write_text(CONF.format(folder=folder))
        folder.chmod(0o755)
        command = ["taskset", "-c", str(core), "nginx", "-c", str(folder / "nginx.conf"), "-p", str(folder), "-g", "user root;"]
        with named(hosts):
            server = subprocess.Popen(command)
            try:
                _wait(f"http://{hosts[0]}/0.html")
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
