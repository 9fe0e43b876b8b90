"""Garimpo: a web crawler that learns while it runs.

Each subpackage is a room with one question to answer; its own docstring tells how things move through it. Nothing
is imported here, so that a command pays only for the rooms it uses.
"""

__version__ = "0.1.0"
