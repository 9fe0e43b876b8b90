"""What the made web says: seeded chance, names, words of topics, sentences, stories."""
