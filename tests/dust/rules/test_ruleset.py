"""Rule sets as data."""

import pytest

from garimpo.contract.errors import BadInput
from garimpo.dust import explain
from garimpo.dust.rules.report import lines, write_html
from garimpo.dust.rules.ruleset import Rule, RuleSet
from garimpo.dust.rules.trackers import tracking_rules
from garimpo.dust.rules.zyte import to_zyte

SLASH = Rule.make("slash", ["a.org", "b.org"], "^(**)/$", "$1", support=9, clusters=4, made_from=("http://a.org/b/",))
SID = Rule.make("parameter", ["a.org"], "?sid=*", "", support=3)
WWW = Rule.make("www", ["www.a.org", "a.org"], "www.", "")


def test_json_keeps_everything() -> None:
    rules = RuleSet([SLASH, SID, WWW], version=7)
    again = RuleSet.from_json(rules.to_json())
    assert again == rules
    assert again.version == 7


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"{}", "no rules file"),
        (b"\xff\xfe", "no rules file"),
        (b'{"format": 99, "version": 1, "rules": []}', "format 99"),
        (RuleSet([SLASH]).to_json().replace(b"slash", b"magic"), "unknown kind"),
        (RuleSet([SLASH]).to_json().replace(b'"$1"', b'"$7"'), "asks for $7"),
        (RuleSet([SLASH]).to_json().replace(b"(**)", b"((**)"), "unbalanced"),
    ],
)
def test_damaged_rules_are_refused_in_one_line(text: bytes, says: str) -> None:
    with pytest.raises(BadInput, match=says.replace("$", r"\$")) as error:
        RuleSet.from_json(text, "rules.json")
    assert "\n" not in str(error.value)


def test_merge_and_diff() -> None:
    older = RuleSet([Rule.make("slash", ["b.org", "c.org"], "^(**)/$", "$1")])
    newer = RuleSet([SLASH, SID])
    merged = newer.merge(older)
    assert merged[SLASH.id].hosts == ("a.org", "b.org", "c.org")
    assert merged[SLASH.id].support == 9
    assert newer.diff(older) == {
        "added": [(SID.id, "a.org"), (SLASH.id, "a.org")],
        "removed": [(SLASH.id, "c.org")],
    }


def test_withdrawing_a_rule_on_one_host() -> None:
    rules = RuleSet([SLASH, WWW]).without([(SLASH.id, "a.org"), (WWW.id, "a.org")])
    assert rules.key("http://a.org/x/") == "http://a.org/x/"
    assert rules.key("http://b.org/x/") == "dust:http://b.org/x"
    assert len(rules) == 1


def test_a_rule_on_all_hosts_but_some() -> None:
    rules = RuleSet([Rule.make("slash", ["*"], "^(**)/$", "$1", but=("b.org",)), SID])
    assert rules.key("http://any.org/x/") == "dust:http://any.org/x" and rules.keyed("http://b.org/x/")[1] is None
    assert rules.hosts == {"*", "a.org"} and rules.rules_on("a.org") == [SLASH.id, SID.id] and not rules.applies("b.org")
    fewer = rules.without([(SLASH.id, "a.org"), (SLASH.id, "b.org")])
    assert fewer[SLASH.id].but == ("a.org", "b.org") and fewer.key("http://a.org/x/?sid=1") == "dust:http://a.org/x/"
    assert fewer.diff(rules) == {"added": [], "removed": [(SLASH.id, "a.org")]}
    assert rules.without([(SLASH.id, "*")]) == RuleSet([SID])
    assert [step["id"] for step in explain(rules, "http://any.org/x/")["steps"]] == [SLASH.id]
    assert "every host but b.org;" in "\n".join(lines(rules))


def test_what_is_named_and_what_holds_everywhere_are_merged_and_compared() -> None:
    named, most = RuleSet([SLASH]), RuleSet([Rule.make("slash", ["*"], "^(**)/$", "$1", but=("b.org", "c.org"))])
    assert named.merge(most)[SLASH.id].but == most.merge(named)[SLASH.id].but == ("c.org",)
    assert most.merge(RuleSet([Rule.make("slash", ["*"], "^(**)/$", "$1", but=("c.org", "d.org"))])).rules[0].but == ("c.org",)
    assert most.diff(named) == {"added": [(SLASH.id, "*")], "removed": [(SLASH.id, "b.org")]}
    assert most.without(most.diff(named)["added"]) == RuleSet(), "to take back what a set has beyond another"


