"""May this URL enter, and what do the learned rules make of it?

::

    URL met -> entrance (scope, depth, removed, traps) -> refusal, or an entry
    entry   -> rules in force (folds, then keys; owners) -> decision: keep, postpone, skip, check, instead
    turn    -> guesses -> postpone, or keep
    commit  -> checks compared -> rule record -> rules withdrawn, URLs given back

The gate decides and keeps the record of what it decided. It never touches the queue: the frontier carries decisions
out. Every skip and every check has a row that names its rule, its version and the URL that stands for it.
"""
