"""Sitemaps and feeds, sound, broken and hostile."""

import gzip

from garimpo.crawl.reading.sitemaps import LONGEST_TAG, MOST_URLS, read_list


def test_lists_are_read_packed_broken_and_hostile() -> None:
    good = b"<urlset><url><loc>http://a.example/1</loc></url><url><loc>http://a.example/2</loc></url></urlset>"
    assert read_list(gzip.compress(good), "http://a.example/s.xml.gz")[1] == ["http://a.example/1", "http://a.example/2"]
    assert read_list(good[:50], "http://a.example/")[1] == ["http://a.example/1"]
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>http://a/&b;</loc></url></urlset>'
    assert read_list(bomb, "http://a.example/")[1] == []
    many = b"<urlset>" + b"".join(b"<url><loc>http://a.example/%d</loc></url>" % n for n in range(MOST_URLS + 9)) + b"</urlset>"
    assert len(read_list(many, "http://a.example/")[1]) == MOST_URLS
    atom = b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/x"/></entry></feed>'
    assert read_list(atom, "http://a.example/")[1] == ["http://a.example/x"]


def test_a_list_costs_no_more_than_its_time_and_no_tag_more_than_its_length() -> None:
    ticks = iter(range(10_000))
    body = gzip.compress(b"<urlset>" + b"".join(b"<url><loc>/%d</loc></url>" % number for number in range(40_000)))
    _, all_of_them = read_list(body, "http://a.org/")
    _, some = read_list(body, "http://a.org/", lambda: next(ticks) / 4)
    assert len(all_of_them) == 40_000 and 0 < len(some) < 20_000 and next(ticks) < 10
    ticks = iter(range(10_000))
    tag = b"<urlset><url><loc>/x</loc></url><url " + b"a" * (8 * LONGEST_TAG)
    assert read_list(tag, "http://a.org/", lambda: next(ticks) * 0.0) == (False, ["http://a.org/x"])
    assert next(ticks) < 30  # pieces of the tag: most were not fed
