"""A crawl in rounds on a cluster: an executor is killed in the middle, then the driver; the pages are those of a calm crawl."""

import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

from garimpo import webgen
from garimpo.archive import Store
from garimpo.crawl import status
from spark.cluster import SMALL_JAVA, executors

DELAY = 0.2
CONF = f"""spark.sql.shuffle.partitions 2
spark.executor.memory 512m
spark.executor.cores 1
spark.driver.host 127.0.0.1
spark.driver.memory 1g
spark.executor.extraJavaOptions {SMALL_JAVA}
spark.driver.extraJavaOptions {SMALL_JAVA}
spark.sql.codegen.wholeStage false
"""


def contents(folder: Path) -> dict[str, tuple]:
    with Store.open(folder, write=False) as store:
        rows = [row for batch in store.pages(["url", "status", "text_digest"]) for row in batch.to_pylist()]
    found = {row["url"]: (row["status"], row["text_digest"]) for row in rows}
    assert len(found) == len(rows), "a page was stored twice"
    return found


def wait_for(condition, seconds: float = 600) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing came of it"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "web"
    webgen.make(folder, "small", seed=3, static=True, hosts=20, urls=200)
    return folder


@pytest.mark.timeout(1800)  # a minute on a quiet machine; Java is patient where others keep it busy
def test_kills_cost_time_only(cluster, web: Path, tmp_path: Path) -> None:
    master, home = cluster
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "spark-defaults.conf").write_text(CONF)
    environment = {**os.environ, "SPARK_CONF_DIR": str(tmp_path / "conf")}
    command = [sys.executable, "-m", "garimpo", "crawl"]
    on_spark = ["--engine", "spark", "--rounds", "40", "--master", master]
    out = tmp_path / "rounds"

    def start(*flags: str) -> "subprocess.Popen[str]":
        return subprocess.Popen([*command, *flags], env=environment, stderr=subprocess.PIPE, text=True)

    with webgen.serve(web) as server:
        flags = [
            "--scope", "all", "--strategy", "bfs", "--no-learn", "--trap-run", "0",
            "--resolve-all", server.address, "--hosts", str(web / "hosts"),
        ]  # fmt: skip
        calm = start(f"@{web / 'seeds.txt'}", *flags, "--delay", "0", "--out", str(tmp_path / "calm"))
        assert calm.wait(300) == 0
        (tmp_path / "seeds.txt").write_text("\n".join(_near(tmp_path / "calm", 4)))  # each depth more is a round more
        asked = len(server.log())

        crawl = start(f"@{tmp_path / 'seeds.txt'}", *flags, "--delay", str(DELAY), "--out", str(out), *on_spark)
        wait_for(lambda: len(server.log()) > asked + 30 or crawl.poll() is not None)
        assert crawl.poll() is None, crawl.communicate()[1]
        os.kill(executors(home)[0], signal.SIGKILL)
        wait_for(lambda: _rounds(out) >= 1 or crawl.poll() is not None)
        many = len(server.log())
        wait_for(lambda: len(server.log()) > many + 3 or crawl.poll() is not None)
        assert crawl.poll() is None, crawl.communicate()[1]
        crawl.kill()
        crawl.communicate()
        again = start("--resume", str(out), *on_spark)
        assert again.wait(900) == 0, again.communicate()[1]
        log = server.log()[asked:]
    assert contents(out) == contents(tmp_path / "calm")
    assert min(_gaps(web, log)) >= DELAY - 0.002


def _near(folder: Path, depth: int) -> list[str]:
    """The URLs of a crawl that are so near to its seeds."""
    with Store.open(folder, write=False) as store:
        rows = [row for batch in store.pages(["url", "depth"]) for row in batch.to_pylist()]
    return [row["url"] for row in rows if row["depth"] <= depth]


def _rounds(folder: Path) -> int:
    try:
        return int(status(folder).get("rounds", 0))
    except Exception:  # the folder is being made
        return 0


def _gaps(web: Path, log: list) -> list[float]:
    addresses = dict(reversed(line.split()[:2]) for line in (web / "hosts").read_text().splitlines() if line.strip())
    times: dict[str, list[float]] = defaultdict(list)
    for at, host, _, _ in log:
        times[host].append(at)
        times[addresses.get(host, host)].append(at)
    return [later - sooner for several in times.values() for sooner, later in pairwise(sorted(several))]
