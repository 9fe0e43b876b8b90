"""Spark for these tests: skipped, with the reason, where it or Java is absent. ``make test-spark`` installs it."""

import importlib.util
from pathlib import Path

import pytest

from garimpo.contract.errors import BadInput
from garimpo.engine.on_spark.session import check_java
from spark.cluster import standalone


def why_not() -> str | None:
    """Why Spark cannot run here, or None."""
    if importlib.util.find_spec("pyspark") is None:
        return "PySpark is not installed"
    try:
        check_java()
    except BadInput as error:
        return str(error)
    return None


def pytest_collection_modifyitems(items) -> None:
    here = [item for item in items if Path(__file__).parent in item.path.parents]
    reason = why_not() if here else None
    for item in here if reason else []:
        item.add_marker(pytest.mark.skip(reason=reason))


SMALL = {
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # the runs are too short to gain from C2
    "spark.sql.codegen.wholeStage": "false",
}


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """A master's address, and the folder its two workers run in; started once for all tests that need worker processes."""
    folder = tmp_path_factory.mktemp("cluster")
    try:
        with standalone(folder) as address:
            yield address, folder
    except TimeoutError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def mounted(tmp_path_factory) -> Path:
    """The folder that ``viewfs://made/`` shows: a Hadoop file system that is not the machine's own."""
    return tmp_path_factory.mktemp("viewfs")


@pytest.fixture(scope="session")
def spark(mounted: Path):
    """One engine on two local workers for the whole run; commands that open an engine of their own share its session."""
    from garimpo.engine import spark as open_spark

    mount = {"spark.hadoop.fs.viewfs.mounttable.made.link./data": mounted.as_uri()}
    with open_spark("local[2]", settings=SMALL | mount) as engine:
        yield engine
