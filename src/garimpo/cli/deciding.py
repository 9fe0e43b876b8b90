"""What the verbs of ``garimpo sites`` share: sites by name, their pages, models with other limits, and their answers."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from garimpo.archive import Store
from garimpo.cli.network import Asked
from garimpo.cli.options import given
from garimpo.cli.output import note, progress
from garimpo.contract import BadInput, Page
from garimpo.crawl.settings import Settings
from garimpo.crawl.single.sites import detect_live, fetch_examples
from garimpo.sites import Detection, SiteModel, detect
from garimpo.sites.archive_pages import all_sites, example_sites, site_named

SHOWN = 5
"""So many names are shown of a list."""


def network_settings(network: Asked) -> Settings:
    """The settings of a crawl that were asked for."""
    return Settings(**given(network))


def named_sites(arguments: Sequence[str]) -> list[str]:
    """Sites given one by one, or as @FILE."""
    found: list[str] = []
    for argument in arguments:
        if not argument.startswith("@"):
            found.append(argument)
            continue
        try:
            lines = Path(argument[1:]).read_text("utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{argument[1:]}: {getattr(error, 'strerror', None) or 'not a text file'}") from None
        found += [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not found:
        raise BadInput("no sites given (try: garimpo sites --help)")
    return list(dict.fromkeys(found))


def once(names: Sequence[str]) -> list[str]:
    """Each site once, under the first name given for it: www.a.com and a.com are one.

    >>> once(["www.a.com", "a.com", "http://b.com/x"])
    ['www.a.com', 'http://b.com/x']
    """
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(site_named(name), name)
    return list(first.values())


def archived_sites(archive: Path) -> list[str]:
    """All sites of an archive."""
    with Store.open(archive, write=False) as store:
        return all_sites(store)


def example_pages(names: list[str], archive: Path | None, network: Asked, most: int) -> dict[str, list[Page]]:
    """The pages of example sites; those without any are named in one line."""
    if archive is not None:
        with Store.open(archive, write=False) as store:
            found = example_sites(store, names)
    else:
        found = fetch_examples(names, network_settings(network), most)
    empty = [site for site, pages in found.items() if not pages]
    if empty:
        shown = ", ".join(empty[:SHOWN]) + (f" and {len(empty) - SHOWN:,} more" if len(empty) > SHOWN else "")
        note(f"left out, no page of them can be read: {shown}")
    return found


def limited(model: Path, max_pages: int | None, depth: int | None) -> SiteModel:
    """A model with the limits asked for."""
    learned = SiteModel.load(model)
    if (max_pages is not None and max_pages < 1) or (depth is not None and depth < 0):
        raise BadInput("--max-pages is at least 1, --depth at least 0")
    limits = learned.limits
    pages, deep = limits.max_pages if max_pages is None else max_pages, limits.max_depth if depth is None else depth
    learned.limits = replace(limits, max_pages=pages, max_depth=deep)
    return learned


def decided_sites(model: SiteModel, named: list[str], archive: Path | None, network: Asked) -> list[Detection]:
    """The answers about sites, from an archive or from the web."""
    with progress("deciding sites", len(named)) as bar:
        if archive is not None:
            return detect(model, named, archive=archive, done=lambda _: bar.advance())
        return detect_live(model, named, network_settings(network), done=lambda _: bar.advance())
