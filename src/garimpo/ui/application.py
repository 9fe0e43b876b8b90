"""The routes: each view as a page and as JSON, the stream of news, stored pages, wishes."""

import asyncio
from collections.abc import AsyncIterator
from urllib.parse import parse_qsl, urlencode

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from garimpo.contract.errors import BadInput, GarimpoError, printable
from garimpo.crawl import labels
from garimpo.crawl.steering import wishes
from garimpo.report.pieces import tag
from garimpo.ui.frame import STATIC, page, stylesheet
from garimpo.ui.guard import SHOWN_PAGE_POLICY, Guard
from garimpo.ui.stored import shown_page
from garimpo.ui.view import Query, View
from garimpo.ui.views import VIEWS
from garimpo.ui.watched import Watched

SECONDS, ALIVE = 1.0, 15
"""Between two looks for news; after so many without any a sign of life is sent."""
MOST_FORM = 100_000
SAID = {
    "asked": "Asked. The crawl takes it up at its next commit, or when it is resumed.",
    "refused": "That could not be asked: see below.",
}


def application(watched: Watched, token: str, cookie: str = "garimpo") -> ASGIApp:
    """The dashboard of one crawl folder.

    Args:
        watched: the folder.
        token: what a request must carry.
        cookie: the name of the cookie it carries it in.
    """
    routes = [Route("/style.css", _style), Route("/ui.js", _script), Route("/events", _events), Route("/stored", _stored)]
    routes += [Route("/wish", _wish, methods=["POST"])]
    for view in VIEWS:
        routes.append(Route(view.path, _page_of(view)))
        routes.append(Route(f"/api{view.path if view.path != '/' else '/now'}", _json_of(view)))
    made = Starlette(routes=routes, exception_handlers={404: _missing, Exception: _failed})
    made.state.watched = watched
    return Guard(made, token, cookie)


def _page_of(view: View):  # type: ignore[no-untyped-def]
    def answer(request: Request) -> Response:
        watched, query = _asked(request)
        with watched.lock:
            status = watched.status()
            try:
                body, code = view.show(view.data(watched, query)), 200
            except GarimpoError as error:
                body, code = tag("p", printable(str(error)), class_="quiet"), 400 if isinstance(error, BadInput) else 500
        return HTMLResponse(page(view, body, VIEWS, status, SAID.get(query.text("said"), "")), code)

    return answer


def _json_of(view: View):  # type: ignore[no-untyped-def]
    def answer(request: Request) -> Response:
        watched, query = _asked(request)
        with watched.lock:
            try:
                return _json({name: value for name, value in view.data(watched, query).items() if name[0] != "_"})
            except GarimpoError as error:
                return _json({"error": str(error)}, 400 if isinstance(error, BadInput) else 500)

    return answer


async def _events(request: Request) -> Response:
    watched: Watched = request.app.state.watched

    async def news() -> AsyncIterator[str]:
        last, quiet = await run_in_threadpool(watched.pulse), 0
        yield ": watching\n\n"
        while not watched.over and not await request.is_disconnected():
            await asyncio.sleep(SECONDS)
            now = await run_in_threadpool(watched.pulse)
            quiet = quiet + 1 if now == last else 0
            if now != last:
                yield f"data: {now}\n\n"
            elif quiet % ALIVE == 0:
                yield ": still here\n\n"
            last = now

    return StreamingResponse(news(), media_type="text/event-stream")


def _stored(request: Request) -> Response:
    watched, query = _asked(request)
    with watched.lock:
        shown = shown_page(watched.store, query.text("url"))
    if shown is None:
        return PlainTextResponse("no page is stored under this URL\n", 404)
    return HTMLResponse(shown, headers={"content-security-policy": SHOWN_PAGE_POLICY})


async def _wish(request: Request) -> Response:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_FORM:
            return PlainTextResponse("too long\n", 413)
    fields = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
    back = fields.pop("back", "/")
    folder = request.app.state.watched.store.path
    try:
        if fields.get("wish") == "label" and fields.get("url"):
            labels.say(folder, fields["url"], fields.get("good") == "1")
        else:
            wishes.ask(folder, wishes.of_dict(fields))
    except BadInput as error:
        return PlainTextResponse(f"{printable(str(error))}\n", 400)
    except OSError as error:
        return PlainTextResponse(f"control/: {error.strerror}\n", 500)
    if request.headers.get("accept", "").startswith("application/json"):
        return _json({"asked": fields})
    place = back if back.startswith("/") and not back.startswith("//") and "\\" not in back else "/"
    return RedirectResponse(f"{place}{'&' if '?' in place else '?'}{urlencode({'said': 'asked'})}", 303)


def _style(request: Request) -> Response:
    return Response(stylesheet(), media_type="text/css")


def _script(request: Request) -> Response:
    return Response((STATIC / "ui.js").read_bytes(), media_type="text/javascript")


def _missing(request: Request, error: Exception) -> Response:
    return PlainTextResponse("there is no such view\n", 404)


def _failed(request: Request, error: Exception) -> Response:
    told = (str(error).splitlines() or [type(error).__name__])[0]
    return PlainTextResponse(f"this view failed: {printable(told)}\n", 500)


def _asked(request: Request) -> tuple[Watched, Query]:
    return request.app.state.watched, Query(request.query_params)


def _json(value: object, code: int = 200) -> Response:
    return Response(msgspec.json.encode(value, enc_hook=str) + b"\n", code, media_type="application/json")
