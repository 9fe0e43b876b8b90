"""What the applications say of themselves, without installing one."""

import re
from urllib.parse import urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from realweb.answers import Answer
from realweb.application import Application
from realweb.applications import APPLICATIONS
from realweb.judge import main_text

NAMED = {application.name: application for application in APPLICATIONS}
KINDS = {
    "dokuwiki": {
        "/doku.php?id=a:b": "document",
        "/doku.php?id=a:b&do=edit": "form",
        "/doku.php?id=a:b&rev=1": "history",
        "/doku.php?id=a:b&do=diff": "history",
        "/doku.php?id=a:b&do=index": "listing",
        "/lib/exe/fetch.php?media=x": "file",
    },
    "trac": {
        "/wiki/A": "document",
        "/ticket/3": "document",
        "/ticket/3?format=csv": "file",
        "/wiki/A?version=1": "history",
        "/wiki/A?action=diff": "history",
        "/query?status=new": "listing",
        "/login": "form",
        "/browser/source/a.py": "document",
    },
    "cgit": {
        "/click.git/tree/click/core.py": "document",
        "/click.git/tree/click/core.py?id=1": "history",
        "/click.git/commit/?id=1": "document",
        "/click.git/commit/?id=1&h=x": "history",
        "/click.git/log/": "listing",
        "/click.git/snapshot/click-1.zip": "file",
        "/click.git/diff/?id=1": "history",
    },
    "gitweb": {
        "/?p=click.git;a=commit;h=1": "document",
        "/?p=click.git;a=blob;f=x;h=1;hb=HEAD": "document",
        "/?p=click.git;a=blob;f=x;h=1;hb=abc": "history",
        "/?p=click.git;a=snapshot;h=1": "file",
        "/": "listing",
    },
    "fossil": {
        "/info/abc": "document",
        "/file?name=a.py&ci=tip": "document",
        "/raw/abc": "file",
        "/timeline": "listing",
        "/annotate?filename=a": "history",
        "/login": "form",
    },
    "roundup": {
        "/issue3": "document",
        "/msg3": "document",
        "/issue3?@template=item": "form",
        "/issue?@sort=x": "listing",
        "/user?@template=register": "form",
    },
    "mezzanine": {
        "/blog/a-post/": "document",
        "/blog/tag/x/": "listing",
        "/blog/archive/2023/1/": "listing",
        "/blog/": "listing",
        "/account/login/?next=/": "form",
    },
    "wagtail": {"/git-doc/a/": "document", "/git-doc/": "listing", "/git-doc/?page=2": "listing", "/admin/login/": "form"},
    "machina": {
        "/forum/a-1/topic/b-2/": "document",
        "/forum/a-1/topic/b-2/?post=3": "listing",
        "/forum/a-1/": "listing",
        "/forum/a-1/topic/create/": "form",
    },
    "oscar": {
        "/catalogue/a-book_17/": "document",
        "/catalogue/category/manuals_1/": "listing",
        "/basket/": "form",
        "/catalogue/?selected_facets=rating%3A1": "listing",
    },
    "datasette": {
        "/shop/items/7": "document",
        "/shop/items?_sort=year": "listing",
        "/shop/items.json": "file",
        "/shop?sql=x": "form",
    },
    "mhonarc": {"/msg00001.html": "document", "/threads.html": "listing"},
    "pydoctor": {"/2.3.8/werkzeug.http.html": "document", "/2.3.8/classIndex.html": "listing", "/2.3.8/apidocs.css": "file"},
    "scheduler": {"/schedule/event/7/": "document", "/schedule/calendar/year/a/": "listing", "/schedule/event/edit/a/7/": "form"},
    "manuals": {"/ch1.html": "document", "/": "document", "/logo.png": "file"},
}


def test_every_application_is_tested() -> None:
    assert KINDS.keys() == NAMED.keys()


@pytest.mark.parametrize(("name", "path"), [(name, path) for name, paths in KINDS.items() for path in paths])
def test_kinds(name: str, path: str) -> None:
    application = NAMED[name]
    assert application.kind(f"http://{application.hosts[0]}{path}") == KINDS[name][path]


def test_no_two_applications_share_a_name_or_a_host() -> None:
    assert len(NAMED) == len(APPLICATIONS)
    hosts = [host for application in APPLICATIONS for host in application.hosts]
    assert len(hosts) == len(set(hosts)) and all(host.endswith(".test") for host in hosts)


@pytest.mark.parametrize("application", APPLICATIONS, ids=NAMED)
def test_seeds_are_on_its_hosts_and_masks_can_be_used(application: Application) -> None:
    assert {urlsplit(seed).hostname for seed in application.seeds()} <= {*application.hosts}
    for pattern in application.masks.patterns:
        re.compile(pattern)
    page = b"<html><body><p>some words</p></body></html>"
    assert LexborHTMLParser(page).css(application.masks.main) is not None
    assert main_text(Answer(200, [("Content-Type", "text/html")], page), application.masks) == "some words"
