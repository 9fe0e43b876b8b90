"""The engine on Spark: its session, its steps, the types both sides know, and files that workers read themselves."""
