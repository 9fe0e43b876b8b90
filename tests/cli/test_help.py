"""Every command tells what it does: an example, and of each option its text and its default."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from cyclopts import App

from garimpo.cli.app import COMMANDS, application

OWN = {"--help", "-h", "--version", "--install-completion"}


def verbs(app: App, chain: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], App]]:
    inner = [name for name in app if name not in OWN]
    if not inner:
        yield chain, app
    for name in inner:
        yield from verbs(app[name], (*chain, name))


def everything() -> list[tuple[str, ...]]:
    return [chain for name in COMMANDS for chain, _ in verbs(application(name)[name], (name,))]


def command(chain: tuple[str, ...]) -> App:
    app = application(chain[0])
    for name in chain:
        app = app[name]
    return app


@pytest.fixture(params=everything(), ids=" ".join)
def chain(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return request.param


def test_the_walk_finds_commands_and_verbs() -> None:
    found = everything()
    assert ("crawl",) in found and ("dust", "learn") in found and len(found) > 25


def test_every_option_has_a_text(chain: tuple[str, ...]) -> None:
    arguments = command(chain).assemble_argument_collection(parse_docstring=True)
    silent = [argument.name for argument in arguments if argument.show and not (argument.parameter.help or "").strip()]
    assert not silent


def test_every_option_that_has_a_default_shows_it(chain: tuple[str, ...]) -> None:
    arguments = command(chain).assemble_argument_collection(parse_docstring=True)
    hidden = [
        argument.name
        for argument in arguments
        if argument.show and argument.field_info.default not in (argument.field_info.empty, None) and not argument.show_default
    ]
    assert not hidden


def test_every_command_has_an_example_that_calls_it(chain: tuple[str, ...]) -> None:
    shown = command(chain).help
    _, heading, examples = shown.partition("For example:\n")
    assert heading and f"garimpo {' '.join(chain)}" in examples


def test_every_command_takes_json_and_seed(chain: tuple[str, ...]) -> None:
    names = {name for argument in command(chain).assemble_argument_collection(parse_docstring=True) for name in argument.names}
    assert {"--json", "--seed"} <= names


def test_the_options_of_a_crawl_stand_in_groups_and_show_the_defaults_of_settings() -> None:
    done = subprocess.run([sys.executable, "-m", "garimpo", "crawl", "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for group in ("Where to crawl", "What to look for", "Limits", "Manners", "Learning", "Network", "Output"):
        assert f" {group} " in done.stdout
    words = " ".join(done.stdout.replace("│", " ").split())
    assert "Seconds between two requests to one host, and to one address. [default: 1]" in words
    assert "For example:" in words


@pytest.mark.parametrize("arguments", [["crawl", "--max-pagez", "3"], ["dust", "learn", "--x"]])
def test_an_error_of_usage_names_the_help_of_its_command(arguments: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", "garimpo", *arguments], capture_output=True, text=True)
    name = " ".join(word for word in arguments if word.isalpha())
    assert done.returncode == 2 and f"(try: garimpo {name} --help)" in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_commands_and_options(shell: str) -> None:
    script = application().generate_completion(shell=shell)
    assert "dedup" in script and "threshold" in script and "max-pages" in script
