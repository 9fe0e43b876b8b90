"""From bytes to a `Page`: decode, limit, parse, extract, resolve links.

::

    body -> decoding -> parsing (plain/ where tags nest as they stand, else the parser's tree) -> extraction kernels -> reading
    links -> link_table: the links of many pages as Arrow columns
"""
