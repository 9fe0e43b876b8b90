"""A crawl from the outside: begin one, or take one up again."""

import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from garimpo.archive import Store
from garimpo.contract.errors import BadInput, GarimpoError
from garimpo.crawl import queue
from garimpo.crawl.addresses import read_hosts
from garimpo.crawl.doors import Doors
from garimpo.crawl.keys import KeyMap
from garimpo.crawl.loop import Loop
from garimpo.crawl.progress import Progress
from garimpo.crawl.rebuild import rebuild
from garimpo.crawl.settings import Settings, from_dict, merged
from garimpo.crawl.signing import make_signer
from garimpo.crawl.status import status_of
from garimpo.url import normalise

PATHS = ("hosts", "rules", "known", "sign_key", "topic", "sites")


def crawl(out: str | Path, settings: Settings, doors: Doors | None = None, progress: Progress | None = None) -> dict[str, Any]:
    """Begin a crawl in a new folder and run it to its end; returns its status. `doors`: by default all that the rooms bring."""
    settings = prepared(settings)
    publish_topic = first_topic_of(settings)
    with Store.create(out, settings.to_dict()) as store:
        _publish_rules(store, settings)
        publish_topic(store)
        return _run(store, settings, doors or _all_doors(settings), progress or Progress())


def prepared(settings: Settings) -> Settings:
    """The settings of a new crawl, checked, with seeds and paths in normal form."""
    settings = with_absolute_paths(settings.check())
    if not settings.seeds and not settings.known:
        raise BadInput("no seed given (a URL, or @FILE with one a line)")
    seeds = [_normal(seed) for seed in settings.seeds]
    settings = msgspec.structs.replace(settings, seeds=list(dict.fromkeys(seeds)))
    _refuse_private(settings)
    _try_files(settings)
    return settings


def resume(
    folder: str | Path,
    given: dict[str, Any] | None = None,
    doors: Doors | None = None,
    progress: Progress | None = None,
    rollback: Sequence[tuple[str, int]] = (),
) -> dict[str, Any]:
    """Take up the crawl of a folder where its last commit left it; `given` settings replace the stored ones."""
    with Store.open(folder) as store:
        stored = from_dict(store.settings, f"{folder}/crawl.toml")
        settings = with_absolute_paths(merged(stored, given or {}))
        if given:
            store.save_settings(settings.to_dict())
        if store.learned.version("topic") is None:
            first_topic_of(settings)(store)
        for kind, version in rollback:
            store.learned.rollback(kind, version)
            store.log("rollback", kind=kind, version=version)
        if given and "rules" in given:
            _publish_rules(store, settings)
        return _run(store, settings, doors or _all_doors(settings), progress or Progress())


def read_seeds(arguments: Iterable[str]) -> list[str]:
    """The URLs given, those of `@FILE`s in their place; `BadInput` names the file and line of what is no URL.

    >>> read_seeds(["http://a.com"])
    ['http://a.com/']
    """
    seeds: list[str] = []
    for argument in arguments:
        if argument.startswith("@"):
            seeds += _seed_file(Path(argument[1:]))
        else:
            seeds.append(_normal(argument))
    return seeds


def with_absolute_paths(settings: Settings) -> Settings:
    """The settings with file names that hold from any folder."""
    paths = {name: str(Path(getattr(settings, name)).absolute()) for name in PATHS if getattr(settings, name)}
    positive = [str(Path(path).absolute()) for path in settings.positive]
    return msgspec.structs.replace(settings, **paths, positive=positive)


def _run(store: Store, settings: Settings, doors: Doors, progress: Progress) -> dict[str, Any]:
    queue.create(store.database)
    if queue.get_meta(store.database, "rounds"):
        raise BadInput(f"{store.path}: a crawl in rounds (go on with it by --engine spark --rounds N)")
    for message in [*store.messages, *store.learned.messages]:
        progress.note(message)
    loop = Loop(store, settings, doors)
    try:
        if store.rebuilt:
            store.log("rebuilt", **rebuild(loop))
        if not queue.get_meta(store.database, "begun"):
            _begin(loop)
        store.log("start", seeds=len(settings.seeds), queued=loop.frontier.queued)
        with _stoppable(loop, progress):
            loop.run(progress.show)
        progress.end(loop)
    finally:
        loop.close()
        progress.close()
    result = {**status_of(store), "ended": loop.ended, "seconds": round(loop.clock() - loop.started, 3)}
    _complain_if_nothing(store, result)
    return result


