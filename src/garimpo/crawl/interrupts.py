"""Ctrl-C is for the loop alone."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ignoring_interrupts() -> Iterator[None]:
    """Start a process in this block and it never sees Ctrl-C, not even while it imports: what is ignored is inherited."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread may set what signals do
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
