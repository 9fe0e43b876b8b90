"""Who may ask: only this machine, only with the token, and only from our own pages."""

import hmac
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; "
    "frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SHOWN_PAGE_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'"
)
"""Of a page that was stored: it may be looked at, and do nothing."""
HEADERS = {
    "referrer-policy": "same-origin", "x-content-type-options": "nosniff", "cache-control": "no-store",
    "x-dns-prefetch-control": "off",
    "cross-origin-resource-policy": "same-origin", "cross-origin-opener-policy": "same-origin",
}  # fmt: skip


class Guard:
    """Refuses a request with a foreign `Host` (a name made to point at loopback), without the token, or sent by a foreign page.

    Args:
        application: what answers the others.
        token: the secret.
        cookie: the name of the cookie that carries it.
    """

    def __init__(self, application: ASGIApp, token: str, cookie: str) -> None:
        self._application, self._token, self._cookie = application, token, cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("content-security-policy", POLICY)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await (self._refusal(Request(scope)) or self._application)(scope, receive, send_guarded)

    def _refusal(self, request: Request) -> Response | None:
        headers = request.headers
        if not is_loopback(headers.get("host", "")):
            return PlainTextResponse("this address answers to localhost only\n", 421)
        if request.method not in ("GET", "HEAD", "POST"):
            return PlainTextResponse("no such method\n", 405)
        if request.method == "POST" and not same_origin(headers):
            return PlainTextResponse("this came from another page\n", 403)
        if self._is_token(request.cookies.get(self._cookie, "")) or self._is_token(_bearer(headers)):
            return None
        if not self._is_token(request.query_params.get("token", "")):
            return PlainTextResponse("open the address that garimpo ui printed: it carries a token\n", 403)
        if request.method == "POST" or request.url.path.startswith("/api"):
            return None
        rest = request.url.remove_query_params("token")
        answer = RedirectResponse(rest.path + (f"?{rest.query}" if rest.query else ""), 303)
        answer.set_cookie(self._cookie, self._token, httponly=True, samesite="strict")
        return answer

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode(), self._token.encode())


def is_loopback(host: str) -> bool:
    """Whether a `Host` header names this machine.

    Args:
        host: the header.

    >>> is_loopback("127.0.0.1:8080"), is_loopback("localhost"), is_loopback("evil.example:8080"), is_loopback("localhost.evil")
    (True, True, False, False)
    """
    name, _, port = host.rpartition(":")
    return (name if port.isdigit() else host).lower() in LOOPBACK


def same_origin(headers: Headers) -> bool:
    """Whether one of our own pages, or no page at all, sent a request.

    Args:
        headers: of the request.
    """
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    return urlsplit(origin).netloc == headers.get("host", "")


def _bearer(headers: Headers) -> str:
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" else ""
