"""A process beside the loop learns from committed pages; the loop takes up what it publishes.

::

    committed segments -> corpus -> learner: rule_study, fold_study, topic_study -> learned/KIND/N, current.json
                                                                                        |
                                                          uptake, after a commit <------+

The two meet only through files in `learned/`, and keep in step by `pace`: rounds are due by the rows committed, and the loop
waits for one that is long due. A study that fails or a file that cannot be read leaves what was in force before. `defaults`
puts together the components that the settings ask for; `topic` and `sites` bring their judges and scorers."""
