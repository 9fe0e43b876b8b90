"""Published versions of rules, and rules as the frontier asks for them."""

from pathlib import Path

from garimpo.archive import Learned
from garimpo.crawl.learning.defaults import RuleKeys
from garimpo.crawl.learning.rule_study import Series
from garimpo.dust import Rule, RuleSet

CONTEXT = ("?sid=*", "")


def rules(*hosts: str, but: tuple[str, ...] = ()) -> RuleSet:
    return RuleSet([Rule.make("parameter", hosts, *CONTEXT, but=but), Rule.make("slash", ["a.org"], "^(**)/$", "$1")])


def publish(learned: Learned, series: Series, given: RuleSet) -> None:
    found = series.finding(given, {})
    assert found.write is not None
    learned.publish(found.kind, found.suffix, found.write, found.evidence)


def test_what_was_rolled_back_is_not_published_again_on_all_hosts(tmp_path: Path) -> None:
    learned = Learned(tmp_path)
    series = Series(learned, "guesses")
    for version in (rules("a.org", "b.org"), rules("*")):
        publish(learned, series, version)
    learned.rollback("guesses", 1)
    publish(learned, Series(learned, "guesses"), rules("*", but=("c.org",)))
    assert RuleSet.load(learned.path("guesses", 3)).hosts == {"a.org"}
    assert {rule.kind for rule in RuleSet.load(learned.path("guesses", 3)).rules} == {"slash"}


def test_an_exception_that_was_given_up_stands_again_after_a_rollback(tmp_path: Path) -> None:
    learned = Learned(tmp_path)
    series = Series(learned, "guesses")
    for version in (rules("*", but=("b.org", "c.org")), rules("*", but=("c.org",))):
        publish(learned, series, version)
    learned.rollback("guesses", 1)
    publish(learned, Series(learned, "guesses"), rules("*"))
    assert [rule.but for rule in RuleSet.load(learned.path("guesses", 3)).rules if rule.kind == "parameter"] == [("b.org",)]


def test_keys_apply_where_some_rule_holds(tmp_path: Path) -> None:
    rules("*", but=("b.org",)).save(tmp_path / "rules.json")
    keys = RuleKeys(tmp_path / "rules.json", 1)
    assert [keys.applies(host) for host in ("a.org", "b.org", "new.org")] == [True, False, True]
    assert [len(keys.rules_on(host)) for host in ("a.org", "b.org", "new.org")] == [2, 0, 1]
