"""Which requests a server on this machine answers when a browser may have sent them for somebody else's page."""

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit


def is_allowed_host(host: str, allowed: Iterable[str]) -> bool:
    """Whether a request may name this host: an address, `localhost`, or one of `allowed`.

    A page of somebody else can point its own name at this machine and so read what this server answers (DNS rebinding);
    then the browser sends that name.
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
    """Whether a browser sent a request for a page that does not come from this server.

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
