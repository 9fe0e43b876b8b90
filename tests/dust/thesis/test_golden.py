"""The worked examples of the thesis, with URLs as printed (not normalised) and rules compared by what they make."""

from itertools import permutations

import pyarrow as pa
import pytest

from garimpo.dust.learning import learn
from garimpo.dust.rules.pattern import apply_pattern
from garimpo.dust.thesis.emission import rule_of
from garimpo.dust.thesis.multiple_alignment import align
from garimpo.dust.thesis.redundancy import survivors
from garimpo.url import tokens

BRITNEY = [
    "http://britney.com.br/?id=5",
    "http://britney.com.br/index.php?id=5",
    "http://Britney.com.br/?id=5",
    "http://www.britney.com.br/?id=5",
]
BRITNEY_RULE = (r"^★://(www\.)?(britney|Britney)\.★\.★/(index\.php)?\?★=★$", "$1://britney.$2.$3/?$4=$5")
SITE = [f"http://{www}site.com{end}" for www in ("", "www.") for end in ("", "/", "/index.html")]
both_ways = pytest.mark.parametrize("progressive", [False, True], ids=["dustlin", "duster"])


def rule(urls: list[str], progressive: bool = False, card: int = 5) -> tuple[str, str]:
    found = rule_of(align(sorted(urls), progressive).columns, card)
    assert found is not None
    return found


def consensus(urls: list[str]) -> list[set[str | None]]:
    return [set(column) for column in align(urls).consensus()]


def test_g1_tokens() -> None:
    assert len(tokens("http://ex.com/1.htm")) == 11


@both_ways
def test_g2_g3_pairwise(progressive: bool) -> None:
    pair = ["www.IRS.gov/foia/index.html", "www.irs.ustreas.gov/foia"]
    found = align(pair, progressive)
    assert found.score * 11 == pytest.approx(7)
    assert consensus(pair) == [
        {"www"}, {"."}, {"IRS", "irs"}, {".", None}, {"ustreas", None}, {"."}, {"gov"}, {"/"}, {"foia"},
        {"/", None}, {"index", None}, {".", None}, {"html", None},
    ]  # fmt: skip
    assert rule(pair, progressive) == (r"^★\.(irs|IRS)(\.ustreas)?\.★/★(/index\.html)?$", "$1.irs.$2/$3")


@both_ways
def test_g4_multiple(progressive: bool) -> None:
    assert rule(BRITNEY, progressive) == BRITNEY_RULE
    for url in ("http://britney.com.br/?id=7", "http://Britney.com.br/index.php?id=7"):
        assert apply_pattern(*BRITNEY_RULE, url) == "http://britney.com.br/?id=7"


def test_g5_support() -> None:
    more = ["http://britney.com.br/?id=7", "http://Britney.com.br/index.php?id=7"]
    forms = [apply_pattern(*BRITNEY_RULE, url) for url in [*BRITNEY, *more]]
    clusters = [0, 0, 0, 0, 1, 1]
    pairs = [(i, j) for i in range(6) for j in range(i) if forms[i] == forms[j]]
    assert len(pairs) == 7
    assert all(clusters[i] == clusters[j] for i, j in pairs)


@both_ways
def test_g6_g7_directories(progressive: bool) -> None:
    base = "http://a.l.g/m/r/6.2/{}/dochts/formats/pdf/{}.pdf"
    rules = {rule([base.format(lang, name) for lang in ("ja", "en", "fr")], progressive) for name in ("smb-ht", "Tips-ht")}
    assert rules == {(r"^★://★\.★\.★/★/★/★\.★/(en|fr|ja)/★/★/★/★\.★$", "$1://$2.$3.$4/$5/$6/$7.$8/en/$9/$10/$11/$12.$13")}
    for pattern in ("6.2/{}/dochts/loc/be/be-ht-1.html", "7.2/{}/dochts/trans/es/isc.html"):
        urls = [f"http://a.l.g/m/r/{pattern.format(lang)}" for lang in ("en", "fr")]
        assert len({apply_pattern(*next(iter(rules)), url) for url in urls}) == 1


@both_ways
def test_g8_hosts(progressive: bool) -> None:
    hosts = ("comprar.vlume.com.br", "www.vlume.com.br", "www.vlumi.com.br")
    rules = {rule([f"http://{host}/{name}/" for host in hosts], progressive) for name in ("cpm-22", "d-black")}
    assert rules == {(r"^★://(comprar|www)\.(vlume|vlumi)\.★\.★/★/$", "$1://comprar.vlume.$2.$3/$4/")}
    for name in ("banda-h8", "jack7"):
        assert len({apply_pattern(*next(iter(rules)), f"http://{host}/{name}/") for host in hosts}) == 1


