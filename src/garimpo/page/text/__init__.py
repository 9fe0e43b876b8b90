"""Words, shingles and checksums of any text."""
