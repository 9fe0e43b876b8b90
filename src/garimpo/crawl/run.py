"""A crawl from the outside: begin one, or take one up again."""

import shutil
import signal
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from garimpo.archive import Store
from garimpo.archive.folder.configuration import settings_before_damage
from garimpo.contract.errors import BadInput, GarimpoError, option
from garimpo.contract.results import Result
from garimpo.crawl.components import Components, KeyMap
from garimpo.crawl.fetch.dns import read_hosts
from garimpo.crawl.fetch.epoll import require_epoll
from garimpo.crawl.fetch.secrets import read_cookies
from garimpo.crawl.fetch.signing import make_signer
from garimpo.crawl.gate.folds import Folds
from garimpo.crawl.keeping.revisits import seeds_of
from garimpo.crawl.loop import Loop
from garimpo.crawl.rebuilding import ask_again, rebuild
from garimpo.crawl.seeds import is_url, normal_seed, read_positive
from garimpo.crawl.settings import Settings, comments, from_dict, merged
from garimpo.crawl.state import fetched, meta, schema
from garimpo.crawl.state import skipped as skipped_rows
from garimpo.crawl.state.soundness import find_fault
from garimpo.crawl.watch.counters import status_of
from garimpo.crawl.watch.progress import Progress

PATHS = ("hosts", "rules", "folds", "known", "sign_key", "topic", "sites", "cookies", "ca_file")


class NothingReached(GarimpoError):
    """A crawl that could reach none of its seeds, and so stored nothing."""


def crawl(out: str | Path, settings: Settings, components: Components | None = None, progress: Progress | None = None) -> Result:
    """Begin a crawl in a new folder and run it to its end; returns its status. `components`: all that the settings ask for.

    Args:
        out: the folder to make.
        settings: all settings of the crawl.
        components: what the rooms bring, in place of what the settings ask for.
        progress: what shows how far it is.
    """
    settings = prepared(settings)
    publish_topic = first_topic_of(settings)
    with Store.create(out, settings.to_dict(), comments()) as store:
        publish_given(store, settings, ("rules", "tracking", "folds"))
        publish_topic(store)
        return _run(store, settings, components or default_components(settings), progress or Progress())


def prepared(settings: Settings) -> Settings:
    """The settings of a new crawl, checked, with seeds and paths in normal form."""
    require_epoll()
    settings = with_absolute_paths(settings.check())
    seeds = settings.seeds or (seeds_of(settings.known) if settings.known else [*filter(is_url, settings.positive)])
    if not seeds and not settings.known:
        raise BadInput("no seed given (a URL, or @FILE with one a line)")
    seeds = [normal_seed(seed) for seed in seeds]
    settings = msgspec.structs.replace(settings, seeds=list(dict.fromkeys(seeds)))
    _refuse_private(settings)
    _try_files(settings)
    return settings


def resume(
    folder: str | Path,
    given: dict[str, Any] | None = None,
    components: Components | None = None,
    progress: Progress | None = None,
    rollback: Sequence[tuple[str, int]] = (),
) -> Result:
    """Take up the crawl of a folder where its last commit left it; `given` settings replace the stored ones.

    Args:
        folder: the crawl folder.
        given: settings that replace the stored ones, by their Python names.
        components: what the rooms bring, in place of what the settings ask for.
        progress: what shows how far it is.
        rollback: kinds and versions of what was learned to put in force again.
    """
    with Store.open(folder, fault=find_fault) as store:
        stored = _stored_settings(store)
        settings = with_absolute_paths(merged(stored, given or {}))
        if given:
            store.save_settings(msgspec.structs.replace(settings, postponed=False).to_dict(), comments())
        if {"topic", "positive"} & (given or {}).keys() or not _has_its_topic(store, settings):
            first_topic_of(settings)(store)
        for kind, version in rollback:
            store.learned.rollback(kind, version)
            store.log("rollback", kind=kind, version=version)
        publish_given(store, settings, given or {})
        return _run(store, settings, components or default_components(settings), progress or Progress())


def _stored_settings(store: Store) -> Settings:
    """The settings of a crawl; where a flipped bit makes a name or a value wrong, those of the copy."""
    file = store.path / "crawl.toml"
    try:
        return from_dict(store.settings, str(file))
    except BadInput as error:
        copy = settings_before_damage(store.path)
        if copy is None:
            raise
        settings = from_dict(copy, str(file))
        store.messages.append(f"{error}: one byte of it was changed, the settings are those before")
        store.save_settings(copy, comments())
        return settings


def _has_its_topic(store: Store, settings: Settings) -> bool:
    """Whether the topic of a crawl can be read, or it has none."""
    if not settings.topic and not settings.positive:
        return True
    from garimpo.crawl.learning.topic import topic_in_force

    return topic_in_force(store.learned) is not None


def with_absolute_paths(settings: Settings) -> Settings:
    """The settings with file names that hold from any folder."""
    paths = {name: str(Path(getattr(settings, name)).absolute()) for name in PATHS if getattr(settings, name)}
    return msgspec.structs.replace(settings, **paths, positive=read_positive(settings.positive))


