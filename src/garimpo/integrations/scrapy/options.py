"""The settings of the add-on, as Scrapy's settings have them."""

from pathlib import Path
from typing import Any, NamedTuple

from garimpo.contract.errors import BadInput
from garimpo.crawl.settings import Settings

DEFAULTS: dict[str, Any] = {
    "GARIMPO_LEARN": True,
    "GARIMPO_RULES": None,
    "GARIMPO_TRACKING": False,
    "GARIMPO_NEAR": False,
    "GARIMPO_TOPIC": None,
    "GARIMPO_POSITIVE": None,
    "GARIMPO_FOLDS": False,
    "GARIMPO_FOLDER": None,
}


class Options(NamedTuple):
    """What was asked for."""

    crawl: Settings
    near: bool
    folds: bool
    folder: Path | None
    """Where the knowledge is kept: `GARIMPO_FOLDER`, else under the job directory; None: nowhere for long."""
    archives: bool

    @property
    def at_once(self) -> bool:
        """Whether a page is read before its callback is called."""
        return self.near or self.steered

    @property
    def steered(self) -> bool:
        """Whether requests get their priorities from a topic."""
        return bool(self.crawl.topic or self.crawl.positive)


def options_of(settings: Any, job: str | None) -> Options:
    """The options of a crawl.

    Args:
        settings: Scrapy's.
        job: the job directory, if there is one.
    """
    folds = settings.get("GARIMPO_FOLDS")
    is_table = isinstance(folds, str) and folds.lower() not in ("true", "false", "0", "1", "")
    crawl = Settings(
        scope="all",
        learn=settings.getbool("GARIMPO_LEARN"),
        rules=settings.get("GARIMPO_RULES"),
        tracking=settings.getbool("GARIMPO_TRACKING"),
        folds=folds if is_table else None,
        topic=settings.get("GARIMPO_TOPIC"),
        positive=settings.getlist("GARIMPO_POSITIVE"),
    ).check("settings")
    if crawl.topic and crawl.positive:
        raise BadInput("GARIMPO_TOPIC and GARIMPO_POSITIVE: give one of them")
    folder = settings.get("GARIMPO_FOLDER")
    place = Path(folder) if folder else Path(job) / "garimpo" if job else None
    near = settings.getbool("GARIMPO_NEAR")
    return Options(crawl, near, is_table or settings.getbool("GARIMPO_FOLDS"), place, bool(folder))
