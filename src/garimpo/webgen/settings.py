"""How large a world is and how nasty: the profiles, and every rate a user may turn."""

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from garimpo.contract.errors import BadInput


@dataclass(frozen=True)
class Settings:
    """What a world is made of, beside its seed. Rates are parts of one.

    Args:
        profile: the name of a size.
        seed: from which the world follows.
        static: whether nothing changes from one request to the next.
        hosts: how many there are.
        urls: how many there are, about.
        stored: whether pages are written to the folder.

    >>> Settings().hosts
    60
    """

    profile: str = "small"
    seed: int = 0
    words: int = -1
    """The seed of the world whose entity words and languages it speaks; below zero: its own."""
    static: bool = False
    hosts: int = 60
    urls: int = 6_000
    stored: bool = True
    dust: float = 0.5
    """Part of the pages that have more than one URL."""
    traps: float = 0.3
    """Part of the hosts on which look-alike URLs lead to different pages."""
    near: float = 0.12
    """Part of the pages that are edited copies of another page of their site."""
    syndicated: float = 0.1
    """Part of the news pages that several sites print."""
    mirrors: float = 0.12
    """Part of the sites that have a mirror."""
    aliases: float = 0.1
    """Part of the sites that answer under www and without, or under another server name."""
    entities: float = 0.2
    """Part of the sites that belong to the entity collection (its positives and negatives)."""
    dynamic: float = 0.45
    """Part of the sites whose pages change with every request."""
    faults: float = 0.08
    """Part of the sites where some answers are slow, cut, wrong or refused."""

    @property
    def speech(self) -> int:
        """The seed that entity words are drawn by."""
        return self.words if self.words >= 0 else self.seed

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


PROFILES = {
    "small": Settings(),
    "medium": Settings(profile="medium", hosts=1_500, urls=200_000),
    "large": Settings(profile="large", hosts=50_000, urls=12_000_000, stored=False),
}
RATES = ("dust", "traps", "near", "syndicated", "mirrors", "aliases", "entities", "dynamic", "faults")


def settings_for(profile: str, seed: int = 0, static: bool = False, **changes: Any) -> Settings:
    """The settings of a profile with some of them changed, or `BadInput` where that makes no world.

    Args:
        profile: small, medium or large.
        seed: which web of that size.
        static: no dynamic text, no faults, no endless traps.
        changes: any other of `Settings`.

    >>> settings_for("medium", seed=3, hosts=100).urls
    200000
    """
    if profile not in PROFILES:
        raise BadInput(f"no profile {profile!r} (there are: {', '.join(PROFILES)})")
    known = {field.name for field in fields(Settings)}
    given = {name: value for name, value in changes.items() if value is not None}
    unknown = sorted(set(given) - known)
    if unknown:
        raise BadInput(f"no setting {', '.join(unknown)} (there are: {', '.join(sorted(known))})")
    settings = replace(PROFILES[profile], seed=seed, static=static, **given)
    for name in RATES:
        if not 0.0 <= getattr(settings, name) <= 1.0:
            raise BadInput(f"setting {name} is {getattr(settings, name)}, not a part of one")
    if not 20 <= settings.hosts <= 200_000:
        raise BadInput(f"{settings.hosts} hosts: a world has 20 to 200,000")
    if not 10 * settings.hosts <= settings.urls <= 2_000 * settings.hosts:
        raise BadInput(f"{settings.urls} URLs on {settings.hosts} hosts: a host has 10 to 2,000 on average")
    if settings.stored and settings.urls > 1_000_000:
        raise BadInput(f"{settings.urls} URLs are too many to store (at most 1,000,000)")
    return settings
