"""What comes in: documents of any kind as batches of ids and texts, and tables of other programs."""
