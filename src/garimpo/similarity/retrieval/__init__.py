"""Who took what from whom: rankings exact or from a stored collection, how good they are, and the passages taken."""
