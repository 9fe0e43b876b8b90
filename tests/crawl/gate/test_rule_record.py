"""How far a rule is trusted."""

from garimpo.crawl.gate.rule_record import RuleRecord


def test_a_rule_is_withdrawn_on_one_host_only_and_a_long_record_forgives() -> None:
    record = RuleRecord()
    for number in range(60):
        record.skip("r", "good.example", number)
        assert not record.result("r", "good.example", equal=number != 30)
    assert record.result("r", "bad.example", equal=False)
    assert record.withdrawn("r", "bad.example") and not record.withdrawn("r", "good.example")
    low, high = record.estimate("r", "good.example")[1:]
    assert low < 1 / 60 < high
