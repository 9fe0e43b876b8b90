"""A Spark session, and what can go wrong with one, said in a line that tells what to do."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

from garimpo.contract.errors import BadInput, GarimpoError, option

JAVA = 17
"""The oldest Java that Spark 4 runs on."""


def open_session(master: str, settings: dict[str, str]) -> tuple[Any, bool]:
    """A session, and whether it was made here: the one the program already has, else a new one on `master`."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise BadInput("Spark is not installed: pip install 'garimpo[spark]'") from None
    running = SparkSession.getActiveSession()
    if running is not None:
        return running, False
    check_java()
    check_master(master)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master).appName("garimpo")
    for name, value in {**_defaults(master), **settings}.items():
        builder = builder.config(name, value)
    with _java_speaks_aside() as said, explained(f"--master {master}", said):
        return builder.getOrCreate(), True


def _defaults(master: str) -> dict[str, str]:
    settings = {
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "16384",
        "spark.sql.execution.arrow.maxBytesPerBatch": str(64 << 20),
        "spark.sql.session.timeZone": "UTC",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "OFF",  # what fails is told in one line
    }
    if master.startswith("local"):
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    for name in ("GARIMPO_CACHE", "PYTHONPATH"):  # where compiled kernels are kept, and a package that is not installed
        if os.environ.get(name):
            settings[f"spark.executorEnv.{name}"] = os.environ[name]
    return settings


def check_java() -> None:
    """Raise `BadInput` where there is no Java that Spark can use."""
    home = os.environ.get("JAVA_HOME")
    java = f"{home}/bin/java" if home else shutil.which("java")
    if not java or not os.path.exists(java):  # noqa: PTH110
        raise BadInput(f"Spark needs Java {JAVA} or newer: install it, or set JAVA_HOME to where it is")
    shown = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', shown)
    if not found or int(found[1]) < JAVA:
        version = found[1] if found else "unknown"
        raise BadInput(f"Spark needs Java {JAVA} or newer, {java} is version {version}: set JAVA_HOME to a newer one")


def check_master(master: str) -> None:
    """Raise `BadInput` for an address that is no master, or where nobody answers."""
    if re.fullmatch(r"local(\[(\d+|\*)(,\s*\d+)?\])?", master) or master == "yarn" or master.startswith("k8s://"):
        return
    parts = urlsplit(master)
    try:
        address = (parts.hostname or "", parts.port or 0)
    except ValueError:
        address = ("", 0)
    if parts.scheme != "spark" or not all(address):
        raise BadInput(f"{option('master', master)}: not a Spark master (local[2], spark://host:7077, yarn, k8s://...)")
    try:
        socket.create_connection(address, timeout=5).close()
    except OSError as error:
        raise BadInput(f"{option('master', master)}: nobody answers there ({error.strerror or error})") from None


@contextlib.contextmanager
def _java_speaks_aside() -> Iterator[Callable[[], str]]:
    """What Java writes to stderr, while it starts and ever after, goes to a file without a name; what it said so far."""
    with tempfile.TemporaryFile() as file:
        sys.stderr.flush()
        usual = os.dup(2)
        os.dup2(file.fileno(), 2)

        def said() -> str:
            file.seek(0)
            return file.read().decode(errors="replace")

        try:
            yield said
        finally:
            os.dup2(usual, 2)
            os.close(usual)


@contextlib.contextmanager
def explained(what: str, said: Callable[[], str] = str) -> Iterator[None]:
    """Turn Spark's errors into one line; `said` gives what Java wrote besides."""
    try:
        yield
    except (BadInput, GarimpoError, KeyboardInterrupt, GeneratorExit):
        raise
    except Exception as error:
        if not type(error).__module__.startswith(("pyspark", "py4j")):
            raise
        text = said() if "JAVA_GATEWAY_EXITED" in str(error) and said() else str(error)
        raise _translated(what, text) from None


def _translated(what: str, text: str) -> GarimpoError:
    """The one line that says what to do, for what Java or a worker said."""
    return _of_workers(text) or _of_input(what, text) or _of_steps(what, text)


def _of_workers(text: str) -> GarimpoError | None:
    absent = re.search(r"No module named '([\w.]+)'", text)
    if absent:
        return GarimpoError(f"the Spark workers cannot import {absent[1]}: install it on each (pip install 'garimpo[spark]')")
    program = re.search(r'Cannot run program "([^"]+)": error=(\d+)', text)
    if program:
        return GarimpoError(f"the Spark workers cannot run {program[1]}: set PYSPARK_PYTHON to a Python they can run")
    versions = re.search(r"PYTHON_VERSION_MISMATCH\].*?version: '?([\d.]+)'?.*?driver: '?([\d.]+\d)", text, re.DOTALL)
    if versions:
        return GarimpoError(f"the Spark workers run Python {versions[1]}, the driver {versions[2]}: set PYSPARK_PYTHON")
    return None


def _of_input(what: str, text: str) -> BadInput | None:
    if what.startswith("--master") and re.search(r"No active SparkContext|unresponsive|stopped SparkContext", text):
        return BadInput(f"{what}: no Spark master answers there")
    if re.search(r"Permission denied|AccessControlException", text):  # Java says so of a file that is "not found", too
        named = re.search(r"FileNotFoundException: (?:file:)?(\S.*) \(Permission denied\)", text)
        return BadInput(f"{named[1] if named else what}: no permission")
    if re.search(r"PATH_NOT_FOUND|FileNotFoundException|does not exist", text):
        return BadInput(f"{what}: no such file")
    damaged = re.search(r"FAILED_READ_FILE\.(\w+)\] Encountered error while reading file (?:file:/+)?(\S+?)\.\s", text)
    if damaged:
        causes = re.findall(r"Caused by: [\w.$]+: (.*)", text)
        kind = "not a Parquet file" if "FOOTER" in damaged[1] else "damaged"
        root = "/" if "reading file file:" in text else ""
        return BadInput(f"{root}{unquote(damaged[2])}: {kind} ({causes[-1] if causes else 'no reason given'})")
    host = re.search(r"UnknownHostException: (\S+)", text)
    return BadInput(f"{what}: no host {host[1]}") if host else None


def _of_steps(what: str, text: str) -> GarimpoError:
    """What a step raised, else the last that Java had to say."""
    for kind in ("BadInput", "GarimpoError"):
        told = re.search(rf"garimpo\.contract\.errors\.{kind}: (.*)", text)
        if told:
            return BadInput(told[1]) if kind == "BadInput" else GarimpoError(told[1])
    useful = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("at ", "File ", "..."))]
    return GarimpoError(f"{what}: Spark failed: {useful[-1] if useful else 'no reason given'}")
