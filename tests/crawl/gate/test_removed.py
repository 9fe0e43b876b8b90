"""What was taken out of a crawl folder is not fetched again."""

from pathlib import Path
from typing import Any

from garimpo.archive import Store, remove
from garimpo.crawl import Components, Settings, crawl, resume, skipped
from strange import answer, strange_server

SETTINGS: dict[str, Any] = {"delay": 0, "learn": False, "timeout": 5.0, "scope": "all"}
START, OTHER = "http://strange.example/start", "http://other.example/good9"


def test_removed_urls_and_hosts_stay_away(tmp_path: Path) -> None:
    with strange_server() as server:
        server.pages["/start"] = answer(f"<a href=/good8>a</a><a href='{OTHER}'>b</a>".encode())
        out, settings = tmp_path / "crawl", Settings(seeds=[START], resolve_all=server.address, max_pages=2, **SETTINGS)
        crawl(out, settings, Components())
        remove(out, [START, "other.example"])
        server.asked.clear()
        resume(out, {"max_pages": 0}, Components())
        assert server.asked["/start"] == 0 and not any("Host: other.example" in head for head in server.requests)
        with Store.open(out, write=False) as store:
            known = {row[0] for table in ("queue", "fetched") for row in store.database.execute(f"SELECT url FROM {table}")}
        assert known == {"http://strange.example/good8", "http://strange.example/good9"}
        server.asked.clear()
        again = tmp_path / "again"
        crawl(again, Settings(seeds=[START], known=str(out), resolve_all=server.address, **SETTINGS), Components())
        assert server.asked["/start"] == 0 and server.asked["/good8"] == 1
    rows = [row for batch in skipped(again) for row in batch.to_pylist()]
    assert [(row["url"], row["rule"]) for row in rows] == [(START, "removed")]
