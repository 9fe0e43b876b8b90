"""The version of every stored format, and of the definitions that stored numbers depend on."""

import unicodedata

CRAWL_FORMAT = 1
MODEL_FORMAT = 1
RULES_FORMAT = 2
SKETCH_FORMAT = 1
INDEX_FORMAT = 1

HASH = "xxh64"
"""The one 64-bit hash of words, shingles, URLs and keys (seed 0). Page digests are BLAKE2b."""

WORDS = f"words-1/unicode-{unicodedata.unidata_version}"
"""The word definition (contract: `garimpo.page.text.shingles`) with the Unicode tables it was made with."""
