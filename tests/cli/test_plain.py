"""A command line is understood without cyclopts as cyclopts understands it, or not at all."""

import random
import subprocess
import sys

import pytest
from cyclopts import App, CycloptsError, Parameter

from garimpo.cli import plain
from garimpo.cli.crawl import crawl
from garimpo.cli.export import export
from garimpo.cli.warm import warm

READ = [
    "crawl http://a.org/ --out d --allow-private --scope all --no-learn --delay 0 --max-pages 5 --json",
    "crawl http://a.org/ --delay=0.5 http://b.org/ --include=a=b --include c --max-pages 007",
    "crawl --resume d --rollback rules:1 --rollback topic:2 --engine local",
    "crawl",
    "warm --json",
]
LEFT = [
    "crawl --help",
    "crawl -h",
    "crawl --out",
    "crawl --out d --out e",
    "crawl --learn --learn",
    "crawl --learn=false",
    "crawl --no-delay 1",
    "crawl --no-include",
    "crawl --empty-include",
    "crawl --seeds a",
    "crawl --scope ALL",
    "crawl --max-pages 1e3",
    "crawl --max-pages -1",
    "crawl --delay nan",
    "crawl --max_pages 1",
    "crawl --out= x",
    "crawl -- x",
    "warm word",
    "warm --no-such-flag",
    "export folder --to csv",
    "export --to csv",
]
COMMANDS = {"crawl": crawl, "warm": warm, "export": export}


def understood(line: list[str]) -> tuple[tuple[str, ...], dict[str, object]] | None:
    """As cyclopts has it; None where it has something to say."""
    app = App(default_parameter=Parameter(negative_iterable=()))
    for name, command in COMMANDS.items():
        app.command(command, name=name)
    try:
        _, bound, _ = app.parse_args(line, exit_on_error=False, print_error=False)
    except CycloptsError:
        return None
    return bound.args, bound.kwargs


@pytest.mark.parametrize("line", READ)
def test_plain_lines_are_read_as_cyclopts_reads_them(line: str) -> None:
    name, *words = line.split()
    free, given = plain.read(COMMANDS[name], words)
    assert (tuple(free), given) == understood([name, *words])


@pytest.mark.parametrize("line", LEFT)
def test_all_others_are_left_to_cyclopts(line: str) -> None:
    name, *words = line.split()
    with pytest.raises(plain.Unclear):
        plain.read(COMMANDS[name], words)


def test_no_line_is_read_in_another_way_than_by_cyclopts() -> None:
    chance = random.Random(7)
    options = ["--out", "--learn", "--no-learn", "--json", "--delay", "--max-pages", "--include", "--scope", "--proxy=x"]
    values = ["a", "0", "1.5", "08", "1_0", "٣", "inf", "all", "host", "None", "true", "a=b", "@f", "~/x", "", "-", "--", "-1"]
    read = 0
    for _ in range(400):
        words = [chance.choice(options if chance.random() < 0.5 else values) for _ in range(chance.randrange(6))]
        try:
            free, given = plain.read(crawl, words)
        except plain.Unclear:
            continue
        read += 1
        assert (tuple(free), given) == understood(["crawl", *words]), words
    assert read > 50


def test_a_plain_line_loads_no_cyclopts() -> None:
    code = "import sys; from garimpo.cli.app import run; print(run(['warm', '--json']), 'cyclopts' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "0 False", done.stderr
