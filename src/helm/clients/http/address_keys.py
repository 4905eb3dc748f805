"""Selects the key for an OpenAI-compatible server whose address comes from a run entry or a setting.

Entries, `judges.yaml` and conf files may come from other people and contain addresses in the names of models. Therefore
`$OPENAI_API_KEY`, which most users have set for OpenAI, is not sent to arbitrary addresses.
"""

import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from helm.common.errors import ConfigError

BASE_URL_VARIABLE = "OPENAI_BASE_URL"
OPENAI_KEY_VARIABLE = "OPENAI_API_KEY"
KEY_VARIABLE = "OPENAI_COMPAT_API_KEY"
HOST_KEYS = "openai-compatApiKeys"
"""The credential that maps a host, or a host and port, to its key."""

_OPENAI = ("https", "api.openai.com", 443)
_PORTS = {"http": 80, "https": 443}


def key_from_environment(base_url: str) -> str | None:
    """Return the key from the environment for an address that has none in the credentials; None if there is none.

    `$OPENAI_API_KEY` is for OpenAI and for the server of `$OPENAI_BASE_URL`: as with OpenAI's own library, a user who sets
    both wants them used together. `$OPENAI_COMPAT_API_KEY` is for any other address.
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
    """Return the key that the credentials hold for the host of an address. Raises ConfigError if they are malformed."""
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
    """Return a one-line notice if a key is set but withheld from an address that gets no other key, else None."""
    origin = _origin(base_url)
    if origin is None or not os.environ.get(OPENAI_KEY_VARIABLE) or key_from_environment(base_url):
        return None
    return (
        f"{OPENAI_KEY_VARIABLE} is not sent to {_place(origin)}: it is for OpenAI, and for the server of {BASE_URL_VARIABLE}. "
        f"If this server wants a key, set {KEY_VARIABLE}, or put "
        f'{HOST_KEYS}: {{"{_place(origin)}": "KEY"}} into credentials.conf.'
    )


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
