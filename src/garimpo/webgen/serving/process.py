"""A server in a process of its own, for tests and demonstrations."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from garimpo.contract.errors import BadInput, GarimpoError


@dataclass(frozen=True)
class Serving:
    """Where a server answers and what it was asked.

    Args:
        host: the address it listens on.
        port: the port.
        folder: of the made web.
    """

    host: str
    port: int
    folder: Path

    @property
    def address(self) -> str:
        """``host:port``, for ``--resolve-all``."""
        return f"{self.host}:{self.port}"

    def log(self) -> list[tuple[float, str, str, int]]:
        """The requests so far: time, host, target, status."""
        lines = (self.folder / "access.log").read_text("utf-8", "replace").splitlines()
        rows = (line.split("\t") for line in lines)
        return [(float(at), host, target, int(status)) for at, host, target, status in rows]


@contextlib.contextmanager
def serve(
    folder: str | Path,
    port: int = 0,
    *,
    errors: float = 0.0,
    resets: float = 0.0,
    slow: float = 0.0,
    delay: float = 1.0,
    tls: bool = False,
) -> Iterator[Serving]:
    """Serve the world in `folder` while the block runs; port 0 takes any free one.

    Use: ``with serve("web") as server: fetch(server.address)``.

    Args:
        folder: a made web.
        port: where to listen; 0 takes any free port.
        errors: part of the requests answered 503.
        resets: part of the requests whose connection is cut.
        slow: part of the requests answered late.
        delay: seconds by which they are late.
        tls: whether to speak TLS.
    """
    rates = {"errors": errors, "resets": resets, "slow": slow, "delay": delay}
    flags = [f"--{name}={value}" for name, value in rates.items()] + (["--tls"] if tls else [])
    command = [sys.executable, "-m", "garimpo", "web", "serve", str(folder), f"--port={port}", "--json", *flags]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stderr is not None
    try:
        line = process.stdout.readline()
        if not line:
            message = process.stderr.read().strip().removeprefix("garimpo: ")
            raise BadInput(message) if process.wait() == 2 else GarimpoError(message or "the server did not start")
        yield Serving("127.0.0.1", msgspec.json.decode(line)["port"], Path(folder))
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
        process.stderr.close()
