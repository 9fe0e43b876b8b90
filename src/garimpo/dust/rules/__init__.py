"""What a rule is and does.

::

    Rule (data) -> RuleSet -> operations + pattern (tables) -> program (lists by host) -> _kernels_* -> keys

`reach` says on which hosts a rule holds, `condition` where on these. Only the rules of a URL's own host are tried on it;
matching takes time proportional to the URL. `explanation`, `report`, `apply_lines` and `zyte` show, apply and exchange rules;
`trackers` are rules nobody has to learn.
"""
