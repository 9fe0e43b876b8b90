"""The loop on the made web, against its truth.

::

    webgen.make ──► webgen.serve ──► crawl, plain ────► measures ──► show: one table, one HTML page
                                └──► crawl, learning ──┘   ▲
                                              truth tables ┘

`run` makes the small web in a folder of its own, serves it on loopback, and crawls it twice with the same budget: once without
learning, once with. `measure` counts both crawls against the truth; `show` prints one table and writes a page with the curves
and the rules. `mirrors`, `topic` and `entities` do the same for folds, topics and sites.

Invariant: nothing here knows more of how the web was made than its truth tables say.
"""

from garimpo.demo.crawls import Demo, run
from garimpo.demo.measures import Ledger, Measures, measure, measure_folder

__all__ = ["Demo", "Ledger", "Measures", "measure", "measure_folder", "run"]
