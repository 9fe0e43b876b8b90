"""The dashboard: what a crawl does and why, in a browser, and the same as JSON. Needs the extra `ui`.

::

    crawl folder ──► Watched ──► view.data ──► JSON (/api/...)
                        │            └───────► view.show ──► HTML page
                        └──► events: "something is new" ──► ui.js fetches the page again and swaps its live parts
    buttons ──► /wish ──► control/*.json ──► the loop, at its next commit

**A process of its own.** `serve` opens a crawl folder to read, of a crawl that runs or one that has ended, and answers on
loopback. It takes no lock and writes nothing but wishes; killed or hung, it changes nothing in the crawl.

**A view** is two functions: `data` asks the folder and gives a dictionary, `show` makes HTML of it with the pieces of `report`.
What costs with the size of a crawl is summed up once for each segment, or counted only as often as it is cheap.

**Safety.** Titles, URLs and texts are hostile. They are escaped where they meet a tag; the pages allow no script and no style
but our two files; a stored page is shown without its scripts and links, in a frame that may do nothing. A request needs the
token that the command prints, and a `Host` that is loopback, so that no other page in the browser can ask.

Invariants: nothing is loaded from elsewhere; a view never changes a crawl; every page has a JSON twin under `/api`.
"""

from garimpo.ui.server import serve

__all__ = ["serve"]
