"""The engine on Spark with a clock at each step, on a cluster of this machine."""

import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from cluster import executors, standalone
from processes import cpu_seconds

from garimpo.engine.on_spark.engine import SparkEngine

SETTINGS = {
    "spark.sql.shuffle.partitions": "8",
    "spark.driver.memory": "1g",
    "spark.driver.host": "127.0.0.1",
    "spark.executor.memory": "1500m",
    "spark.executor.cores": "1",
}


class TimedSpark(SparkEngine):
    """Adds up the seconds of what runs under the name of its step or of its query's first table."""

    def __init__(self, master: str, folder: Path, steps: dict[str, float]) -> None:
        mount = {"spark.hadoop.fs.viewfs.mounttable.bench.link./out": folder.parent.as_uri()}
        super().__init__(master, str(folder), None, SETTINGS | mount)
        self.steps = steps

    def map(self, data, step, schema, **options):
        return _named(super().map(data, step, schema, **options), _name(step))

    def group_map(self, data, keys, step, schema, **options):
        return _named(super().group_map(data, keys, step, schema, **options), _name(step))

    def sql(self, query, **tables):
        return _named(super().sql(query, **tables), f"sql over {', '.join(tables)}")

    def _from_driver(self, schema, batches):
        return self._timed("driver reads documents", super()._from_driver, schema, batches)

    def _settled(self, data):
        return data if data.settled else self._timed(getattr(data, "label", "the workers read lines"), super()._settled, data)

    def collect(self, data):
        return self._timed("driver collects", super().collect, data)

    def count(self, data):
        return self._timed("driver counts", super().count, data)

    def write(self, data, path, schema):
        settled = self._settled(data)
        return self._timed("the workers write the result", super().write, settled, path, schema)

    def _timed(self, name, call, *arguments):
        begun = time.perf_counter()
        try:
            return call(*arguments)
        finally:
            self.steps[name] += time.perf_counter() - begun


def on_cluster(workers: int, folder: Path, job: Callable[[TimedSpark], Any]) -> tuple[Any, dict[str, object]]:
    """What a job gives on a standalone cluster of so many workers, and its seconds: by the clock, of CPU, and step by step."""
    home = folder / f"cluster{workers}"
    home.mkdir()
    steps: dict[str, float] = defaultdict(float)
    with standalone(home, workers, "2g") as master, TimedSpark(master, folder / "temp", steps) as engine:
        started, driver, others = time.perf_counter(), cpu_seconds(), cpu_seconds(executors(home))
        result = job(engine)
        seconds = time.perf_counter() - started
        used = cpu_seconds(executors(home)) - others
        driver = cpu_seconds() - driver - used  # the daemons are of this process, and the executors of theirs
    return result, {"seconds": seconds, "driver": driver, "executors": used, "steps": steps}


def _name(step: Any) -> str:
    return step.func.__name__ if isinstance(step, partial) else step.__name__


def _named(data, label):
    data.label = label
    return data
