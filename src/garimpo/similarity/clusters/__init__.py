"""Documents in, verified clusters out: on one machine, or as the steps of a job on an engine."""
