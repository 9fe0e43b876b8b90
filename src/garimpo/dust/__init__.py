"""Which URLs lead to the same page, learned before they are fetched (DUST: different URLs with similar text).

::

    pages ──► inputs: clusters ──► method, or thesis ──► rules: RuleSet ──► RuleSet.key(url)
                  │                                          │
                  └── other clusters ──► quality: judge ◄────┘
    engine: the same steps where no one process holds the clusters

A page that was fetched says which other URLs show it: by equal bytes or text, by near-duplicates found elsewhere, by
canonical tags and redirects. `clusters` joins these into clusters of URLs, keeps the pages known to be unique as clusters of
one, and sets aside the giants (error pages, login pages) whose URLs have nothing in common.

`learn` turns clusters into a `RuleSet`. The thesis methods (`thesis`) align all URLs of a cluster token by token, read one
rule off the alignment, and keep what enough clusters propose and few pairs deny. Our own method (`method`) proposes
operations from several sources, counts each once on all pages of its host, and chooses, from the surest to the boldest, what
adds to the others; it weighs that with what other hosts say, as a crawl knows some thirty pages of most hosts, and their
software is seldom theirs alone. A crawl also asks for guesses, to postpone what they join: `lend` gives rules to hosts that
have shown too little of them. Clusters that no one process holds are read and prepared on an engine (`engine`), and the same
steps run there: rule for rule the same. `judge` tells what rules save and lose on other clusters.

A `Rule` is data: its kind, its hosts, a context and a template in the language of its kind, a condition, and its evidence. A
`RuleSet` compiles them (`rules`) into tables that a kernel runs: only the rules of a URL's own host are tried on it, and
matching takes time proportional to the URL, whatever the URL. `RuleSet.key` gives the URL's key, to be compared and never
fetched.

Invariants: a rule never acts on a host it does not name (``*`` names all) or that it excepts. Two URLs get one key only if
rules made it so, or they are one URL when normalised. A key that a rule made begins with ``dust:``, so it never equals a URL;
keys are not keyed again. The same clusters give the same rules, in whatever order and in however many steps they came. URLs of
more than 2,048 bytes are their own keys.
"""

from garimpo.dust.explanation import explain
from garimpo.dust.inputs.clustering import clusters, statistics
from garimpo.dust.inputs.preparation import prepare
from garimpo.dust.learning import learn
from garimpo.dust.method.learner import Learner
from garimpo.dust.method.lending import lend
from garimpo.dust.quality import judge
from garimpo.dust.rules.ruleset import Rule, RuleSet

__all__ = ["Learner", "Rule", "RuleSet", "clusters", "explain", "judge", "learn", "lend", "prepare", "statistics"]
