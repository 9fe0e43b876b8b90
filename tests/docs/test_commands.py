"""Every command that README and the documents show is run as it stands there, each in a process of its own."""

import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cyclopts import CycloptsError, MissingArgumentError

from docs.made import PAGES, ROOT, Prepared, shown_inline, shown_lines
from garimpo import webgen
from garimpo.cli.app import application

ON_MANY_MACHINES = "--engine spark"
"""Such lines are tested with Spark (`tests/spark`), where there is Java."""

WRAPPER = """#!{python}
import os, sys
words = sys.argv[1:]
asks = (["sites", "train"], ["sites", "detect"], ["sites", "locate"])
on_the_web = words[:1] == ["crawl"] or words[:2] in asks and "--archive" not in words
more = {flags!r} if on_the_web and "--resolve-all" not in words else []
more += ["--max-pages", "40"] if words[:1] == ["crawl"] and "--max-pages" not in words else []
os.execv(sys.executable, [sys.executable, "-m", "garimpo", *words, *more])
"""
"""`garimpo` as the shell finds it here: it asks the made web, for a few pages, where a line would ask the Web."""

NEEDS = {
    "README.md": ["crawl", "docs.parquet", "clusters.tsv", "pages.parquet", "good.jsonl", "sites.model", "seeds.txt"],
    "archives.md": ["pages.parquet", "links.parquet", "old.warc.gz", "more.jsonl.gz", "saved-pages"],
    "mirrors.md": ["pages.parquet"],
    "near-duplicates.md": ["pages.parquet"],
    "seeing.md": ["crawl"],
    "sites.md": ["good.txt", "bad.txt", "crawl", "pages.parquet", "sites.txt", "labelled.csv", "seeds.txt"],
    "text-reuse.md": ["articles.jsonl", "sources.jsonl"],
    "topics.md": ["good.jsonl", "crawl", "more.parquet", "seeds.txt"],
    "url-rules.md": ["crawl", "near.parquet", "urls.txt", "other.tsv"],
}
"""What a document takes for granted; all else its own lines make."""


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prepared]:
    folder = tmp_path_factory.mktemp("documents")
    webgen.make(folder / "web", "small", seed=1, hosts=60, urls=700)
    with webgen.serve(folder / "web") as server:
        made = Prepared(folder, server)
        made.make()
        yield made


def shell(folder: Path, prepared: Prepared) -> dict[str, str]:
    """The environment in which a line runs, with our `garimpo` first on the path."""
    programs = folder / ".bin"
    programs.mkdir()
    wrapper = programs / "garimpo"
    wrapper.write_text(WRAPPER.format(python=sys.executable, flags=prepared.crawl_flags()))
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    return {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@pytest.mark.parametrize("page", [page for page in PAGES if shown_lines(page)], ids=lambda page: page.name)
def test_the_lines_of_a_page_run_one_after_the_other(page: Path, prepared: Prepared, tmp_path: Path) -> None:
    for name in NEEDS.get(page.name, []):
        source = prepared.folder / name
        shutil.copytree(source, tmp_path / name) if source.is_dir() else shutil.copy(source, tmp_path / name)
    environment, port, servers, ran = shell(tmp_path, prepared), str(free_port()), [], 0
    try:
        for line in shown_lines(page):
            if ON_MANY_MACHINES in line:
                continue
            command = line.replace("http://example.org/", prepared.seed).replace("8080", port)
            if page.name == "learning-crawl.md" and "--out mycrawl" in command:
                command = command.replace(" --out", f" --rules {prepared.folder / 'rules.json'} --out")
            if command.startswith(("garimpo web serve", "garimpo ui")):
                servers.append(served(command, tmp_path, environment))
                continue
            done = subprocess.run(
                ["bash", "-o", "pipefail", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True
            )
            assert done.returncode == 0, f"{line}\n{done.stderr}"
            assert "Traceback" not in done.stderr, f"{line}\n{done.stderr}"
            ran += 1
    finally:
        for server in servers:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait()
    assert ran or all(ON_MANY_MACHINES in line for line in shown_lines(page))


def served(command: str, folder: Path, environment: dict[str, str]) -> subprocess.Popen[str]:
    server = subprocess.Popen(
        ["bash", "-c", f"exec {command}"],
        cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert server.stdout is not None
    told = server.stdout.readline()
    assert "serving" in told or "is shown at" in told
    return server


def words_of(command: str) -> list[str]:
    return [word for word in command.split() if word != "..."][1:]


@pytest.mark.parametrize("command", sorted({command for page in PAGES for command in shown_inline(page)}))
def test_a_command_in_the_prose_exists_with_its_options(command: str) -> None:
    """Templates such as `garimpo crawl URL --out DIR`: they may leave arguments out, but name nothing that is not there."""
    words = words_of(command)
    if words[0].isupper():  # garimpo COMMAND --help
        return
    try:
        application(words[0]).parse_args([word.strip("[]'") for word in words], exit_on_error=False, print_error=False)
    except MissingArgumentError:
        pass
    except CycloptsError as error:
        pytest.fail(f"{command}: {error}")


def test_the_documents_are_found() -> None:
    assert len(PAGES) > 10 and sum(len(shown_lines(page)) for page in PAGES) > 40
    assert all((ROOT / "docs" / name).is_file() or name == "README.md" for name in NEEDS)
