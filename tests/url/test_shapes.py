"""Shapes learned from the URLs of a host."""

from hypothesis import given
from hypothesis import strategies as st

from garimpo.url.shapes import EVERYTHING, Shape, Shapes

HOST = "http://a.org"


def shapes_of(paths):
    return Shapes(f"{HOST}{path}" for path in paths)


def test_what_few_urls_carry_is_free_and_what_many_carry_is_constant():
    shapes = shapes_of([f"/item/{number}" for number in range(200)] + [f"/tag/{'x' * n}" for n in range(1, 8)])
    assert str(shapes.of(f"{HOST}/item/9")) == "/item/#" and str(shapes.of(f"{HOST}/tag/gold")) == "/tag/*"
    assert str(shapes.of(f"{HOST}/other/9")) == "/*/#"


def test_a_value_is_constant_in_the_context_of_its_path():
    shapes = shapes_of(
        [f"/log?h={branch}&o={n}" for n in range(9) for branch in ("main", "old")] + [f"/tree?h={n}" for n in range(40)]
    )
    assert str(shapes.of(f"{HOST}/log?o=77&h=main")) == "/log?h=main&o"
    assert str(shapes.of(f"{HOST}/tree?h=main")) == "/tree?h"


def test_order_of_parameters_does_not_count():
    shapes = shapes_of([f"/x?a={n}&b={n}" for n in range(20)])
    assert shapes.of(f"{HOST}/x?b=1&a=2") == shapes.of(f"{HOST}/x?a=5&b=6")


SEGMENT = st.sampled_from(["wiki", "a", "12", "3fa9c1", "user:ana", "x.html", ""])
URLS = st.lists(SEGMENT, min_size=1, max_size=4).map(lambda parts: f"{HOST}/" + "/".join(parts))


@given(st.lists(URLS, max_size=30), URLS)
def test_parents_lead_up_to_the_host(urls, url):
    above, seen = [Shapes(urls).of(url)], set()
    while above:
        assert not seen & set(above)
        seen |= set(above)
        above = list(dict.fromkeys(parent for shape in above for parent in shape.parents()))
    assert Shape((EVERYTHING,), (), ()) in seen


def test_several_parameters_have_a_parent_each():
    shape = Shapes().of(f"{HOST}/list?sort=up&page=3")
    (anywhere,) = shape.parents()
    steps = {str(one) for one in anywhere.parents()}
    assert steps == {"**?page&**", "**?sort&**"}


@given(st.lists(URLS, max_size=30))
def test_the_order_of_urls_does_not_count(urls):
    assert [Shapes(urls).of(url) for url in urls] == [Shapes(reversed(urls)).of(url) for url in urls]


def test_semicolons_may_stand_between_parameters() -> None:
    shapes = Shapes(f"http://a.org/?p=x;a={action};h={number}" for number in range(9) for action in ("blob", "diff"))
    assert str(shapes.of("http://a.org/?p=x;a=diff;h=77")) == "/?a=diff&h&p=x"
    assert shapes.of("http://a.org/?q=a;b&n=1").names == ("n", "q")
