"""Strings made of the pieces that make URL parsers stumble."""

from hypothesis import strategies as st

PIECES = st.sampled_from(
    [
        "http://",
        "HTTPS://",
        "a",
        "B.org",
        "/",
        "//",
        ".",
        "..",
        "%41",
        "%2e",
        "%2E%2e",
        "%",
        "%4",
        "%zz",
        "%c3%A9",
        "?",
        "#",
        "&",
        "=",
        ":80",
        ":443",
        ":8080",
        "@",
        "\\",
        " ",
        "\t",
        "é",
        "ß",
        "xn--",
        "1",
        "0x7f",
        "[::1]",
        "~",
        "%7e",
        "'",
        "|",
        "^",
    ]
)
URLISH = st.lists(PIECES, max_size=14).map("".join)
