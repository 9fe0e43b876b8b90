"""Filter files: one per entity and language."""
