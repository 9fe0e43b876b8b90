"""A text as its set of shingles, and the set as a short row of slots: kernels and plain operators, merging, sketches as sets."""
