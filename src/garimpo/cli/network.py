"""The flags that say how the web is asked, for commands beside the crawl itself."""

from typing import Annotated

from cyclopts import Parameter

from garimpo.cli.options import settings_options

NETWORK = (
    "delay", "connections", "connections_per_address", "user_agent", "contact", "max_body", "hosts", "resolve_all",
    "allow_private", "ca_file", "connect_timeout", "timeout", "tries", "headers", "headers_for", "cookies", "proxy",
)  # fmt: skip

NetworkOptions = settings_options(NETWORK)
Asked = Annotated[NetworkOptions | None, Parameter(name="*")]  # type: ignore[valid-type]
