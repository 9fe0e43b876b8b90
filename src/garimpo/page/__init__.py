"""What a page says: bytes and headers in, a `Page` out; and the words and shingles of any text.

::

    body, headers ──► html: decode ──► limits ──► plain reader, or parser ──► extract ──► Page (text, title, links, head)
    tree ──► main: passages ──► which are main ──► plain text, Markdown
    text ──► text: words, shingles ──► 64-bit hashes ; checksums

**Reading.** A body comes as it was received, after content-encoding. `decoding` finds its charset (byte-order mark, header,
declaration in the page; else UTF-8 if the bytes are valid, else windows-1252) and gives UTF-8. `parsing` limits hostile pages,
runs the HTML parser, and lets one kernel walk over the serialised tree: it notes the visible text, every link with its anchor
and context, and what the head says. A *plain* page, whose tags nest as they stand, needs no tree: the kernels of `html/plain`
write the same serialisation directly, and refuse the page at the first doubt. `GARIMPO_PLAIN_READER=0` turns them off; a crawl
logs the share of pages they read. `reading` makes the `Page`: it resolves links against `<base>` and the final URL, normalises
them, and leaves out what is not http(s). Links become objects only when someone looks at them; `link_columns` makes Arrow
columns of the links of many pages at once.

**Words.** *Visible text* is the text of the body without script, style, noscript, template and embedded frames; white space
collapses to single spaces, with a newline between blocks. `th<b>ree</b>` is one word, two table cells are two blocks. The
*context* of a link is its anchor with up to ten words on either side. *Main text*, without navigation, is made only on request
(`main`): it costs a second parse, and an extractor where the chrome of the host is not known. A *word* is a maximal run of
alphanumeric characters or `_` after NFC and lower case; in scripts without spaces (Han, Kana, Thai, Lao, Khmer, Myanmar) each
character is a word. `words` is the definition in plain Python; `shingle_hashes` and `word_hashes` do the same to an Arrow
column. A shingle's hash is xxh64 of its words joined by one space. Stored hashes carry the version of Python's Unicode tables.

`digest` (of the body's bytes) and `text_digest` (of the visible text) are 64-bit BLAKE2b.

Invariants:

- Nothing here raises on a bad page.
- A page is cut at 8 MiB, at half a million tags and attributes, and at 50,000 links; elements more than a thousand deep and
  attributes past the 256th of a tag are passed over. No page takes more than a few seconds or half a gigabyte.
- The plain reader and the parser give the same page, or the plain reader refuses it.
- A body that is neither HTML, XML nor text (nor PDF, with the extra `[pdf]`) gives a `Page` without text.
"""

from garimpo.page.html.link_table import link_columns
from garimpo.page.html.reading import passages, read, read_one, read_text
from garimpo.page.text.checksums import digest, text_digest
from garimpo.page.text.shingles import shingle_hashes, word_hashes, words

__all__ = [
    "digest",
    "link_columns",
    "passages",
    "read",
    "read_one",
    "read_text",
    "shingle_hashes",
    "text_digest",
    "word_hashes",
    "words",
]
