"""Where a table job runs: on this machine, or on Spark.

A job is a few steps, each from tables to a table: `map` a batch, `group_map` whole groups, `sql` for sorting,
joining and counting, `components` of a graph, `write`. A step's function is pure, takes an Arrow table and gives
one, and knows neither the engine nor how its rows were cut into batches; so the same job gives the same rows here
and on Spark. To keep it so: integer arithmetic where rows are compared, total orders, samples by hash and never by
row order, and 64-bit hashes carried as int64 (Spark has no unsigned integers).

Here (`local`), a `Data` is a small Arrow table in memory, or a list of Parquet files in the engine's temporary
folder: every step streams, spills when it grows, and deletes what it made when the engine is closed. DuckDB does
SQL only, within a memory limit and out of core; functions run in threads, because kernels release the GIL, or in
spawned processes when they say they are bound to Python. Nothing is visible outside the temporary folder until
`write` renames the finished file, so Ctrl-C leaves nothing half-done.

On Spark (`spark`), a `Data` is a plan, settled as Parquet in a folder that all workers see once another step reads it. Steps
run through `mapInArrow`; a group-map cuts its sorted partitions with the code that cuts the sorted stream here. Its workers are
`far`: they read files themselves, each row with its place (`spark_places`), and what grows with the data stays with them.

`jit` compiles kernels, `columns` gives them Arrow's own buffers, and `_kernels` holds the code that several rooms
call.
"""

from garimpo.engine.base import Data, Engine, Source
from garimpo.engine.choose import local, open_engine, spark
from garimpo.engine.columns import flat, hash_strings

__all__ = ["Data", "Engine", "Source", "flat", "hash_strings", "local", "open_engine", "spark"]
