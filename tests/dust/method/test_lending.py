"""Rules lent to hosts that have shown too little of them."""

import pyarrow as pa

from garimpo.dust import Rule, RuleSet, lend, prepare

SESSION = ("parameter", "?sid=*", "")


def table(rows: list[tuple[int, str]]) -> pa.Table:
    return prepare(pa.table({"cluster": [n for n, _ in rows], "url": [url for _, url in rows]}))


def rules(*hosts: str) -> RuleSet:
    kind, context, template = SESSION
    return RuleSet([Rule.make(kind, hosts, context, template)])


def pages(host: str, number: int, same: bool = True) -> list[tuple[int, str]]:
    """A page under two URLs, or two pages that only the rule would confuse."""
    return [(number, f"http://{host}/a"), (number if same else number + 1, f"http://{host}/a?sid=1")]


KNOWN = [row for i in range(6) for row in pages(f"h{i}.org", 10 * i)]
HOLDS = tuple(f"h{i}.org" for i in range(6))


def test_a_rule_that_holds_on_many_hosts_is_lent_to_the_next() -> None:
    lent = lend(rules(*HOLDS), table([*KNOWN, (100, "http://new.org/x?sid=7")]))
    assert lent.hosts == {"*"} and lent.key("http://new.org/x?sid=7") == lent.key("http://new.org/x")
    assert lent.key("http://met.later/x?sid=7") == lent.key("http://met.later/x")


def test_not_where_it_would_confuse_known_pages() -> None:
    lent = lend(rules(*HOLDS), table([*KNOWN, *pages("other.org", 100, same=False)]))
    assert lent.rules[0].but == ("other.org",) and lent.keyed("http://other.org/a?sid=1")[1] is None


def test_a_rule_of_few_hosts_stays_with_them() -> None:
    lent = lend(rules("h0.org"), table([*KNOWN, (100, "http://new.org/x?sid=7")]))
    assert lent.hosts == {"h0.org"}


def test_a_rule_that_fails_often_is_not_lent() -> None:
    failing = [row for i in range(20) for row in pages(f"f{i}.org", 200 + 10 * i, same=False)]
    lent = lend(rules(*HOLDS), table([*KNOWN, *failing, (100, "http://new.org/x?sid=7")]))
    assert lent.hosts == set(HOLDS)


def test_without_www_where_that_confuses_nothing() -> None:
    held = [(10 * i, f"http://{www}h{i}.org/a") for i in range(6) for www in ("", "www.")]
    confused = [(100, "http://x.org/a"), (101, "http://www.x.org/a")]
    own = RuleSet([Rule.make("www", [host for i in range(6) for host in (f"h{i}.org", f"www.h{i}.org")], "www.", "")])
    lent = lend(own, table([*held, *confused, (200, "http://www.y.org/a")]))
    assert lent.rules[0].hosts == ("*",) and lent.rules[0].but == ("www.x.org", "x.org")
    assert lent.key("http://www.y.org/a") == lent.key("http://y.org/a")


def test_names_of_hosts_are_lent_where_both_are_known() -> None:
    own = RuleSet([Rule.make("host", [host for i in range(6) for host in (f"h{i}.org", f"www2.h{i}.org")], "www2.*", "*")])
    held = [(10 * i, f"http://{front}h{i}.org/a") for i in range(6) for front in ("", "www2.")]
    new = [(100, "http://x.org/a"), (101, "http://www2.x.org/b"), (102, "http://www2.z.org/a")]
    lent = lend(own, table([*held, *new]))
    assert lent.key("http://www2.x.org/a") == lent.key("http://x.org/a")
    assert lent.hosts == own.hosts | {"x.org", "www2.x.org"}, "z.org is not known"


def test_names_of_two_hosts_are_never_lent() -> None:
    alias = RuleSet([Rule.make("host", [f"a{i}.org" for i in range(9)], "srv.a.org", "a.org")])
    assert lend(alias, table(KNOWN)) == alias


def test_in_parts_of_whole_sites_the_same_is_lent() -> None:
    known = table([*KNOWN, *pages("other.org", 100, same=False), *pages("new.org", 300)])
    hosts = [url.split("/")[2] for url in known["url"].to_pylist()]
    parts = [known.filter(pa.array([host == one for host in hosts])) for one in dict.fromkeys(hosts)]
    assert lend(rules(*HOLDS), lambda: parts) == lend(rules(*HOLDS), known)
