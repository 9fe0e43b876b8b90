"""Which pairs are worth an exact check: bands and their promise of recall, buckets, and what to expect of a run."""
