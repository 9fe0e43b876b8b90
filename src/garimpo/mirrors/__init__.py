"""Which hosts are copies of each other."""
