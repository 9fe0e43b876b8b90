"""What a user gives for some hosts only: headers and cookies. Only the seeds' hosts get them, or those named."""

import http.cookiejar
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from garimpo.contract.errors import BadInput
from garimpo.crawl.settings import Settings
from garimpo.url import host

Headers = Sequence[tuple[str, str]]


class Secrets:
    """The headers and cookies that were given, and the hosts they are for.

    >>> secrets = Secrets(Settings(seeds=["http://a.org/"], headers=["Authorization: Basic eA=="]))
    >>> secrets.headers_for("http://a.org/x"), secrets.headers_for("http://b.org/")
    ((('Authorization', 'Basic eA=='),), ())
    """

    def __init__(self, settings: Settings) -> None:
        pairs = [line.partition(":") for line in settings.headers]
        self._headers = tuple((name.strip(), value.strip()) for name, _, value in pairs)
        self._jar = read_cookies(settings.cookies) if settings.cookies else None
        self._hosts = {name.lower() for name in settings.headers_for} or {host(seed) or "" for seed in settings.seeds}
        self._any = bool(self._headers or self._jar is not None)

    def headers_for(self, url: str) -> Headers:
        """What goes with a request.

        Args:
            url: where the request goes.
        """
        if not self._any or host(url) not in self._hosts:
            return ()
        cookie = self._cookies(url)
        return (*self._headers, ("Cookie", cookie)) if cookie else self._headers

    def _cookies(self, url: str) -> str | None:
        if self._jar is None:
            return None
        request = urllib.request.Request(url)
        self._jar.add_cookie_header(request)
        return request.get_header("Cookie")


def read_cookies(path: str | Path) -> http.cookiejar.CookieJar:
    """The cookies of a file in Netscape's format; `BadInput` if it is none.

    Args:
        path: the file.
    """
    jar = http.cookiejar.MozillaCookieJar(str(path))
    try:
        jar.load(ignore_discard=True)
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: no cookies in Netscape's format ({str(error).splitlines()[0]})") from None
    return jar
