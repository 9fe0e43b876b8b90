"""What a page says: bytes and headers in, a `Page` out; and the words and shingles of any text.

A body comes as it was received, after content-encoding. `decoding` finds its charset (byte-order mark, header, declaration
in the page, else UTF-8 if the bytes are valid in it, else windows-1252) and gives UTF-8, bad bytes replaced. `parsing` puts
limits on hostile pages, runs the HTML parser and reads its tree: the parser serialises the tree in the standard's own
form, and one kernel walks over those bytes and notes, with positions, the visible text, every link with its anchor and the
words around it, and what the head says. A page whose tags nest as they stand needs no tree: another kernel writes that form
down directly and leaves the page to the parser at the first sign that the tree would say anything else. `reading` makes the
`Page` of it: links are resolved against `<base>` and the final URL and normalised; a link that does not resolve to http(s)
is left out. A page's links become objects when someone looks at them; `link_columns` makes Arrow columns of the links of many
pages without that.

*Visible text* is what stands in the body but for script, style, noscript, template and embedded frames, its white space
collapsed to single spaces; tags part words unless they are inline ones (`th<b>ree</b>` is one word, two table cells are
two). The *main text*, without navigation and boiler-plate, is made only when asked for: it costs a second parse.
The *context* of a link is its anchor with up to ten words on either side. Anchors are cut at 512 bytes.

Nothing here raises on a bad page. A page is cut at 8 MiB, at half a million tags and attributes, and 50,000 links; elements
more than a thousand deep and attributes past the 256th of a tag are passed over. With these limits no page takes more
than a few seconds or half a gigabyte. A body that is neither HTML, XML nor text gives a `Page` without text.

A *word* is a maximal run of alphanumeric characters or `_` after NFC and lower case; of the scripts that put no space
between words (Han, Kana, Thai, Lao, Khmer, Myanmar) each letter, digit or mark is one. `words` says so in plain Python;
`shingle_hashes` and `word_hashes` do the same to a whole Arrow column, without a Python object for a word: a shingle's hash
is xxh64 of its words joined by one space, so `xxhash` gives the same number. Only rows that NFC may change pass through
Python. Both follow the Unicode tables of the running Python, and stored hashes carry their version.

`digest` is of the body's bytes, `text_digest` of the visible text: both 64-bit BLAKE2b. `digests` takes those of many at once.
"""

from garimpo.page.columns import link_columns
from garimpo.page.digests import digest, digests, text_digest
from garimpo.page.reading import read, read_one, read_text
from garimpo.page.words import shingle_hashes, word_hashes, words

__all__ = [
    "digest",
    "digests",
    "link_columns",
    "read",
    "read_one",
    "read_text",
    "shingle_hashes",
    "text_digest",
    "word_hashes",
    "words",
]
