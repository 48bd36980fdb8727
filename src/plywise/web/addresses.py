"""Addresses: which ones count as one visitor, and which belong to a network."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address, ip_network

from plywise.errors import SpecError

HOUSEHOLD = 19  #: characters of a written-out IPv6 address: the /64, which one household may own


def network_of(host: str) -> str:
    """Return the name under which an address is counted.

    >>> network_of("10.0.0.7"), network_of("::ffff:10.0.0.7"), network_of("2001:db8::7")
    ('10.0.0.7', '10.0.0.7', '2001:0db8:0000:0000')
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped  # what a socket for both kinds says of an IPv4 address
        return address.exploded[:HOUSEHOLD] if mapped is None else str(mapped)
    return str(address)


def check_networks(networks: Iterable[str]) -> tuple[str, ...]:
    """Return addresses and networks; SpecError if one cannot be read."""
    found = tuple(networks)
    for each in found:
        try:
            ip_network(each)
        except ValueError:
            raise SpecError(
                f"{each!r} is not an address: write one such as 127.0.0.1 or 10.0.0.0/8"
            ) from None
    return found


def is_among(host: str, networks: Iterable[str]) -> bool:
    """True if an address is in one of these networks.

    >>> is_among("10.1.2.3", ["127.0.0.1", "10.0.0.0/8"]), is_among("::1", ["127.0.0.1"])
    (True, False)
    """
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return any(address in ip_network(each) for each in networks)
