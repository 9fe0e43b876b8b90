"""The made web: a small Internet with known truth.

::

    settings, seed ──► world: hosts ──► plans ──► sites (URL schemes, families of duplicates) ──► pages, links ──► render
                                                                                   │
                   store: pages packed, truth as tables ◄── ledger (the truth) ◄───┤
                   serving: HTTP over real sockets ◄───────────────────────────────┘
    seed ──► tables: inputs of single rooms with their truth, at sizes no page store can hold

A world is a function of its settings and seed. The *census* (`world.hosts`) draws every site with its kind, topic, language
and size, and every host name with its address. A *site* is a plan: sections, numbered pages, a URL *scheme* that all hosts of
the same software share, and *families* of duplicate URLs. From a page's number follow its text (`language`), its links and its
bytes; from any URL follows, by undoing the families, the page's number. So nothing has to be stored: the `world` answers any
URL and tells the truth about it. Small and medium worlds are stored all the same, so that the server only copies bytes.

Invariants:

- The same settings give the same bytes on every machine.
- Every URL that a page links to inside the world is in the truth, or is meant to be missing.
- Two URLs of one ``content`` are the same bytes in a static world; elsewhere they differ only in what changes from request to
  request.
- Two URLs of one site have the same ``key`` if and only if they have the same ``content``.
"""

from garimpo.webgen.ledger import truth
from garimpo.webgen.serving.process import Serving, serve
from garimpo.webgen.settings import PROFILES, Settings, settings_for
from garimpo.webgen.store import load, make, open_world, seeds
from garimpo.webgen.tables import make_tables
from garimpo.webgen.world.world import Answer, Truth, World

__all__ = [
    "PROFILES", "Answer", "Serving", "Settings", "Truth", "World", "load", "make", "make_tables", "open_world", "seeds", "serve",
    "settings_for", "truth",
]  # fmt: skip
