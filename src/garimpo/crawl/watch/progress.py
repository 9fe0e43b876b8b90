"""How a crawl shows itself while it runs: a line on the terminal, lines in `crawl.log`, metrics on request."""

import shutil
import sys
import time
from typing import TYPE_CHECKING, Any, TextIO

from garimpo.contract.errors import printable
from garimpo.crawl.state import queued
from garimpo.crawl.watch.paced import Paced
from garimpo.report.words import count, duration, rate, share, size

if TYPE_CHECKING:
    from garimpo.archive import Learned
    from garimpo.crawl.loop import Loop

SHOW_SECONDS, LINE_SECONDS, LOG_SECONDS = 0.5, 30.0, 30.0
FIRST_LOG_SECONDS = 1.0
"""At first the log has a line so often, then each time a twentieth of the run has passed, at least every `LOG_SECONDS`."""
WORDS = 3
"""So many words of the topic stand in the live line."""
YELLOW, PLAIN = "\x1b[33m", "\x1b[0m"


class Progress:
    """Silent but for `crawl.log`; with a stream also a live line if it is a terminal, else a line every 30 seconds.

    Args:
        stream: where the lines go.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream
        self._live = stream is not None and stream.isatty()
        self._shown = self._logged = 0.0
        self._printed: float | None = None
        self._before = (0.0, 0)
        self._rate = 0.0
        self._metrics: Any = None
        self._postponed: Paced[int] | None = None
        if stream is not None and self._live:
            self._overwrite("starting")

    def show(self, loop: "Loop") -> None:
        """Called once a turn of the loop."""
        now = loop.clock()
        if now - self._shown < SHOW_SECONDS:
            return
        self._shown = now
        stored = loop.keeper.counts["stored"]
        then, before = self._before
        if now - then >= 2.0:
            self._rate = (stored - before) / (now - then) if then else 0.0
            self._before = (now, stored)
        self._log_traps(loop)
        known = self._facts(loop)
        self._print(loop, known, now)
        if loop.settings.metrics_port:
            self._publish(loop, known)
        if now - self._logged >= min(LOG_SECONDS, max(FIRST_LOG_SECONDS, (now - loop.started) / 20)):
            self._logged = now
            loop.store.log("progress", **known, pages_per_second=round(self._rate, 1))

    def end(self, loop: "Loop") -> None:
        """Called when the loop has ended."""
        self._log_traps(loop)
        self._postponed = None
        loop.store.log("end", why=loop.ended, **self._facts(loop))

    def note(self, text: str) -> None:
        """A line the user should see."""
        end = "\r\x1b[K" if self._live else ""
        print(f"{end}garimpo: {printable(text)}", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._live:
            self._overwrite("")
        if self._metrics is not None:
            self._metrics.close()

    def _print(self, loop: "Loop", known: dict[str, Any], now: float) -> None:
        if self._stream is None:
            return
        if self._live:
            self._overwrite(line(loop, known, self._rate, shutil.get_terminal_size().columns - 1, colour=True))
        elif self._printed is None or now - self._printed >= LINE_SECONDS:
            if self._printed is not None:
                print(line(loop, known, self._rate), file=self._stream, flush=True)
            self._printed = now

    def _overwrite(self, text: str) -> None:
        assert self._stream is not None
        self._stream.write(f"\r\x1b[K{text}")
        self._stream.flush()

    def _log_traps(self, loop: "Loop") -> None:
        """Say each kind of trap once a host has fallen into it."""
        for name, host in loop.frontier.trap_news():
            loop.store.log("trap", trap=name, host=host)

    def _publish(self, loop: "Loop", known: dict[str, Any]) -> None:
        if self._metrics is None:
            from garimpo.crawl.watch.metrics import Metrics

            self._metrics = Metrics(loop.settings.metrics_port)
        self._metrics.set(known)

    def _facts(self, loop: "Loop") -> dict[str, Any]:
        """The numbers of a running crawl; what is postponed is counted in the queue, as of the last commit."""
        if self._postponed is None:
            self._postponed = Paced(lambda: queued.count_postponed(loop.store.database))
        running = {
            "in_flight": loop.fetch.in_flight,
            "plain_share": loop.keeper.plain_share,
            "robots_files": loop.dispatcher.robots_fetched,
            "postponed": self._postponed(),
        }
        pace = loop.uptake.pace
        if pace is not None:
            running |= {"learning_rounds": pace.studied.rounds, "learning_lag": pace.lag}
        return {**loop.keeper.counts, **running, **loop.frontier.facts()}


def _model(learned: "Learned") -> str:
    """The topic model in force, by its number and first words."""
    words = learned.evidence("topic").get("words", [])[:WORDS]
    return f" by model {learned.version('topic')}: {' '.join(words)}" if words else ""


def line(loop: "Loop", known: dict[str, Any], now: float, width: int = 0, colour: bool = False) -> str:
    """The live line: what matters most first, and no more than fits.

    Args:
        loop: the crawl.
        known: its numbers.
        now: answers a second, lately.
        width: the columns of the terminal; 0: no limit.
        colour: whether errors are coloured.
    """
    stored, most = known["stored"], loop.settings.max_pages
    learned = loop.store.learned
    saved = ", ".join(f"{name[8:]} {number:,}" for name, number in known.items() if name.startswith("skipped_"))
    rules, folds = (int(learned.evidence(kind).get(kind, 0)) for kind in ("rules", "folds"))
    parts = [
        time.strftime("%H:%M:%S", time.gmtime(loop.clock() - loop.started)),
        f"{stored:,} of {most:,} stored ({share(stored, most)})" if most else f"{stored:,} stored",
        f"{rate(now)} pages/s",
        f"{duration(round((most - stored) / now / 10) * 10)} left" if most and now > 0 and most - stored > 30 * now else "",
        "paused" if loop.paused else "",
        f"on topic {known['on_topic']:,} ({share(known['on_topic'], stored)}){_model(learned)}" if known.get("on_topic") else "",
        f"{known['queued']:,} queued" + (f" ({known['postponed']:,} postponed)" if known["postponed"] else ""),
        count(known["errors"], "error") if known["errors"] else "",
        count(known["hosts"], "host"),
        size(known["bytes"]),
        count(rules, "rule") if rules else "",
        f"{count(folds, 'host')} folded" if folds else "",
        f"learner {known['learning_lag']:,} behind" if "learning_lag" in known else "",
        "the learner is waited for" if loop.is_held else "",
        f"skipped: {saved}" if saved else "",
    ]
    shown = [part for part in parts if part]
    while width and len(shown) > 2 and len("  ".join(shown)) > width:
        shown.pop()
    text = "  ".join(shown)
    told = parts[7]
    return text.replace(told, f"{YELLOW}{told}{PLAIN}") if colour and told in shown and told else text
