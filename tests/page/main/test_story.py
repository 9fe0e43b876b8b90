"""The story of a single page: where most of its prose stands."""

from garimpo.page.html.parsing import parse
from garimpo.page.main import read_passages
from garimpo.page.main.story import in_story

PROSE = "Gold was found in the river where nobody had looked for it before the rain came down."


def told(html):
    return [one.text for one in in_story(read_passages(parse(html.encode(), whole=True).html))]


def test_the_innermost_element_with_most_of_the_prose():
    html = (
        f"<div id=all><div>Menu of the site</div><div id=story><h1>Gold</h1><div><p>{PROSE}</div><div><p>{PROSE}</div>"
        f"<ul><li>short</ul></div><div><p>{PROSE[:60]}</div></div><div>All rights reserved</div>"
    )
    assert told(html) == ["Gold", PROSE, PROSE, "short"]


def test_prose_of_links_does_not_count():
    html = f"<div><p>{PROSE}</div><div>" + f"<p><a href=x>{PROSE}</a>" * 9 + "</div>"
    assert told(html) == [PROSE]


def test_a_name_of_navigation_around_everything_is_not_believed():
    html = f"<div>top</div><div class=sidebar><h1>Gold</h1><p>{PROSE}<p>{PROSE}</div><div>end</div>"
    assert told(html) == ["Gold", PROSE, PROSE]


def test_letters_that_say_more_count_for_more():
    assert told("<div>菜单</div><div><p>" + "金子在河里被发现" * 4 + "</div>") == ["金子在河里被发现" * 4]


def test_a_page_without_prose_is_taken_whole():
    assert told("<div>a</div><div>b</div>") == ["a", "b"] and told("") == []


def test_many_passages_deep_inside_take_no_longer_than_they_are():
    html = "<div>" * 400 + f"<p>{PROSE}" * 5000 + "</div>" * 400
    assert len(told(html)) == 5000