@both_ways
def test_g9_home_pages(progressive: bool) -> None:
    assert rule(SITE, progressive) == (r"^★://(www\.)?★\.★(/)?(index\.html)?$", "$1://$2.$3")


def test_g10_static_and_dynamic() -> None:
    pair = ["https://pt.wikipedia.org/?title=Flamengo", "https://pt.wikipedia.org/wiki/Flamengo"]
    assert consensus(pair)[-4:] == [{"?", None}, {"title", "wiki"}, {"/", "="}, {"Flamengo"}]


def test_g11_g12_classes() -> None:
    context, template = rule([f"https://example.com/index.php?id={n}" for n in (1, 22, 3, 4, 5)])
    assert context.endswith(r"\?★=[0-9]+$")
    assert template.endswith("={n}")
    names = ("LordRings", "LordOfRings", "LordOfTheRings", "AnyString")
    urls = [f"http://www.amazon.com/{name}/dp/B00003CWT6" for name in names]
    assert "/[a-zA-Z]+/" in rule(urls, card=4)[0]
    assert "(AnyString|LordOfRings|LordOfTheRings|LordRings)" in rule(urls, card=5)[0]


def test_g13_parameter_order() -> None:
    pair = ["http://e.com/?prod=skirt&color=blue&size=p", "http://e.com/?prod=skirt&size=p&color=blue"]
    assert consensus(pair)[-7:] == [
        {"color", "size"}, {"="}, {"blue", "p"}, {"&"}, {"color", "size"}, {"="}, {"blue", "p"},
    ]  # fmt: skip


@both_ways
def test_g14_token_moves(progressive: bool) -> None:
    pair = ["http://domain.com/subdomain/y", "http://subdomain.domain.com/y"]
    assert rule(pair, progressive)[0] == r"^★://(subdomain\.)?★\.★(/subdomain)?/★$"


def test_g15_missing_examples() -> None:
    pairs = ["ur", "vs", "wt", "xo", "yp", "zm", "zn"]
    assert consensus([f"a/b/{x}/c/{y}" for x, y in pairs])[4:] == [
        {"u", "v", "w", "x", "y", "z"}, {"/"}, {"c"}, {"/"}, {"m", "n", "o", "p", "r", "s", "t"},
    ]  # fmt: skip
    rows = [f"www.site/{x}/m/1.html" for x in "egij"] + ["www.site/u/z/1.html", "www.site/t/x/1.html", "www.site/m/1.html"]
    assert consensus(rows)[3:8] == [{"/", None}, {"e", "g", "i", "j", "t", "u", None}, {"/"}, {"m", "x", "z"}, {"/"}]


@pytest.mark.parametrize("count", [2, 3, 6])
def test_g16_alignment_counts(count: int) -> None:
    urls = [f"http://a.org/{n}" for n in range(count)]
    assert align(urls, progressive=True).merges == (count - 1) ** 2
    assert align(urls).merges == count - 1


def test_g17_equal_support() -> None:
    assert survivors([0, 1], [(1, 0)]) == [0]


@both_ways
def test_g18_optional_alternatives(progressive: bool) -> None:
    urls = ["http://google.com/index.html", "http://www.google.com/index", "http://mirror.google.com/index"]
    assert rule(urls, progressive)[0] == r"^★://((mirror|www)\.)?★\.★/★(\.html)?$"


def test_order_of_two_urls_does_not_matter() -> None:
    pairs = [BRITNEY[:2], SITE[1:3], ["http://a.org/x-1", "http://a.org/x_2"]]
    for pair in pairs:
        assert len({rule_of(align(order).columns) for order in permutations(pair)}) == 1


@pytest.mark.parametrize("method", ["dustlin", "duster"])
def test_methods_learn_from_printed_urls(method: str) -> None:
    hosts = ("comprar.vlume.com.br", "www.vlume.com.br", "www.vlumi.com.br")
    rows = [(n, f"http://{host}/banda{n}/") for n in range(60) for host in hosts]
    table = pa.table({"cluster": [n for n, _ in rows], "url": [url for _, url in rows]})
    rules = learn(table, method=method, normalise=False)
    assert [r.context for r in rules.rules] == [r"^★://(comprar|www)\.(vlume|vlumi)\.★\.★/★/$"]
    assert len({rules.key(f"http://{host}/jack7/") for host in hosts}) == 1


def test_a_digit_behind_a_capture_is_no_part_of_its_number() -> None:
    pair = ["http://a.org/x9ab7c", "http://a.org/x8ab7c"]
    context, template = rule(pair)
    assert {apply_pattern(context, template, url) for url in pair} == {"http://a.org/x8ab7c"}
