"""Pages whose tags nest as they stand, read without building a tree.

The kernels write the standard's serialisation directly and refuse the page at the first doubt; the parser reads it then. Both
ways give the same page.
"""
