"""Every command and all Python that README and the documents show is run as it stands there, in processes of their own."""

import ast
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import textwrap
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


PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
ELSEWHERE = {"scrapy.md", "spark.md", "text.md"}
"""Their Python needs a program or a library that is not here: tests/integrations, tests/spark and `make test-text` run it."""

GRANTED = """
import gzip, http.client
from pathlib import Path
import numpy as np, pyarrow as pa, pyarrow.parquet as pq
from garimpo.contract import Fetched

pages, near, links = (pq.read_table(f"{name}.parquet") for name in ("pages", "near", "links"))
X, y = np.random.default_rng(1).random((40, 3)), [0, 1] * 20
column, body, texts, i = pages["url"], b"<title>Pan</title><p>gold <a href=b>more</a>", ["gold in the river"], 0
Path("more.jsonl").write_bytes(gzip.open("more.jsonl.gz").read())
good, bad = Path("good.txt").read_text().split(), Path("bad.txt").read_text().split()
seeds, detected = good[:1], dict.fromkeys(good, True)

class StoredPages:
    def get(self, url):
        return Fetched(url, 404 if url.endswith("robots.txt") else 200, b"<p>gold", [("Content-Type", "text/html")])

stored_pages = StoredPages()

def ask(server):
    asked = http.client.HTTPConnection(server.address)
    asked.request("GET", "/")
    asked.getresponse().read()
    while not server.log():  # it is written a moment after the answer
        pass
"""
"""What the Python of the documents takes for granted."""


def as_here(code: str, prepared: Prepared) -> str:
    """The code of a document, asking the made web, about what is there; a comment that is a value is what the line gives."""
    on_the_made_web = f"resolve_all={prepared.server.address!r}, allow_private=True, "
    for there, here in {
        "http://example.org/": prepared.seed, "http://a.example/": prepared.seed,
        "Settings(": f"Settings({on_the_made_web}", "max_pages=100": "max_pages=5, delay=0", "max_pages\": 200": "max_pages\": 7",
        '["a.com.br", ...]': "good", '["b.com", ...]': "bad", "    ...\n    print(server": "    ask(server)\n    print(server",
        "(seeds, links, ": "(seeds, [('http://a.org/', 'http://b.org/')], ",
        '["c.com.br", "d.com"]': "good", '["e.com.br", "f.com"]': "good[:1]",
    }.items():  # fmt: skip
        code = code.replace(there, here)
    return "\n".join(compared(line) for line in code.splitlines())


def compared(line: str) -> str:
    expression, _, told = line.partition("  # ")
    try:
        value = ast.literal_eval(told.partition(": http(s)")[0])
        ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError):
        return line
    return f"assert {expression} == {value!r}, {expression}"


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name not in ELSEWHERE and PYTHON.search(page.read_text())], ids=lambda page: page.name
)
def test_the_python_of_a_page_runs(page: Path, prepared: Prepared, tmp_path: Path) -> None:
    for source in prepared.folder.iterdir():
        if source.name != "web":
            (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / source.name)
    if page.name == "crawling.md":
        shutil.rmtree(tmp_path / "crawl")
    code = as_here("\n".join(PYTHON.findall(page.read_text("utf-8"))), prepared)
    (tmp_path / "page.py").write_text(f"{GRANTED}\nif __name__ == '__main__':\n{textwrap.indent(code, '    ')}")
    done = subprocess.run([sys.executable, "page.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_comment_that_is_a_value_is_compared() -> None:
    assert compared("f(1)  # 'a'") == "assert f(1) == 'a', f(1)" and compared("f(1)  # why") == "f(1)  # why"
