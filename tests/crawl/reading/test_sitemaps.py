"""Sitemaps and feeds, sound, broken and hostile."""

import gzip

from garimpo.crawl.reading.sitemaps import MOST_URLS, read_list


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
