"""The flags that say how the web is asked, for commands beside the crawl itself."""

from dataclasses import asdict, dataclass
from typing import Annotated, Any

from cyclopts import Parameter


@dataclass
class Network:
    """How the web is asked, as in garimpo crawl."""

    delay: float = 1.0
    """Seconds between two requests to one host, and to one address."""
    hosts: str | None = None
    """A hosts file."""
    resolve_all: str | None = None
    """ADDRESS:PORT where all sockets connect."""
    allow_private: bool = False
    """Also private and loopback addresses."""
    user_agent: str | None = None
    """How the crawler names itself."""
    contact: str | None = None
    """An address to write to, sent with the name."""
    connections: int = 64
    """Requests at once, at most: so many sites are decided beside each other."""
    connections_per_address: int = 1
    """Requests at once to one address, at most."""
    connect_timeout: float = 10.0
    """Seconds to wait for a connection."""
    timeout: float = 30.0
    """Seconds a request may take."""
    max_body: int = 10_000_000
    """Bytes of one page, unpacked."""
    tries: int = 3
    """How often a URL is tried."""
    headers: Annotated[list[str] | None, Parameter(negative=(), consume_multiple=False)] = None
    """'Name: value', sent with every request (may be repeated)."""
    proxy: str | None = None
    """A proxy's URL."""

    def given(self) -> dict[str, Any]:
        """The settings of a crawl that were asked for."""
        return {name: value for name, value in asdict(self).items() if value is not None}


Asked = Annotated[Network | None, Parameter(name="*")]
