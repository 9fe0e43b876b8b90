"""Topics shown by URLs: the pages are fetched before the crawl begins, politely, and kept for the studies that follow."""

import subprocess
from pathlib import Path

import msgspec
import pyarrow.parquet as pq

from crawling import command, run
from garimpo.webgen import Serving


def options(web: Path, server: Serving) -> list[str]:
    return ["--delay", "0", "--resolve-all", server.address, "--hosts", str(web / "hosts"), "--max-pages", "30"]


def some_pages(web: Path, server: Serving, tmp_path: Path, count: int) -> list[str]:
    out = tmp_path / "before"
    run(
        "crawl", f"@{web / 'seeds.txt'}", *options(web, server), "--out", out, "--no-learn", "--scope", "all", "--strategy", "bfs"
    )
    rows = [row for file in sorted((out / "pages").glob("*.parquet")) for row in pq.read_table(file).to_pylist()]
    return [row["url"] for row in rows if row["status"] == 200 and row["text"]][:count]


def test_urls_show_the_topic_and_are_the_seeds_where_none_is_given(web: Path, server: Serving, tmp_path: Path) -> None:
    urls = some_pages(web, server, tmp_path, 3)
    listed = tmp_path / "urls.txt"
    listed.write_text("\n".join(urls[1:]) + "\n")
    out = tmp_path / "crawl"
    shown = run("crawl", "--positive", urls[0], "--positive", f"@{listed}", *options(web, server), "--out", out, "--json")
    result = msgspec.json.decode(shown.splitlines()[-1])
    assert result["stored"] == 30
    kept = pq.read_table(out / "learned" / "examples" / "1.parquet")
    assert kept.column("id").to_pylist() == urls and all(kept.column("text").to_pylist())
    before = [f"http://{host}{target}" for _, host, target, _ in server.log()]
    assert f"{urls[0].split('/')[0]}//{urls[0].split('/')[2]}/robots.txt" in before  # asked with a crawl's manners
    run("crawl", "--resume", out, "--max-pages", "35")
    assert [path.name for path in (out / "learned" / "examples").iterdir()] == ["1.parquet"]  # kept, not fetched again


def test_a_page_that_cannot_be_read_is_told_and_the_others_are_used(web: Path, server: Serving, tmp_path: Path) -> None:
    url = some_pages(web, server, tmp_path, 1)[0]
    lost = url.split("/")[0] + "//" + url.split("/")[2] + "/there/is/no/such.page"
    told = subprocess.run(
        command("crawl", "--positive", url, "--positive", lost, *options(web, server), "--out", tmp_path / "crawl"),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert f"{lost} shows no topic: answers 404" in told.stderr


def test_without_any_page_there_is_one_line_and_no_folder(web: Path, server: Serving, tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    told = subprocess.run(
        command("crawl", "--positive", "http://nowhere.invalid/", *options(web, server), "--out", out),
        capture_output=True,
        text=True,
    )
    assert told.returncode == 2 and told.stderr.count("\n") == 1 and "no page that shows the topic could be read" in told.stderr
    assert not out.exists()
