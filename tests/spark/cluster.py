"""A standalone Spark cluster on loopback: a master and workers, each a process of its own."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

SMALL_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def standalone(folder: Path, workers: int = 2, memory: str = "1g") -> Iterator[str]:
    """The address of a master that has `workers` workers of one core; `TimeoutError` where it cannot be started."""
    port = free_port()
    address = f"spark://127.0.0.1:{port}"
    deploy = "org.apache.spark.deploy"
    commands = [[f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0"]]
    worker = [f"{deploy}.worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", memory, "--webui-port", "0"]
    commands += [[*worker, "--work-dir", str(folder / f"work{n}"), address] for n in range(workers)]
    started: list[subprocess.Popen[bytes]] = []
    try:
        with (folder / "master.log").open("wb") as log:
            for command in commands:
                started.append(_start(command, log if not started else subprocess.DEVNULL))
                if len(started) == 1:
                    _wait(lambda: _listens(port))
            _wait(lambda: len(re.findall(b"Registering worker", (folder / "master.log").read_bytes())) >= workers)
        yield address
    finally:
        for process in reversed(started):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait(20)


def executors(folder: Path) -> list[int]:
    """The process numbers of the executors that the workers of `folder` started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                command = (entry / "cmdline").read_bytes()
                if b"CoarseGrainedExecutorBackend" in command and str(folder).encode() in os.fsencode((entry / "cwd").readlink()):
                    found.append(int(entry.name))
    return sorted(found)


def _start(command: list[str], log: object) -> "subprocess.Popen[bytes]":
    import pyspark

    spark_class = Path(pyspark.__file__).parent / "bin" / "spark-class"
    options = {"SPARK_DAEMON_JAVA_OPTS": SMALL_JAVA, "SPARK_DAEMON_MEMORY": "256m", "SPARK_LOCAL_IP": "127.0.0.1"}
    return subprocess.Popen(
        [str(spark_class), *command], stdout=log, stderr=subprocess.STDOUT, env={**os.environ, **options}, start_new_session=True
    )  # type: ignore[call-overload]


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _wait(ready, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError("the cluster did not start")
        time.sleep(0.2)
