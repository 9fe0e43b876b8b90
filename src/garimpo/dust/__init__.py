"""Which URLs lead to the same page, learned before they are fetched (DUST: different URLs with similar text).

A page that was fetched says which other URLs show it: by equal bytes or text, by near-duplicates found elsewhere, by
canonical tags and redirects. `clusters` joins these into clusters of URLs, keeps the pages known to be unique as clusters of
one, and sets aside the giants (error pages, login pages) whose URLs have nothing in common.

`learn` turns clusters into a `RuleSet`. The thesis methods align all URLs of a cluster token by token (`align`), read one
rule off the alignment (`emit`), and keep what enough clusters propose and few pairs deny (`alignment`). Our own method
(`learner`) compares URLs part by part, proposes operations (`propose`, `segments`, `aliases`), counts what each host says for
and against them (`evidence`), and weighs that with what all other hosts say (`trust`): a crawl knows some thirty pages of
most hosts, and their software is seldom theirs alone. Operations that hold are tried together before they become rules. A crawl
also asks for guesses, to postpone what they join: a `Learner` that is `bold` takes what one cluster shows, and `lend` gives rules
to hosts that have shown too little of them. Clusters that no one process holds are read, prepared and learned from on an engine
(`spread`, `spread_learner`): rule for rule the same.

A `Rule` is data: its kind, its hosts, a context and a template in the language of its kind, and its evidence. A `RuleSet`
compiles them (`program`, `pattern`) into tables that a kernel runs: only the rules of a URL's own host are tried on it, and
matching takes time proportional to the URL, whatever the URL. `RuleSet.key` gives the URL's key, to be compared and never
fetched.

Invariants: a rule never acts on a host it does not name (``*`` names all) or that it excepts. Two URLs get one key only if
rules made it so, or they are one URL when normalised. A key that a rule made begins with ``dust:``, so it never equals a URL;
keys are not keyed again. The same clusters give the same rules, in whatever order and in however many steps they came. URLs of
more than 2,048 bytes are their own keys.
"""

from garimpo.dust.clusters import clusters, statistics
from garimpo.dust.learn import learn
from garimpo.dust.learner import Learner
from garimpo.dust.lending import lend
from garimpo.dust.prepare import prepare
from garimpo.dust.rules import Rule, RuleSet

__all__ = ["Learner", "Rule", "RuleSet", "clusters", "learn", "lend", "prepare", "statistics"]
