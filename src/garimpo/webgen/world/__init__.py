"""What is on the made web: hosts, the plan of each site, its pages and links, computed from a seed.

::

    settings -> hosts -> plans (sections, software) -> sites (URLs of each page) -> world (any URL -> its page) -> render (HTML)
"""
