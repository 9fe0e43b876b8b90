"""The commands as they are used, in processes of their own."""

import gzip
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from garimpo.archive import Store
from garimpo.contract.tables import LINKS, PAGES


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


def test_clusters_of_a_crawl_folder_join_what_the_crawl_found_to_be_one_page(tmp_path: Path) -> None:
    def page(url: str, digest: int, first: str | None) -> dict[str, object]:
        row = {"url": url, "host": "a.org", "status": 200, "depth": 0, "digest": digest, "duplicate_of": first}
        return {field.name: None for field in PAGES} | row | {"fetched_at": datetime(2030, 1, 1, tzinfo=UTC)}

    rows = [page("http://a.org/x", 1, None), page("http://a.org/x?v=2", 2, "http://a.org/x"), page("http://a.org/y", 3, None)]
    with Store.create(tmp_path / "crawl") as store, store.commit(pa.Table.from_pylist(rows, PAGES), LINKS.empty_table()):
        pass
    done = run("clusters", tmp_path / "crawl", "--out", tmp_path / "clusters.tsv")
    assert done.returncode == 0, done.stderr
    fields = [line.split("\t") for line in (tmp_path / "clusters.tsv").read_text().splitlines()]
    number = {url: cluster for cluster, url, *_ in fields}
    assert number["http://a.org/x"] == number["http://a.org/x?v=2"] != number["http://a.org/y"]


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


def test_rules_are_judged(work: Path) -> None:
    (work / "judged.tsv").write_text(
        "1\thttp://a.org/x/\n1\thttp://a.org/x\n2\thttp://a.org/y\n3\thttp://a.org/y/\n4\thttp://b.org/\n"
    )
    assert run("learn", work / "clusters.tsv", "--out", work / "r.json").returncode == 0
    told = json.loads(run("test", work / "r.json", work / "judged.tsv", "--json").stdout.splitlines()[-1])
    assert (told["coverage"], told["skips"], told["skips_wrong"], told["skip_precision"]) == (1.0, 2, 1, 0.5)
    assert [one["url"] for one in told["false_merges"]] == ["http://a.org/y/"] and told["rules_valid"] < told["rules_applied"]
    missing = run("test", work / "r.json", work / "none.tsv")
    assert missing.returncode == 2 and b"no such file" in missing.stderr


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "url,hash\nhttp://a.org/1,x7\nhttp://a.org/1/,x7\nhttp://a.org/2,x8\n"),
        ("b.csv", "hash,url\nx7,http://a.org/1\nx8,http://a.org/2\nx7,http://a.org/1/\n"),
        ("c.tsv", "7\thttp://a.org/1\n7\thttp://a.org/1/\n8\thttp://a.org/2\n"),
        ("d.tsv", "http://a.org/2\t8\nhttp://a.org/1\t7\nhttp://a.org/1/\t7\n"),
    ],
)
def test_clusters_of_a_table_of_urls_and_hashes(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    made = run("clusters", tmp_path / name, "--out", tmp_path / "clusters.tsv", "--json")
    told = json.loads(made.stdout.splitlines()[-1])
    assert (told["clusters"], told["urls"], told["unique"]) == (1, 2, 1), made.stderr


def test_a_table_of_urls_and_hashes_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("name,age\nx,3\n")
    refused = run("clusters", tmp_path / "a.csv", "--out", tmp_path / "c.tsv")
    assert refused.returncode == 2 and b"no heading that names url" in refused.stderr


def test_canonical_tags_are_believed_where_asked(tmp_path: Path) -> None:
    lines = [f"http://a.org/{n}?v={v},{n}-{v},http://a.org/{n}" for n in range(9) for v in (1, 2)]
    (tmp_path / "p.csv").write_text(
        "\n".join(["url,digest,canonical", *lines, *(f"http://a.org/{n},own{n}," for n in range(9))]) + "\n"
    )
    counted = []
    for more in ([], ["--trust-canonical"]):
        made = run("clusters", tmp_path / "p.csv", "--out", tmp_path / "c.tsv", "--json", *more)
        counted.append(json.loads(made.stdout.splitlines()[-1])["clusters"])
    assert counted == [0, 9]


def test_one_odd_cluster_is_counted_and_ends_nothing(work: Path) -> None:
    odd = ["&".join(f"a{n}{which}={which}{n}" for n in range(40)) for which in "xy"]
    lines = (work / "clusters.tsv").read_text() + "".join(f"{k}\thttp://a.org/{k}?{q}\n" for k in range(900, 906) for q in odd)
    (work / "odd.tsv").write_text(lines)
    for method in ("dustlin", "duster"):
        least = ("--min-support", 1, "--min-frequency", 1)
        done = run("learn", work / "odd.tsv", "--out", work / "odd.json", "--method", method, *least, "--json")
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout.splitlines()[-1])
        assert told["rules"] and told["passed_over"]["rules over a limit"]


def test_keys_come_as_lines_come(work: Path) -> None:
    """A program that writes one URL and waits for its key gets it."""
    assert run("learn", work / "clusters.tsv", "--out", work / "s.json").returncode == 0
    command = [sys.executable, "-m", "garimpo", "dust", "apply", str(work / "s.json")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        for url in (b"http://a.org/x/", b"http://a.org/y"):
            process.stdin.write(url + b"\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith(url + b"\tdust:")
        process.stdin.close()
