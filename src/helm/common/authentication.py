from dataclasses import dataclass, field


@dataclass(frozen=True)
class Authentication:
    """The credentials with which a client identifies itself to the proxy server."""

    api_key: str = field(repr=False)
