"""How a crawl shows itself while it runs: a line on the terminal, lines in `crawl.log`, metrics on request."""

import sys
import time
from typing import TYPE_CHECKING, Any, TextIO

from garimpo.contract.errors import printable

if TYPE_CHECKING:
    from garimpo.crawl.loop import Loop

SHOW_SECONDS, LOG_SECONDS = 0.5, 30.0


class Progress:
    """Silent but for `crawl.log`; with a stream also a live line."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream
        self._shown = self._logged = 0.0
        self._before = (0.0, 0)
        self._rate = 0.0
        self._metrics: Any = None

    def show(self, loop: "Loop") -> None:
        """Called once a turn of the loop."""
        now = loop.clock()
        if now - self._shown < SHOW_SECONDS:
            return
        self._shown = now
        stored = loop.keeper.counts["stored"]
        then, count = self._before
        if now - then >= 2.0:
            self._rate = (stored - count) / (now - then) if then else 0.0
            self._before = (now, stored)
        self._log_traps(loop)
        if self._stream is not None:
            self._stream.write(f"\r\x1b[K{line(loop, self._rate)}")
            self._stream.flush()
        if loop.settings.metrics_port:
            self._publish(loop)
        if now - self._logged >= LOG_SECONDS:
            self._logged = now
            loop.store.log("progress", **facts(loop), pages_per_second=round(self._rate, 1))

    def end(self, loop: "Loop") -> None:
        """Called when the loop has ended."""
        self._log_traps(loop)
        loop.store.log("end", why=loop.ended, **facts(loop))

    def note(self, text: str) -> None:
        """A line the user should see."""
        end = "\r\x1b[K" if self._stream is not None else ""
        print(f"{end}garimpo: {printable(text)}", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._stream is not None:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
        if self._metrics is not None:
            self._metrics.close()

    def _log_traps(self, loop: "Loop") -> None:
        """Say each kind of trap once a host has fallen into it."""
        for name, host in loop.frontier.trap_news():
            loop.store.log("trap", trap=name, host=host)

    def _publish(self, loop: "Loop") -> None:
        if self._metrics is None:
            from garimpo.crawl.watch.metrics import Metrics

            self._metrics = Metrics(loop.settings.metrics_port)
        self._metrics.set(facts(loop))


def facts(loop: "Loop") -> dict[str, Any]:
    """The numbers of a running crawl."""
    running = {
        "in_flight": loop.fetch.in_flight,
        "plain_share": loop.keeper.plain_share,
        "robots_files": loop.dispatcher.robots_fetched,
    }
    pace = loop.uptake.pace
    if pace is not None:
        running |= {"learning_rounds": pace.studied.rounds, "learning_lag": pace.lag}
    found = {} if loop.keeper.on_topic is None else {"on_topic": loop.keeper.on_topic}
    return {**loop.keeper.counts, **running, **loop.frontier.facts(), **found}


def line(loop: "Loop", rate: float) -> str:
    """The live line."""
    known = facts(loop)
    saved = ", ".join(f"{name[8:]} {count:,}" for name, count in known.items() if name.startswith("skipped_"))
    learner = f"  learner {known['learning_lag']:,} behind" if "learning_lag" in known else ""
    if loop.is_held:
        learner += ", waited for"
    found = f"{known['on_topic']:,} on topic  " if "on_topic" in known else ""
    elapsed = time.strftime("%H:%M:%S", time.gmtime(loop.clock() - loop.started))
    return (
        f"{elapsed}  {known['stored']:,} stored  {found}{rate:,.0f} pages/s  {known['hosts']:,} hosts  "
        f"{known['queued']:,} queued ({known['postponed']:,} postponed)  "
        f"{known['in_flight']} open  skipped: {saved or 'none'}{learner}"
    )
