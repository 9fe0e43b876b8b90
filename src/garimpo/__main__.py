"""``python -m garimpo`` is the ``garimpo`` command."""

from garimpo.cli import main

main()
