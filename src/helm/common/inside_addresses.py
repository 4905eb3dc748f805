"""Tells addresses inside this machine or its network from those outside, for addresses that answers and data sets name."""

import ipaddress
import socket

_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def is_inside_address(text: str) -> bool:
    """Return whether an IP address is of this machine, a private network, or otherwise not of the public Internet.

    Raises: ValueError if it is no IP address.
    """
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        address = inner or address
    return not address.is_global or address.is_multicast


def is_inside(host: str) -> bool:
    """Return whether a host is inside, as an address in any spelling, or as a name one of whose addresses is.

    A name that cannot be resolved here, perhaps because a proxy does that, counts as outside.
    """
    host = host.rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return is_inside_address(host)
    except ValueError:
        pass
    try:
        return is_inside_address(socket.inet_ntoa(socket.inet_aton(host)))  # 127.1, 2130706433, 0x7f.0.0.1
    except (OSError, UnicodeError):
        pass
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    return any(is_inside_address(str(entry[4][0])) for entry in found)


def goes_through_proxy(scheme: str, host: str) -> bool:
    """Return whether a proxy of the environment makes the connection, so that our own goes to the proxy."""
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    return bool(proxies.get(scheme) or proxies.get("all")) and not proxy_bypass(host)
