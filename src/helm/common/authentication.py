from dataclasses import dataclass, field

ADMIN_KEY_FILE = "proxy_admin_key.txt"
"""The file in a proxy server's folder with the key of its first administrator."""


@dataclass(frozen=True)
class Authentication:
    """The credentials with which a client identifies itself to the proxy server."""

    api_key: str = field(repr=False)
