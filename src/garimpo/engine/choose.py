"""Opening an engine by its name, as ``--engine`` gives it."""

import os
from pathlib import Path
from typing import Any

from garimpo.contract.errors import BadInput, option
from garimpo.engine.base import Engine, Progress


def local(
    memory_limit: str = "4GB",
    threads: int | None = None,
    temp: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Engine:
    """An engine on this machine. `temp` is where it spills (default: the system's temporary folder).

    Args:
        memory_limit: memory that tables may take before they go to disk.
        threads: how many threads to use.
        temp: where to put what does not fit.
        progress: called with a step's name and the rows it has done since.
    """
    from garimpo.engine.local_engine import LocalEngine

    return LocalEngine(memory_limit, threads or os.cpu_count() or 1, Path(temp) if temp else None, progress)


def spark(
    master: str = "local[*]",
    temp: str | None = None,
    progress: Progress | None = None,
    settings: dict[str, str] | None = None,
) -> Engine:
    """An engine on Spark. `temp` is a folder that all workers see: on a cluster, a path of its shared file system.

    Args:
        master: where Spark runs.
        temp: where to put what does not fit.
        progress: called with a step's name and the rows it has done since.
        settings: of Spark.
    """
    from garimpo.engine.on_spark.engine import SparkEngine

    return SparkEngine(master, temp, progress, settings or {})


def open_engine(name: str = "local", master: str | None = None, **options: Any) -> Engine:
    """The engine of that name; `master` says where Spark runs.

    Args:
        name: local or spark.
        master: where Spark runs.
        options: as for `local` and `spark`.

    >>> with open_engine("local") as engine:
    ...     engine.count(engine.sql("select 1 as one"))
    1
    """
    if name == "spark":
        return spark(master or "local[*]", **options)
    if name == "local" and master is not None:
        raise BadInput(f"{option('master', master)} goes with {option('engine', 'spark')}")
    if name == "local":
        return local(**options)
    raise BadInput(f"no engine {name!r} (there are: local, spark)")
