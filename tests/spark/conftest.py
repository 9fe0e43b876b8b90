"""Spark for these tests: skipped where it or Java is absent. ``make test-spark`` installs it."""

import importlib.util
import shutil

import pytest

collect_ignore_glob = [] if importlib.util.find_spec("pyspark") else ["test_*.py"]

SMALL = {
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # the runs are too short to gain from C2
    "spark.sql.codegen.wholeStage": "false",
}


@pytest.fixture(scope="session")
def spark():
    """One engine on two local workers for the whole run; commands that open an engine of their own share its session."""
    if shutil.which("java") is None:
        pytest.skip("no Java here")
    from garimpo.engine import spark as open_spark

    with open_spark("local[2]", settings=SMALL) as engine:
        yield engine
