"""The methods of the source: B-PrTFIDF and SVMC classifiers, context graphs and Markov models."""