def test_both_sides_of_a_rule_get_one_key_in_a_space_of_its_own() -> None:
    rules = RuleSet([WWW, Rule.make("host", ["c.org", "d.org"], "d.org/c/", "c.org"), SLASH])
    assert rules.key("http://www.a.org/x") == rules.key("http://a.org/x") == "dust:http://a.org/x"
    assert rules.key("http://d.org/c/y") == rules.key("http://c.org/y")
    assert rules.keyed("http://d.org/other") == ("http://d.org/other", None)


def test_one_rule_holds_the_names_of_many_hosts() -> None:
    hosts = ["a.org", "www2.a.org", "b.org", "www2.b.org", "www2.c.org"]
    rules = RuleSet([Rule.make("host", hosts, "www2.*", "*"), Rule.make("host", ["d.org", "x.d.org"], "*/+", "+.*")])
    assert rules.key("http://www2.a.org/p") == rules.key("http://a.org/p") == "dust:http://a.org/p"
    assert rules.key("http://www2.b.org/p") == rules.key("http://b.org/p")
    assert rules.keyed("http://www2.c.org/p") == ("http://www2.c.org/p", None), "c.org is not known to be the same"
    assert rules.key("http://d.org/x/p") == rules.key("http://x.d.org/p")
    assert rules.keyed("http://d.org/y/p")[1] is None
    fewer = rules.without([(rules.keyed("http://a.org/")[1], "a.org")])
    assert fewer.keyed("http://www2.a.org/p")[1] is None and fewer.keyed("http://www2.b.org/p")[1] is not None


def test_explain_tells_each_step() -> None:
    told = explain(RuleSet([SLASH, SID, WWW]), "http://www.a.org/b/?sid=9")
    assert [step["kind"] for step in told["steps"]] == ["www"]
    told = explain(RuleSet([SLASH, SID]), "http://a.org/b/?sid=9")
    assert [(step["kind"], step.get("support")) for step in told["steps"]] == [("slash", 9), ("parameter", 3)]
    assert explain(RuleSet([SLASH]), "http://z.org/")["steps"] == []


def test_tracking_parameters_on_every_host_only_when_asked() -> None:
    rules = RuleSet([SLASH])
    both = rules.merge(tracking_rules())
    url = "http://b.org/x/?utm_source=a&id=1"
    assert "utm_source" in rules.key(url)
    assert both.key(url) == "dust:http://b.org/x?id=1"
    assert both.key("http://other.net/?gclid=3") == both.key("http://other.net/")


def test_a_sign_that_becomes_a_long_text_stays_within_the_buffers() -> None:
    rules = RuleSet([Rule.make("separator", ["a.org"], context, "-" * 60) for context in ("_", "?_")])
    assert rules.key("http://a.org/b_c?d_e") == f"dust:http://a.org/b{'-' * 60}c?d{'-' * 60}e"
    for size in (100, 130, 140, 900):
        key = rules.key(f"http://a.org/{'_' * size}?{'_' * size}")
        assert len(key) in (len("dust:http://a.org/?") + 2 * size * length for length in (1, 60))


def test_show_and_export(tmp_path) -> None:  # type: ignore[no-untyped-def]
    rules = RuleSet([SLASH, SID, WWW])
    text = "\n".join(lines(rules, colour=True))
    assert text.index("slash") < text.index("parameter")
    assert "\x1b[36mhttp" in text
    write_html(RuleSet([Rule.make("slash", ["a.org"], "^(**)/$", "$1", made_from=("http://a.org/<u>/",))]), tmp_path / "r.html")
    assert "<u>" not in (tmp_path / "r.html").read_text()
    assert to_zyte(rules) == [{"args": ["sid"], "order": 100, "processor": "queryRemoval", "urlPattern": {"include": ["a.org"]}}]
    everywhere = [Rule.make("parameter", ["*"], context, "", but=("b.org",)) for context in ("?sid=*", "?ref=*", "/shop?id=*")]
    assert [(rule["args"], rule["urlPattern"]) for rule in to_zyte(RuleSet(everywhere))] == [
        (["ref", "sid"], {"include": [], "exclude": ["b.org"]})
    ]