def _all_doors(settings: Settings) -> Doors:
    """What the rooms bring; imported only where it is used, because loading their kernels takes a second."""
    if not (settings.learn or settings.topic or settings.positive or settings.sites):
        return Doors(keys=_rule_keys)
    from garimpo.crawl.learn import doors_for

    return doors_for(settings)


def _rule_keys(path: Path, version: int) -> KeyMap:
    from garimpo.crawl.learn import RuleKeys

    return RuleKeys(path, version)


def _publish_rules(store: Store, settings: Settings) -> None:
    """Rules the user gives are the first version of what is learned."""
    if settings.rules:
        given = Path(settings.rules)
        store.learned.publish("rules", "json", lambda path: path.write_bytes(given.read_bytes()), {"given": str(given)})


def first_topic_of(settings: Settings) -> Callable[[Store], None]:
    """Make the topic a crawl begins with, if it has one; what publishes it."""
    if not settings.topic and not settings.positive:
        return lambda store: None
    from garimpo.crawl.topics import first_topic, publish_topic

    model = first_topic(settings)
    return lambda store: publish_topic(store, model)


def _begin(loop: Loop) -> None:
    """Queue the seeds (and what `known` says is due), and commit that."""
    now = loop.clock()
    if loop.known is not None:
        loop.frontier.seen.add(np.array(loop.known.not_due(now), np.int64).view(np.uint64))
        for url, depth in loop.known.due(now):
            loop.frontier.add_urls([url], depth=depth, now=now)
    loop.frontier.add_urls(loop.settings.seeds, now=now, seeds=True)
    loop.keeper.commit(0.0)


def _complain_if_nothing(store: Store, result: dict[str, Any]) -> None:
    """A crawl that could reach none of its seeds has failed."""
    if result["stored"] or result["queued"] or result["ended"] == "stopped":
        return
    row = store.database.execute("SELECT url FROM fetched WHERE status=0 LIMIT 1").fetchone()
    if row is not None:
        errors = (error for batch in store.pages(["error"]) for error in batch.column("error").to_pylist() if error)
        error = next(errors, "no answer")
        raise GarimpoError(f"no seed could be reached ({row[0]}: {error})")


@contextmanager
def _stoppable(loop: Loop, progress: Progress) -> Iterator[None]:
    """Ctrl-C and SIGTERM end the crawl cleanly; a second Ctrl-C at once."""

    def ask(number: int, frame: Any) -> None:
        loop.stop()
        progress.note("stopping (Ctrl-C again: at once)")
        signal.signal(signal.SIGINT, signal.default_int_handler)

    try:
        before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    except ValueError:  # not the main thread: whoever started the crawl there stops it
        yield
        return
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _normal(url: str) -> str:
    found = normalise(url) or (normalise(f"http://{url}") if "." in url and ":" not in url and not url.startswith("/") else None)
    if found is None:
        raise BadInput(f"{url!r} is not an http(s) URL")
    return found


def _seed_file(path: Path) -> list[str]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not a text file") from None
    seeds = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            seeds.append(_normal(text))
        except BadInput as error:
            raise BadInput(f"{path}:{number}: {error}") from None
    if not seeds:
        raise BadInput(f"{path}: no URL in it")
    return seeds


def _try_files(settings: Settings) -> None:
    """Read what the settings name before a folder is made: a bad file is said now, and leaves nothing behind."""
    if settings.hosts:
        read_hosts(settings.hosts)
    make_signer(settings)
    if settings.known:
        Store.open(settings.known, write=False).close()
    if settings.rules:
        _rule_keys(Path(settings.rules), 1)


def _refuse_private(settings: Settings) -> None:
    from garimpo.crawl.scope import is_private_name
    from garimpo.url import host

    for seed in settings.seeds:
        if not settings.allow_private and is_private_name(host(seed) or ""):
            raise BadInput(f"{seed}: a private address (give --allow-private to crawl it)")
