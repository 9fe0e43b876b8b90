"""The main text of a page: what it says itself, without menus, banners and footers; as plain text and as Markdown.

::

    serialised tree -> passages (headings, paragraphs, items, code, rows) -> choice (which of them are main) -> text, markdown

A *passage* is a piece of a page that stands together: a heading, a paragraph, a list item, a block of code, a row of a table.
`choice` says which of them are main. Where the chrome of the host is known, a passage is left out if the host repeats it; else
the page is taken by itself: by trafilatura where it is installed, if not by `story`, which asks where most of the prose stands.
What its own mark-up calls navigation is left out (trafilatura sees to that itself). `markdown` writes what was chosen; the plain
text is the same passages without marks.

Invariants:

- Markdown and plain text of a page have the same passages.
- What is read is the parser's own serialisation, within the limits of `page.html.parsing`.
"""

from garimpo.page.main.choice import main_passages
from garimpo.page.main.markdown import plain_text, to_markdown
from garimpo.page.main.passages import Passage, read_passages

__all__ = ["Passage", "main_passages", "plain_text", "read_passages", "to_markdown"]
