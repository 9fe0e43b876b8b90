"""A process beside the loop learns from committed pages; the loop takes up what it publishes.

::

    committed segments -> corpus -> learner: rule_study, fold_study, topic_study -> learned/KIND/N, current.json
                                               |                                        |
                  state/learner/ <-> evidence, site_clusters     uptake, after a commit <---+

The two meet only through files in `learned/`, and keep in step by `pace`: rounds are due by the rows committed, and the loop
waits for one that is long due. Every study follows one protocol (`study`): it takes segments, says what to publish or why
nothing, saves and loads; a new one is added to `learner.studies_of` and nowhere else. `evidence` keeps what sites showed of URL
rules on disk: a round costs what is new, and gives, in whatever steps pages came, the rules of one round over all of them. A
study that fails or a file that cannot be read leaves what was in force before. `defaults` puts together the components that the
settings ask for; `topic` and `sites` bring their judges and scorers."""
