"""Random kills of a crawl's loop, readers and learner: no committed row is lost, none is stored twice, every delay is kept.

    python benchmarks/crawl/kills.py [--kills 200] [--workers 2] [--delay 0.05] [--no-learn] [--seed 1]

Each kill hits the loop alone, a reader, the learner, or all of them at once, after a random while; a crawl whose loop is gone
is resumed, one that ended begins anew. After each death of the loop the committed rows are read, and all must be there at the
end, as they were, and no URL twice. What is not learned must also equal an undisturbed crawl. The gaps between requests to a
host and to an address are those of the server's log, over all deaths.
"""

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

from garimpo import webgen
from garimpo.archive import Store

QUIET = subprocess.DEVNULL
LONGEST = 1.5
"""Seconds between two kills, at most."""
VICTIMS = ("loop", "reader", "learner", "all")
COLUMNS = ["url", "status", "digest", "fetched_at"]


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "garimpo", *map(str, arguments)]


def rows(folder: Path) -> Counter[tuple[object, ...]]:
    """The committed rows of a crawl folder, as whoever opens it sees them."""
    with Store.open(folder, write=False) as store:
        found = Counter(tuple(row.values()) for batch in store.pages(COLUMNS) for row in batch.to_pylist())
    return found


def contents(folder: Path) -> list[tuple[object, ...]]:
    return sorted((url, status, digest or 0) for url, status, digest, _ in rows(folder).elements())


def starts(folder: Path) -> int:
    log = folder / "crawl.log"
    return log.read_text().count('"event":"start"') if log.exists() else 0


def children(pid: int) -> dict[str, list[int]]:
    """The processes of a crawl beside its loop: readers share the memory of their desks with it; one that has not come so far
    counts as the learner."""
    found: dict[str, list[int]] = {"reader": [], "learner": []}
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            with contextlib.suppress(OSError):
                if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                    is_reader = "garimpo-desks" in Path(f"/proc/{child}/maps").read_text()
                    found["reader" if is_reader else "learner"].append(int(child))
    return found


def kill(process: subprocess.Popen[bytes], victim: str, draw: random.Random) -> bool:
    """Kill one part of a crawl, if it has it."""
    if victim == "all":
        os.killpg(process.pid, signal.SIGKILL)
    elif victim == "loop":
        process.kill()
    elif found := children(process.pid)[victim]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(draw.choice(found), signal.SIGKILL)
    else:
        return False
    return True


def disturbed(flags: list[object], folder: Path, kills: int, draw: random.Random) -> tuple[list[Path], Counter[str], int]:
    """Crawls killed again and again, the last one left to end: their folders, how often what was killed, rows that were lost."""
    folders: list[Path] = []
    killed: Counter[str] = Counter()
    committed: Counter[tuple[object, ...]] = Counter()
    lost = 0
    process: subprocess.Popen[bytes] | None = None
    out = folder
    arguments: list[object] = []
    while True:
        if process is None:
            out = folder / f"crawl-{len(folders)}"
            folders.append(out)
            arguments = ["crawl", *flags, "--out", out]
        before = starts(out)
        process = subprocess.Popen(command(*arguments), stderr=QUIET, stdout=QUIET, start_new_session=True)
        arguments = ["crawl", "--resume", out]
        while starts(out) == before and process.poll() is None:
            time.sleep(0.01)
        while process.poll() is None and killed.total() < kills:
            time.sleep(draw.random() * LONGEST)
            victim = draw.choice(VICTIMS)
            if process.poll() is None and kill(process, victim, draw):
                killed[victim] += 1
                if victim in ("loop", "all"):
                    process.wait()
        code = process.wait()
        found = rows(out) if (out / "crawl.toml").exists() else Counter()
        lost += (committed - found).total()
        committed = found
        if code > 0:
            raise SystemExit(f"a crawl ended with {code}: {' '.join(map(str, arguments))}")
        if code == 0:
            lost += sum(times - 1 for times in Counter(url for url, *_ in found).values())
            process, committed = None, Counter()
            if killed.total() >= kills:
                return folders, killed, lost


def shortest_gap(server: webgen.Serving, hosts: Path) -> float:
    """The shortest time between two requests to one host or one address."""
    addresses = {line.split()[1]: line.split()[0] for line in hosts.read_text().splitlines() if line.strip()}
    times: dict[str, list[float]] = defaultdict(list)
    for at, host, _, _ in server.log():
        times[host].append(at)
        times[addresses.get(host, host)].append(at)
    return min(later - sooner for several in times.values() for sooner, later in pairwise(several))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--workers", type=int, nargs="*", default=[2])
    parser.add_argument("--delay", type=float, default=0.05)
    parser.add_argument("--urls", type=int, default=None)
    parser.add_argument("--no-learn", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory(prefix="garimpo-kills-") as temporary:
        folder = Path(temporary)
        web = folder / "web"
        webgen.make(web, "small", seed=1, static=True, urls=given.urls)
        for workers in given.workers:
            (web / "access.log").unlink(missing_ok=True)
            with webgen.serve(web) as server:
                flags: list[object] = [f"@{web / 'seeds.txt'}", "--scope", "all", "--strategy", "bfs", "--delay", given.delay]
                flags += ["--resolve-all", server.address, "--hosts", web / "hosts", "--workers", workers]
                flags += ["--no-learn"] if given.no_learn else []
                folders, killed, lost = disturbed(flags, folder / f"killed-{workers}", given.kills, random.Random(given.seed))
                gap = shortest_gap(server, web / "hosts")
                told = ""
                if given.no_learn:
                    calm = folder / f"calm-{workers}"
                    subprocess.run(command("crawl", *flags, "--out", calm), check=True, stdout=QUIET, stderr=QUIET)
                    same = all(contents(one) == contents(calm) for one in folders)
                    told = f", {'equal to' if same else 'DIFFERENT FROM'} an undisturbed crawl's"
                    failed |= not same
            failed |= lost > 0 or gap < given.delay - 0.002
            total = sum(rows(one).total() for one in folders)
            hits = ", ".join(f"{killed[victim]} {victim}" for victim in VICTIMS)
            print(f"{workers} readers, {killed.total()} kills ({hits}) in {len(folders)} crawls: {total:,} rows{told}")
            print(f"committed rows lost or stored twice: {lost}")
            print(f"shortest gap between two requests {gap:.3f} s, delay {given.delay} s", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
