"""What was skipped, told by rule."""

import sqlite3

from garimpo.crawl.state import schema, skipped

ROW = "INSERT INTO skipped (host, url_key, url, reason, rule, checked, owner) VALUES (1, ?, ?, 'dust', 'r1', 0, ?)"


def test_an_example_of_a_rule_is_one_row_and_not_the_least_of_two_columns() -> None:
    db = sqlite3.connect(":memory:")
    schema.create(db)
    db.execute(ROW, (1, "http://a.org/CADASTRO.HTM", "http://a.org/cadastro.htm"))
    db.execute(ROW, (2, "http://a.org/X.HTM", "http://a.org/A.htm"))
    assert skipped.saved_by_rule(db) == [("r1", 2, "http://a.org/CADASTRO.HTM", "http://a.org/cadastro.htm")]
