"""Our rooms inside other tools. Each has a package of its own, needs an extra of its own, and is imported by nothing here."""
