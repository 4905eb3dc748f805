"""Protects servers on this machine from requests that a browser sends on behalf of other sites' pages."""

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit


def is_allowed_host(host: str, allowed: Iterable[str]) -> bool:
    """Return whether a request may name this host: an IP address, `localhost`, or one of `allowed`.

    Another site can point its own name at this machine to read this server's answers (DNS rebinding); the browser then sends
    that name.
    """
    name = host.strip().lower()
    if name.startswith("["):
        name = name[1:].partition("]")[0]
    elif name.count(":") == 1:
        name = name.partition(":")[0]
    if name == "localhost" or name in {item.lower() for item in allowed}:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_of_other_page(host: str, origin: str | None, fetch_site: str | None) -> bool:
    """Return whether a browser sent a request for a page that does not come from this server.

    Args:
        host, origin, fetch_site: the headers `Host`, `Origin` and `Sec-Fetch-Site`; programs send only the first.
    """
    if fetch_site is not None and fetch_site.strip().lower() not in ("same-origin", "none"):
        return True
    if origin is None:
        return False
    try:
        return urlsplit(origin.strip()).netloc.lower() != host.strip().lower()
    except ValueError:
        return True
