"""The dashboard on a port of this machine."""

import secrets
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from garimpo.contract.errors import BadInput

ADDRESS = "127.0.0.1"


def serve(
    folder: str | Path,
    port: int = 0,
    token: str = "",
    ready: Callable[[str], Any] | None = None,
    stop: Callable[[], bool] | None = None,
) -> None:
    """Show a crawl folder in the browser until interrupted.

    Args:
        folder: the crawl folder.
        port: where to listen on loopback; 0 takes any free port.
        token: what a request must carry; a new one, if none is given.
        ready: called with the address, token included, once it answers.
        stop: asked now and then whether to end.
    """
    try:
        import uvicorn

        from garimpo.ui.application import application
    except ImportError:
        raise BadInput("ui: needs the extra 'ui' (pip install 'garimpo[ui]')") from None
    from garimpo.ui.watched import Watched

    watched = Watched(folder)
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((ADDRESS, port))
    except (OSError, OverflowError) as error:
        watched.close()
        raise BadInput(f"port {port}: {getattr(error, 'strerror', None) or error}") from None
    listener.listen(64)
    token, number = token or secrets.token_urlsafe(16), listener.getsockname()[1]

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            watched.over = True  # streams end by themselves
            await super().shutdown(sockets)

        async def on_tick(self, counter: int) -> bool:
            return await super().on_tick(counter) or (stop is not None and stop())

    made = application(watched, token, f"garimpo-{number}")
    config = uvicorn.Config(made, log_level="critical", access_log=False, lifespan="off", timeout_graceful_shutdown=5, ws="none")
    if ready is not None:
        ready(f"http://{ADDRESS}:{number}/?token={token}")
    try:
        Server(config).run(sockets=[listener])
    finally:
        listener.close()
        watched.close()
