"""The commands as they are used, in processes of their own."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest


def run(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "garimpo", "dust", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=240)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dust")
    lines = [f"{n}\thttp://a.org/p{n}{end}\tdigest" for n in range(40) for end in ("", "/", f"?sid={n * 7919:x}")]
    lines += [f"{100 + n}\thttp://a.org/only/{n}" for n in range(20)]
    (folder / "clusters.tsv").write_text("\n".join(lines) + "\n")
    return folder


def test_learn_apply_explain_show(work: Path) -> None:
    learned = run("learn", work / "clusters.tsv", "--out", work / "rules.json", "--json")
    assert learned.returncode == 0, learned.stderr
    assert json.loads(learned.stdout.splitlines()[-1])["rules"] == 2
    given = b"http://a.org/new/\nHTTP://A.org/new?sid=3\nno url\n\xff\n\nhttp://b.org/x/"
    done = run("apply", work / "rules.json", "--json", stdin=given)
    lines = done.stdout.split(b"\n")[:-1]
    assert [line.split(b"\t")[0] for line in lines] == given.split(b"\n")
    keys = [line.split(b"\t")[1] for line in lines]
    assert keys[0] == keys[1]
    assert keys[2:] == [b"no url", b"\xff", b"", b"http://b.org/x/"]
    assert [line.split(b"\t")[2] == b"-" for line in lines] == [False, False, True, True, True, True]
    assert json.loads(done.stderr.splitlines()[-1]) == {"lines": 6, "made_by_a_rule": 2}
    told = run("explain", work / "rules.json", "http://a.org/q/?sid=1")
    assert b"slash" in told.stdout
    assert b"clusters" in told.stdout
    shown = run("show", work / "rules.json", "--html", work / "rules.html", "--zyte", work / "zyte.json")
    assert b"the parameter sid does not count" in shown.stdout
    assert json.loads((work / "zyte.json").read_text())[0]["args"] == ["sid"]
    changes = run("show", work / "rules.json", "--diff", work / "rules.json", "--json")
    assert json.loads(changes.stdout) == {"added": [], "removed": []}


def test_broken_lines_are_counted_and_named(work: Path) -> None:
    bad = work / "bad.tsv.gz"
    good = [f"{n}\thttp://a.org/p{n}{end}".encode() for n in range(30) for end in ("", "/")]
    lines = [b"no tab here", b"7\t", b"\xff\xfe\thttp://a.org/", b"9\t" + b"x" * 3_000_000, *good, b"0\thttp://a.org/p1"]
    bad.write_bytes(gzip.compress(b"\n".join(lines)))
    done = run("learn", bad, "--out", work / "bad.json", "--json")
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)["passed_over"]
    assert (counts["broken line"], counts["line not UTF-8"], counts["line longer than a megabyte"]) == (2, 1, 1)
    assert counts["joined clusters"] == 1
    assert b"line: 1" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "content"),
    [
        (["learn", "in.tsv", "--out", "o.json"], b"only broken lines\n"),
        (["learn", "in.tsv", "--out", "o.json"], b""),
        (["learn", "missing.tsv", "--out", "o.json"], b""),
        (["learn", "in.tsv.gz", "--out", "o.json"], b"no gzip"),
        (["learn", "in.parquet", "--out", "o.json"], b"no parquet"),
        (["learn", "in.tsv", "--out", "o.json", "--method", "magic"], b"1\thttp://a.org/\n"),
        (["learn", "in.tsv", "--out", "o.json", "--fpr-max", "2"], b"1\thttp://a.org/\n"),
        (["learn", "in.tsv", "--out", "o.json", "--sample", "1"], b"1\thttp://a.org/\n"),
        (["apply", "in.json"], b"not json"),
        (["explain", "in.json", "http://a.org/"], b"{}"),
        (["clusters", "in.parquet", "--out", "c.tsv"], b"not parquet"),
        (["clusters", "missing", "--out", "c.tsv"], b""),
    ],
)
def test_bad_input_is_one_line_and_exit_2(arguments: list[str], content: bytes, tmp_path: Path) -> None:
    names = {name: tmp_path / name for name in arguments if "." in name and not name.startswith(("-", "http"))}
    for name, path in names.items():
        if name.startswith("in."):
            path.write_bytes(content)
    done = run(*[names.get(name, name) for name in arguments])
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert b"Traceback" not in done.stderr
