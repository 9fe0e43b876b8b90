"""Where a table job runs: on this machine, or on Spark. And how kernels are compiled.

::

    Source ──► map ──► group_map ──► sql (sort, join, count) ──► components ──► write
               every step: Arrow table in, Arrow table out, a pure function

A job is a few steps. A step's function knows neither the engine nor how its rows were cut into batches, so the same job gives
the same rows here and on Spark.

**Local.** A `Data` is a small Arrow table in memory, or a list of Parquet files in the engine's temporary folder. Steps stream
and spill. DuckDB does SQL only, within a memory limit. Functions run in threads, because kernels release the GIL, or in
spawned processes when they say that they are bound to Python. Closing the engine deletes what it made.

**Spark.** A `Data` is a plan; it is written as Parquet, to a folder that all workers see, once another step reads it. Steps
run through `mapInArrow`; a group-map cuts its sorted partitions with the same code as the local one. Workers read files
themselves, each row with its place (`on_spark.places`): what grows with the data stays with them.

**Kernels.** `jit` compiles them when first used and caches them in a folder of their own; it is the only module that uses
numba's internals, and says why. `columns` gives kernels Arrow's own buffers. `_kernels` holds the code that several rooms
call.

Invariants:

- Integer arithmetic where rows are compared, total orders, samples by hash and never by row order.
- 64-bit hashes travel as int64: Spark has no unsigned integers.
- Nothing is visible outside the temporary folder until `write` renames the finished file.
"""

from garimpo.engine.base import Data, Engine, Source
from garimpo.engine.choose import local, open_engine, spark
from garimpo.engine.columns import flat, hash_strings

__all__ = ["Data", "Engine", "Source", "flat", "hash_strings", "local", "open_engine", "spark"]