def _run(store: Store, settings: Settings, components: Components, progress: Progress) -> Result:
    schema.create(store.database)
    if meta.get(store.database, "rounds"):
        raise BadInput(f"{store.path}: a crawl in rounds (go on with it by {option('engine', 'spark')} and rounds)")
    loop = Loop(store, settings, components)
    for message in [*store.messages, *store.learned.messages]:
        progress.note(message)
    try:
        if store.rebuilt:
            store.log("rebuilt", **rebuild(loop))
        elif store.lost:
            found = ask_again(loop)
            progress.note(f"{found['queued again']:,} URLs whose rows or records were lost are queued again")
            store.log("lost", files=store.lost, **found)
        store.settled = True
        if not meta.get(store.database, "begun"):
            _begin(loop)
        if settings.postponed:
            progress.note(f"{loop.revision.take_up_left():,} URLs that were left aside are queued")
        store.log("start", seeds=len(settings.seeds), queued=loop.frontier.queued)
        with _stoppable(loop, progress):
            loop.run(progress.show)
        progress.end(loop)
        _tell_what_is_left(store, progress)
    finally:
        loop.close()
        progress.close()
    result = Result(status_of(store), ended=loop.ended, seconds=round(loop.clock() - loop.started, 3))
    _complain_if_nothing(store, settings, result)
    return result


def _tell_what_is_left(store: Store, progress: Progress) -> None:
    """Say what was left aside, and how to fetch it all the same."""
    for trap, count, url in skipped_rows.left_by(store.database, "trap"):
        progress.note(f"{count:,} URLs may be traps and were left aside ({trap}: {url[:100]}): --postponed fetches them")
    shapes = skipped_rows.left_by(store.database, "shape")
    if shapes:
        total, named = sum(count for _, count, _ in shapes), ", ".join(shape[:60] for shape, _, _ in shapes[:3])
        more = f" and {len(shapes) - 3:,} more" if len(shapes) > 3 else ""
        progress.note(
            f"{total:,} URLs were left aside, as their shapes bring nothing new ({named}{more}): --postponed fetches them"
        )


def default_components(settings: Settings) -> Components:
    """What the rooms bring to a crawl with these settings, for a caller to change before `crawl`.

    It is imported only where it is used, because loading the rooms' kernels takes a second.

    Args:
        settings: The settings of the crawl.
    """
    if not (settings.learn or settings.topic or settings.positive or settings.sites):
        return Components(keys=_rule_keys)
    from garimpo.crawl.learning.defaults import components_for

    return components_for(settings)


def _rule_keys(path: Path, version: int) -> KeyMap:
    from garimpo.crawl.learning.defaults import RuleKeys

    return RuleKeys(path, version)


def publish_given(store: Store, settings: Settings, names: Collection[str]) -> None:
    """Rules and folds the user gives (where `names` has them) are the first version of what is learned."""
    if (settings.rules and "rules" in names) or (settings.tracking and "tracking" in names):
        from garimpo.crawl.learning.rule_study import given_rules

        rules = given_rules(settings)
        store.learned.publish("rules", "json", rules.save, {"given": settings.rules, "rules": len(rules)})
    if settings.folds and "folds" in names:
        store.learned.publish("folds", "parquet", partial(shutil.copyfile, settings.folds), {"given": settings.folds})


def first_topic_of(settings: Settings) -> Callable[[Store], None]:
    """Make the topic a crawl begins with, if it has one; what publishes it."""
    if not settings.topic and not settings.positive:
        return lambda store: None
    from garimpo.crawl.learning.topic import FirstTopic

    return FirstTopic(settings).publish


def _begin(loop: Loop) -> None:
    """Queue the seeds (and what `known` says is due), and commit that."""
    if loop.known is not None:
        loop.frontier.mark_seen(loop.known.not_due())
        for url, depth in loop.known.due():
            loop.frontier.add_urls([url], depth=depth)
    loop.frontier.add_urls(loop.settings.seeds, seeds=True)
    loop.keeper.commit(0.0)


def _complain_if_nothing(store: Store, settings: Settings, result: dict[str, Any]) -> None:
    """A crawl that could reach none of its seeds has failed."""
    if result["stored"] or result["queued"] or result["ended"] == "stopped":
        return
    url = fetched.first_unreached(store.database)
    if url is not None:
        errors = (error for batch in store.pages(["error"]) for error in batch.column("error").to_pylist() if error)
        error = next(errors, "no answer")
        hint = f"; {option('ca_file', 'FILE')} names certificates to trust" if error == "certificate not trusted" else ""
        raise NothingReached(f"no seed could be reached ({url}: {error}{hint})")
    if (skipped := skipped_rows.first_out_of_scope(store.database, settings.seeds)) is not None:
        raise NothingReached(f"no seed may be asked ({skipped[0]}: {skipped[1]})")


@contextmanager
def _stoppable(loop: Loop, progress: Progress) -> Iterator[None]:
    """Ctrl-C, SIGTERM and SIGHUP (a closed terminal) end the crawl cleanly; a second Ctrl-C at once."""

    def ask(number: int, frame: Any) -> None:
        loop.stop()
        progress.note("stopping (Ctrl-C again: at once)")
        signal.signal(signal.SIGINT, signal.default_int_handler)

    try:
        before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    except ValueError:  # not the main thread: whoever started the crawl there stops it
        yield
        return
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _try_files(settings: Settings) -> None:
    """Read what the settings name before a folder is made: a bad file is reported now, and leaves nothing behind."""
    if settings.hosts:
        read_hosts(settings.hosts)
    make_signer(settings)
    if settings.cookies:
        read_cookies(settings.cookies)
    if settings.known:
        Store.open(settings.known, write=False).close()
    if settings.rules:
        _rule_keys(Path(settings.rules), 1)
    if settings.folds:
        Folds.read(Path(settings.folds), 1)


def _refuse_private(settings: Settings) -> None:
    from garimpo.url import host
    from garimpo.url.addresses import is_private_name

    for seed in settings.seeds:
        if not settings.allow_private and is_private_name(host(seed) or ""):
            raise BadInput(f"{seed}: a private address (give {option('allow_private')} to crawl it)")
