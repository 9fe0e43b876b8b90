"""The room's commands as Python calls: `train` and `detect` (`locate` stands in `locator`)."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from garimpo.archive import Store, documents
from garimpo.contract import BadInput, Page
from garimpo.page import read
from garimpo.sites.archive_pages import SitePages, answering, example_sites, pages_through
from garimpo.sites.detector import Detection, Get
from garimpo.sites.listing import Learner
from garimpo.sites.model import SiteModel, decided
from garimpo.sites.priority import FilterPriority
from garimpo.sites.schema_types import typed
from garimpo.sites.training import train_on_pages, train_on_sites

PathLike = str | os.PathLike[str]
Examples = Mapping[str, Sequence[Page]] | Iterable[str]
YES, NO = ("1", "True", "1.0"), ("0", "False", "0.0")


def train(
    pages: PathLike | Sequence[Page] | None = None,
    labels: Sequence[bool] | None = None,
    *,
    good: Examples | None = None,
    bad: Examples | None = None,
    archive: PathLike | None = None,
    entity: str = "",
    filters: FilterPriority | None = None,
    seed: int = 0,
    structured: bool = True,
    learner: Learner = "garimpo",
) -> SiteModel:
    """Learn an entity from labelled pages, or from good and bad sites.

    Args:
        pages: Documents with `url`, `html` and `label` (a path), or `Page` records.
        labels: Whether each of the `Page` records is a page of the entity.
        good: Sites about the entity: names whose pages are in the archive, or a mapping from names to pages.
        bad: Other sites, given alike.
        archive: The crawl folder that has the pages of sites given by name.
        entity: A name for what is collected.
        filters: Link priorities by hand instead of learned ones.
        seed: Makes learning repeatable.
        structured: Whether the schema.org types that pages state are evidence.
        learner: What judges pages.

    >>> train([Page("http://a.com/")], [True])
    Traceback (most recent call last):
    garimpo.contract.errors.BadInput: the labelled pages are all of one kind: both listings and others are needed
    """
    if pages is not None:
        shown, known = labelled_pages(pages) if isinstance(pages, str | os.PathLike) else (pages, labels)
        if known is None or len(known) != len(shown):
            raise BadInput(f"{len(shown):,} pages with {len(known or ()):,} labels")
        return train_on_pages(shown, known, entity, filters, seed, structured, learner)
    if good is None or bad is None:
        raise BadInput("give labelled pages, or both good and bad sites")
    return train_on_sites(_examples(good, archive), _examples(bad, archive), entity, filters, seed, structured, learner)


def _examples(sites: Examples, archive: PathLike | None) -> Mapping[str, Sequence[Page]]:
    if isinstance(sites, Mapping):
        return sites
    if archive is None:
        raise BadInput("sites given by name need the archive that has their pages")
    with Store.open(Path(archive), write=False) as store:
        return example_sites(store, sites)


def labelled_pages(path: PathLike) -> tuple[list[Page], list[bool]]:
    """The pages of documents with `url`, `html` and `label`, and whether each is a listing; rows without a label do not count.

    Args:
        path: The documents.
    """
    pages, labels = [], []
    for batch in documents(path, columns=["label"], bodies=True):
        for row in batch.select(["url", "html", "label"]).to_pylist():
            if row["label"] is None or str(row["label"]) == "":
                continue
            if str(row["label"]) not in YES + NO:
                raise BadInput(f"{path}: label {row['label']!r} is neither 1 (a listing) nor 0 (any other page)")
            if row["url"] and row["html"]:
                pages.append(typed(read(row["html"], row["url"]), row["html"]))
                labels.append(str(row["label"]) in YES)
    if not pages:
        raise BadInput(f"{path}: no row has url, html and label (1: a listing, 0: any other page)")
    return pages, labels


def detect(
    model: SiteModel,
    sites: str | Iterable[str],
    *,
    archive: PathLike | None = None,
    get: Get | None = None,
    has: Callable[[str], bool] = lambda url: True,
    known: Callable[[str], Sequence[str]] | None = None,
    done: Callable[[Detection], None] = lambda found: None,
) -> list[Detection]:
    """Decide sites.

    Args:
        model: Decides.
        sites: Names or URLs.
        archive: The crawl folder to look in.
        get: Gives pages, where there is no archive.
        has: Says which of the usual root URLs of a bare name there is, with `get`.
        known: Gives the pages of a site that are there, the best to begin at first, with `get`.
        done: Called after each site.
    """
    names = [sites] if isinstance(sites, str) else list(sites)
    if archive is not None:
        with Store.open(Path(archive), write=False) as store:
            get, has, known = pages_through(store.record), answering(store.record), SitePages(store)
            return detect(model, names, get=get, has=has, known=known, done=done)
    if get is None:
        raise BadInput("give an archive to look in, or a function that gets pages")
    found = []
    for name in names:
        found.append(decided(model, name, get, has, known))
        done(found[-1])
    return found
