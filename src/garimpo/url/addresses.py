"""IP addresses as hosts of URLs: what is one, which are of the public internet, and which ports nobody browses.

Public is what is listed as public: an address of a range that is new, or that nobody thought of, is not asked.
"""

import ipaddress
import re

PRIVATE_NAMES = ("localhost", "localdomain", "local", "internal", "home.arpa")

_SPECIAL_4 = (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
    "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
)  # fmt: skip
_SPECIAL_6 = ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
_PUBLIC_6 = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_NETWORKS_4 = [ipaddress.IPv4Network(one) for one in _SPECIAL_4]
_NETWORKS_6 = [ipaddress.IPv6Network(one) for one in _SPECIAL_6]

REFUSED_PORTS = frozenset(
    (
        1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111,
        113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548,
        554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379,
        6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
    )
)  # fmt: skip
"""The ports that browsers do not ask (WHATWG Fetch, "bad port"), and that of Redis."""
_PORT = re.compile(r"https?://[^/?#]*:(\d{1,5})(?:[/?#]|$)")


def is_address(name: str) -> bool:
    """Whether a host is an IP address rather than a name.

    >>> is_address("10.0.0.1"), is_address("[::1]"), is_address("example.org")
    (True, True, False)
    """
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def is_private_name(name: str) -> bool:
    """Whether a host name can only mean this machine or its own network.

    >>> is_private_name("127.0.0.1"), is_private_name("printer.local"), is_private_name("example.org")
    (True, True, False)
    """
    try:
        return is_private_address(name)
    except ValueError:
        return name.rstrip(".").rsplit(".", 1)[-1] in PRIVATE_NAMES or name.rstrip(".").endswith(".home.arpa")


def is_private_address(address: str) -> bool:
    """Whether an IP address is not one of the public internet (IPv4 behind NAT64 and mapped IPv4 are looked into).

    >>> is_private_address("10.0.0.1"), is_private_address("::ffff:192.168.0.1"), is_private_address("93.184.216.34")
    (True, True, False)
    """
    ip = ipaddress.ip_address(address.strip("[]").split("%")[0])
    if isinstance(ip, ipaddress.IPv4Address):
        return any(ip in network for network in _NETWORKS_4)
    if ip.ipv4_mapped is not None:
        return is_private_address(str(ip.ipv4_mapped))
    if ip in _NAT64:
        return is_private_address(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
    return ip not in _PUBLIC_6 or any(ip in network for network in _NETWORKS_6)


def has_refused_port(url: str) -> bool:
    """Whether a URL in normal form names a port that browsers refuse.

    Args:
        url: the URL.

    >>> has_refused_port("http://a.org:25/"), has_refused_port("http://a.org:8080/"), has_refused_port("http://a.org/x:25/")
    (True, False, False)
    """
    found = _PORT.match(url)
    return found is not None and int(found[1]) in REFUSED_PORTS
