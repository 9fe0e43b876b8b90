"""A disk that is full."""

import errno
from pathlib import Path

import pytest

from garimpo.contract.errors import GarimpoError
from garimpo.crawl.keeping.full_disk import RetryOnFullDisk


def test_a_full_disk_is_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    full_disk, tries = RetryOnFullDisk(tmp_path, pause=0.01), iter([True, True, False])

    def write() -> str:
        if next(tries):
            raise OSError(errno.ENOSPC, "No space left on device")
        return "written"

    assert full_disk.run(write) == "written" and full_disk.paused == 2
    assert capsys.readouterr().err.count("disk full") == 1
    full_disk.give_up = True
    with pytest.raises(GarimpoError, match="resume"):
        full_disk.run(lambda: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")))
