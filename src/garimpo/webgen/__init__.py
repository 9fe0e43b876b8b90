"""The made web: a small Internet with known truth.

A world is a function of its settings and seed. The *census* (`hosts`) draws every site with its kind, topic, language and size
and every host name with its address. A *site* (`sites`) is then a plan: sections, numbered pages, a URL *scheme* (`schemes`)
that it shares with all hosts of the same software, and *families* of duplicate URLs (`families`). From a page's number follow
its text (`stories`, `text`), its links (`links`) and its bytes (`render`); from any URL follows, by undoing the families,
the page's number. So nothing has to be stored: the `world` answers any URL, and says the truth about it.

Small and medium worlds are stored all the same (`store`): pages in one packed file, truth in tables (`truth`), so that the
`server` only copies bytes. Invariants: the same settings give the same bytes on every machine; every URL that a page links to
inside the world is in the truth or is meant to be missing; two URLs with the same ``content`` are the same bytes in a static
world, and in others differ only in what changes from one request to the next; two URLs of one site
have the same ``key`` if and only if they have the same ``content``.
"""

from garimpo.webgen.serving import Serving, serve
from garimpo.webgen.settings import PROFILES, Settings, settings_for
from garimpo.webgen.store import load, make, open_world, seeds
from garimpo.webgen.tables import make_tables
from garimpo.webgen.truth import truth
from garimpo.webgen.world import Answer, Truth, World

__all__ = [
    "PROFILES", "Answer", "Serving", "Settings", "Truth", "World", "load", "make", "make_tables", "open_world", "seeds", "serve",
    "settings_for", "truth",
]  # fmt: skip
