"""``garimpo crawl``: crawl the web politely, in a folder that survives any kill."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, cast

from cyclopts import Group, Parameter

from garimpo.cli.options import Engine, Json, Many, Master, OptionalOut, given, settings_options
from garimpo.cli.output import emit
from garimpo.contract.errors import BadInput
from garimpo.crawl.settings import Settings, from_toml, merged

ALL = tuple(name for name in Settings.__struct_fields__ if name != "seeds")
SettingsOptions = settings_options(ALL)
SPARK = Group("Rounds on many machines", sort_key=21)


def crawl(
    *seeds: str,
    out: OptionalOut = None,
    resume: Path | None = None,
    settings: Path | None = None,
    rollback: Many = None,
    options: Annotated[SettingsOptions | None, Parameter(name="*")] = None,  # type: ignore[valid-type]
    engine: Annotated[Engine, Parameter(group=SPARK)] = "local",
    rounds: Annotated[int | None, Parameter(group=SPARK)] = None,
    master: Annotated[Master, Parameter(group=SPARK)] = None,
    json: Json = False,
) -> None:
    """Crawl from SEEDS into a new folder, or go on with one. Any kill is survived; --resume fetches what was not yet kept.

    For example:
      garimpo crawl http://example.org/ --out crawl --max-pages 1000 --contact you@example.org
      garimpo crawl http://example.org/ --out topical --positive good.jsonl --max-pages 5000
      garimpo crawl --resume crawl --max-pages 2000

    Args:
        seeds: URLs to begin with, or @FILE with one a line.
        out: The folder to make.
        resume: The folder to go on with; options given with it replace its settings.
        settings: A crawl.toml to take settings from; options win over it.
        rollback: KIND:N puts version N of what was learned in force again (with --resume; may be repeated).
        rounds: How many rounds to run; a round fetches for about five minutes.
    """
    from garimpo.crawl import Progress, read_seeds
    from garimpo.crawl import resume as go_on

    progress = Progress(sys.stderr)
    wanted = given(options)
    if seeds:
        wanted["seeds"] = read_seeds(seeds)
    if engine == "spark" or rounds is not None or master is not None:
        result = _in_rounds(out, resume, settings, wanted, rounds, engine, master, progress, rollback or [])
    elif resume is not None:
        if out is not None:
            raise BadInput("--out and --resume: give one of them")
        result = go_on(resume, wanted, None, progress, [_version(text) for text in rollback or []])
    elif out is None:
        raise BadInput("--out: say where the crawl is to be kept (or --resume DIR)")
    else:
        base = from_toml(settings) if settings is not None else Settings()
        result = _begun(out, merged(base, wanted), progress)
    emit(result, json, _lines(result))


def _begun(out: Path, settings: Settings, progress: Any) -> dict[str, Any]:
    """A new crawl. Where no seed could be reached its folder goes again, so that the mended command can be given."""
    from garimpo.crawl import crawl as begin
    from garimpo.crawl.run import NothingReached

    existed = out.exists()
    try:
        return begin(out, settings, None, progress)
    except NothingReached:
        if not existed:
            shutil.rmtree(out)
        raise


def _in_rounds(
    out: Path | None,
    resume: Path | None,
    settings: Path | None,
    wanted: dict[str, Any],
    rounds: int | None,
    engine: str,
    master: str | None,
    progress: Any,
    rollback: Sequence[str],
) -> dict[str, Any]:
    from garimpo.crawl.rounds.driver import crawl_rounds, resume_rounds
    from garimpo.engine import open_engine

    if engine != "spark" or rounds is None or rounds < 1:
        raise BadInput("--engine spark and --rounds N (1 or more) go together, --master with them")
    if (out is None) == (resume is None):
        raise BadInput("--out or --resume: give one of them")
    with open_engine(engine, master, temp=str((out or resume or Path()).absolute() / "state" / "spark")) as opened:
        if resume is not None:
            return resume_rounds(resume, rounds, opened, progress.note, wanted, rollback=[_version(text) for text in rollback])
        base = from_toml(settings) if settings is not None else Settings()
        return crawl_rounds(cast(Path, out), merged(base, wanted), rounds, opened, progress.note)


def _version(text: str) -> tuple[str, int]:
    kind, _, number = text.partition(":")
    if not kind or not number.isdigit():
        raise BadInput(f"--rollback {text}: not KIND:N (such as rules:3)")
    return kind, int(number)


def _lines(result: dict[str, Any]) -> list[str]:
    from garimpo.cli.status import lines

    return [f"{result['folder']}: {result['sentence']}", *lines(result)]
