"""The loop on the made web, against its truth.

`run` makes the small web in a folder of its own, serves it on loopback, crawls it twice with the same budget, once plainly
and once learning, and counts both crawls against the truth (`measure`). What it finds is printed as one table (`show`) and
written as a page with the curves and the rules. Nothing here knows how the web was made beyond what its truth tables say.
"""

from garimpo.demo.measure import Ledger, Measures, measure, measure_folder
from garimpo.demo.run import Demo, run

__all__ = ["Demo", "Ledger", "Measures", "measure", "measure_folder", "run"]
