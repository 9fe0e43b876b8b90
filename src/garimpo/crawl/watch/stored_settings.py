"""The settings of a crawl for those who only look at it: what is wrong in them ends no view."""

import warnings

from garimpo.archive import Store
from garimpo.archive.folder.configuration import settings_before_damage
from garimpo.contract.errors import BadInput, LeftOut
from garimpo.crawl.settings import Settings, from_dict


def settings_of(store: Store) -> Settings:
    """The settings in `crawl.toml`; where they make no sense those it was written with, else the usual ones.

    Args:
        store: the crawl folder.
    """
    file = f"{store.path}/crawl.toml"
    try:
        return from_dict(store.settings, file, check=False)
    except BadInput as error:
        warnings.warn(f"{error}: left out", LeftOut, stacklevel=3)
    try:
        return from_dict(settings_before_damage(store.path) or {}, file, check=False)
    except BadInput:
        return Settings()
