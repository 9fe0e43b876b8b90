"""Pages a second that the made web's server gives out on one core, asked over keep-alive connections.

Run: python benchmarks/webgen/throughput.py [FOLDER]   (without FOLDER a small web is made)
CPU time of the server's own process is what counts, as other jobs may share the machine.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from garimpo import webgen

CONNECTIONS, REQUESTS = 16, 30_000


async def _client(port: int, requests: list[bytes]) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    received = 0
    for start in range(0, len(requests), 8):
        some = requests[start : start + 8]
        writer.write(b"".join(some))
        for _ in some:
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.partition(b"Content-Length: ")[2].partition(b"\r\n")[0])
            received += len(await reader.readexactly(length))
    writer.close()
    return received


def _cpu(process: int) -> float:
    """CPU seconds of a process, counted in ticks of the system's clock."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _ask(port: int, requests: list[bytes]) -> int:
    parts = [requests[turn::CONNECTIONS] for turn in range(CONNECTIONS)]
    return sum(await asyncio.gather(*(_client(port, part) for part in parts)))


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        quick, given = "--quick" in sys.argv, [word for word in sys.argv[1:] if not word.startswith("--")]
        folder = Path(given[0]) if given else Path(scratch) / "web"
        if not given:
            webgen.make(folder, seed=1)
        tables = webgen.truth(folder)
        faulty = set(tables["faults"]["host"].to_pylist())
        split = (url.removeprefix("http://").partition("/") for url in tables["pages"]["url"].to_pylist())
        targets = [(host, path) for host, _, path in split if host not in faulty]
        requests = [f"GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode() for host, path in targets]
        wanted = 5_000 if quick else REQUESTS
        requests = (requests * (wanted // len(requests) + 1))[:wanted]
        command = [
            sys.executable,
            "-m",
            "garimpo",
            "web",
            "serve",
            str(folder),
            "--port=0",
            "--json",
            f"--log={scratch}/log",
        ]
        server = subprocess.Popen(command, stdout=subprocess.PIPE)
        try:
            assert server.stdout is not None
            port = msgspec.json.decode(server.stdout.readline())["port"]
            before, started = _cpu(server.pid), time.perf_counter()
            received = asyncio.run(_ask(port, requests))
            wall, cpu = time.perf_counter() - started, max(_cpu(server.pid) - before, 1 / os.sysconf("SC_CLK_TCK"))
        finally:
            server.terminate()
            server.wait()
    print(f"{len(requests):,} requests, {received / 1e6:.0f} MB in {wall:.1f} s: {len(requests) / wall:,.0f} pages/s;")
    print(f"the server's CPU time {cpu:.1f} s: {len(requests) / cpu:,.0f} pages/s of one core (bar: 3,000)")


if __name__ == "__main__":
    main()
