from dataclasses import dataclass, field


@dataclass(frozen=True)
class Authentication:
    """How a client of the proxy server says who it is."""

    api_key: str = field(repr=False)
