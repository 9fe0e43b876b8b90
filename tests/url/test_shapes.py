"""Shapes learned from the URLs of a host."""

from hypothesis import given
from hypothesis import strategies as st

from garimpo.url.shapes import EVERYTHING, Shapes

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
def test_a_chain_goes_from_the_host_to_the_shape(urls, url):
    chain = Shapes(urls).of(url).chain()
    assert chain[0].path == (EVERYTHING,) and chain[-1] == Shapes(urls).of(url) and len(set(chain)) == len(chain)


@given(st.lists(URLS, max_size=30))
def test_the_order_of_urls_does_not_count(urls):
    assert [Shapes(urls).of(url) for url in urls] == [Shapes(reversed(urls)).of(url) for url in urls]
