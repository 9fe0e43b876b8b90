"""How alike two texts are: terms, the one list of measures, estimates from sketches, and the best of many scores."""
