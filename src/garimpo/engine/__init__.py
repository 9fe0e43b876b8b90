"""Where a table job runs: on this machine, or on Spark."""
