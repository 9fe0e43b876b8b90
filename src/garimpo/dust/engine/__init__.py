"""The same methods on an engine, for clusters that no one process holds: rule for rule the same result."""
