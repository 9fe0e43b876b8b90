"""The crawler: polite, fast, safe to kill; and the doors through which it learns while it runs.

**The way of a URL.** `run` opens the crawl folder and a `Loop`. The loop pops an entry from the `Frontier`, uses its turn
(`turns`: for the robots.txt of its origin if that is not known yet), and has `Fetch` ask for it. The answer goes to a `Reader`,
in the loop or in a reader process (`pool`), which makes of it a page row, links with keys, a verdict, a sketch and packed WARC
records. The `Keeper` takes these in order of arrival: rows and records wait for the next commit, links are scored and go to the
frontier. The seen-set passes what is new; the gate (`admission`) keeps out what is out of scope, a trap, or known by a rule to
repeat another page; the rest lies on the `Shelf` of its host until the `Workbench` lets the host be asked. Of a URL the disk
has all there is to know and memory only what comes up next: the best URLs of a host at hand, the best hosts awake (`hosts`).

**The commit**, every two seconds or two thousand pages, is the only moment anything is written but the log and the WARC's
buffer: pages, links, and in one transaction the queue, the hosts with their next times, what was skipped, what was fetched.
An entry keeps its row in the queue until the commit that stores its answer. So a kill at any instant loses only what was
fetched since, and `--resume` fetches that again. Objects that change the database have `commit(db)`, which may be called
again if the disk was full, and `committed()`, which forgets what was written.

**Politeness.** One loop owns all delays. A host waits its delay (or the longer one of its robots.txt) between two requests, an
address the crawl's; both count from the first byte of the answer, so the server never sees two requests closer than
that. Errors make a host wait longer each time; a wait over a minute does not keep the crawl alive, its URLs stay queued.

**Doors** (`doors.Doors`, given to `crawl` and `resume`; left out, `learn` makes those the settings ask for). All may be left out:

- `judges(learned_folder) -> [Judge]` runs in the readers; called again after each change of `learned/current.json`. Before
  they read a page, `typed(page, body)` adds the types it states, where they go by them.
- `sketcher() -> Sketcher` runs in the readers, `index(crawl_folder) -> NearIndex` in the loop: the index is asked once a
  batch, in order of arrival, and fills `duplicate_of`. Links of a duplicate count a tenth. Without an index equal bytes decide.
- `scorer(learned_folder) -> Scorer` runs in the loop: `score` gets the followed links of a batch with `source_score` and
  `depth`, `learn` every page that was read. Without one `strategy.default_scorer` serves `--strategy`.
- `keys(rules_file, version) -> KeyMap` turns published rules into keys.
- `learner(crawl_folder)` is run in a process of its own, at low priority, started after the first commit and restarted when it
  ends; it is stopped with SIGTERM when the crawl ends, and dies with the loop.

**How a learner publishes, and how the loop picks it up.** The learner opens the folder with `Store.open(folder, write=False)`,
reads committed segments (`store.page_files()`, `store.link_files()`; the lists only grow, so it can remember what it has
read), and calls `store.learned.publish(kind, suffix, write, evidence)`, which writes `learned/KIND/N.suffix` and then
replaces `current.json`.
After each commit the loop calls `Learned.refresh`; when `current.json` changed, kinds `rules` and `guesses` go through the
door `keys`, kind `folds` is read as the folds table, and the readers make their judges anew (for `topic`, `near`, or any other
kind).
New rules or folds then `rewrite` every host where they differ from the old ones: URLs fetched there own their keys, skipped
URLs that nothing skips now come back, queued URLs whose key is owned leave the queue with a `skipped` row. A rollback is just
another `current.json`. A file that cannot be read is logged and the old rules stay in force.

**Trust** (`trust`, `rules`). Of what a rule would skip on a host the first five (fifteen, if it is about folders) are fetched
all the same, then 5 %, later 1 %, as entries of kind CHECK; pairs fetched before the rule was known count. Once check and owner
were both stored they are compared: equal digest, equal text digest, or near-duplicates of one page (`duplicate_of`). A rule
whose error is over the allowed one with the set confidence is withdrawn on that host, and what it skipped there comes back.
`garimpo skipped` shows every row.

**Doubt** (`guesses`). A check is itself a fetch of what is probably a duplicate, so it is made as late as it can be. What a rule
not yet proven on its host would skip, and what a bold *guess* (a rule that one page shows, or other hosts) says of a URL whose
turn has come, is postponed: its score falls below zero, behind all that nothing is said against. With a budget in pages nothing
is spent on postponed URLs while any other can be fetched soon. They stay queued, so a wrong guess loses nothing.

**Rounds** (`rounds`, on Spark). The queue is dealt out by host to workers, each of which runs a loop of its own on a scratch
folder for a while; then the driver commits all they brought in one transaction. A crawl in rounds does not learn.

Invariants: every URL met is fetched, queued, or in `skipped`; a URL is fetched once (a check is a fetch); what is committed is
never lost and never stored twice; no host and no address is asked sooner than its delay allows, over kills and resumes.
"""

from garimpo.crawl.doors import Doors
from garimpo.crawl.progress import Progress
from garimpo.crawl.run import crawl, read_seeds, resume
from garimpo.crawl.settings import Settings
from garimpo.crawl.status import skipped, status

__all__ = ["Doors", "Progress", "Settings", "crawl", "read_seeds", "resume", "skipped", "status"]
