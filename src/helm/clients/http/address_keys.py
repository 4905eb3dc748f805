"""Which key goes to the address of a server that speaks OpenAI's protocol and was named by a run entry or a setting.

Entries, `judges.yaml` and conf files come from others, and the address is part of the model's name there; so
`$OPENAI_API_KEY`, which most people have set for OpenAI, is not sent to just any address.
"""

import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from helm.common.errors import ConfigError
from helm.common.hierarchical_logger import hprogress

BASE_URL_VARIABLE = "OPENAI_BASE_URL"
OPENAI_KEY_VARIABLE = "OPENAI_API_KEY"
KEY_VARIABLE = "OPENAI_COMPAT_API_KEY"
HOST_KEYS = "openai-compatApiKeys"
"""Credential: host, or host and port, to the key for it."""

_OPENAI = ("https", "api.openai.com", 443)
_PORTS = {"http": 80, "https": 443}


def key_from_environment(base_url: str) -> str | None:
    """The key for an address for which the credentials have none; None: there is none, which is said once if one is withheld.

    `$OPENAI_API_KEY` is for OpenAI, and for the server of `$OPENAI_BASE_URL`: as with OpenAI's own library, who sets both
    means both. `$OPENAI_COMPAT_API_KEY` is for any other address.
    """
    openai_key, origin = os.environ.get(OPENAI_KEY_VARIABLE), _origin(base_url)
    if openai_key and origin == _OPENAI:
        return openai_key
    key = os.environ.get(KEY_VARIABLE)
    if key:
        return key
    if openai_key and origin is not None and origin == _origin(os.environ.get(BASE_URL_VARIABLE, "")):
        return openai_key
    return None


def key_from_credentials(credentials: Mapping[str, Any], base_url: str) -> str | None:
    """The key that the credentials have for the host of an address. Raises: ConfigError when they are malformed."""
    keys, origin = credentials.get(HOST_KEYS) or {}, _origin(base_url)
    if not isinstance(keys, Mapping):
        raise ConfigError(f'Credential {HOST_KEYS} takes hosts and their keys: {HOST_KEYS}: {{"HOST:PORT": "KEY"}}.')
    if origin is None:
        return None
    for name in (_place(origin), _host(origin)):
        if keys.get(name):
            return str(keys[name])
    return None


def withheld_key(base_url: str) -> str | None:
    """One line about a key that is set and not sent to an address to which no other one is sent; None: there is none."""
    origin = _origin(base_url)
    if origin is None or not os.environ.get(OPENAI_KEY_VARIABLE) or key_from_environment(base_url):
        return None
    return (
        f"{OPENAI_KEY_VARIABLE} is not sent to {_place(origin)}: it is for OpenAI, and for the server of {BASE_URL_VARIABLE}. "
        f"If this server wants a key, set {KEY_VARIABLE}, or put "
        f'{HOST_KEYS}: {{"{_place(origin)}": "KEY"}} into credentials.conf.'
    )


_told: set[str] = set()


def tell_once(line: str) -> None:
    if line not in _told:
        _told.add(line)
        hprogress(line)


def _origin(base_url: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(base_url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None


def _host(origin: tuple[str, str, int]) -> str:
    return f"[{origin[1]}]" if ":" in origin[1] else origin[1]


def _place(origin: tuple[str, str, int]) -> str:
    return f"{_host(origin)}:{origin[2]}"
