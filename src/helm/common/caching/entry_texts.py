"""The texts of keys and values in caches."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from helm.common.caching.plain_pickle import PickleError, load_plain
from helm.common.codec import SCALAR_WRITERS, quote
from helm.common.errors import HelmError
from helm.common.formats.json_reading import MAX_DEPTH, check_depth, parse_json


class CacheError(HelmError):
    """A cache file cannot be used."""


# Accepted answers are at most `MAX_DEPTH` deep, but are stored inside other objects.
_MAX_STORED_DEPTH = 2 * MAX_DEPTH


def _create_encoder(sort_keys: bool = False) -> Callable[[Any], str]:
    """Return `json.dumps`. Making its encoder for each value, and watching for circles, takes half of its time."""
    standard = json.JSONEncoder(sort_keys=sort_keys)
    create = getattr(json.encoder, "c_make_encoder", None)  # not all of Python's builds have it
    if create is None:
        return standard.encode
    quote_text, separators = json.encoder.encode_basestring_ascii, (": ", ", ")
    encode = create(None, standard.default, quote_text, None, *separators, sort_keys, False, True)
    return lambda value: "".join(encode(value, 0))


encode_value = _create_encoder()
_encode_part = _create_encoder(sort_keys=True)


def request_to_key(request: Mapping) -> str:
    """Return the exact key of a request: `json.dumps(request, sort_keys=True)`, ASCII only."""
    find_writer, encode = SCALAR_WRITERS.get, _encode_part
    try:
        parts = [
            _name_text(name) + (find_writer(type(value)) or encode)(value) for name, value in sorted(request.items())
        ]
    except TypeError:  # names that are not all texts
        return encode(request)
    return "{" + ", ".join(parts) + "}"


@lru_cache(maxsize=1024)
def _name_text(name: str) -> str:
    return f"{quote(name)}: "


def _read_stored(text: str) -> Any:
    value = parse_json(text)
    check_depth(value, text, _MAX_STORED_DEPTH)  # code that handles the value later cannot recurse this deep
    return value


def decode_value(value: Any) -> Any:
    """Decode a stored value: JSON text as written by this package, or a pickle of plain values as written by HELM.

    Raises CacheError for anything else.
    """
    try:
        if isinstance(value, str):
            return _read_stored(value)
        if isinstance(value, (bytes, memoryview)):
            return load_plain(bytes(value))
    except PickleError as e:
        raise CacheError(f"A cached value {e}.") from e
    except (ValueError, RecursionError) as e:
        raise CacheError(f"A cached value is not JSON: {e}.") from e
    raise CacheError(f"A cached value is neither JSON nor a pickle, but of the SQL type {type(value).__name__}.")
