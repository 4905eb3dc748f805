"""Reads the run specs of many runs, which are alike, in little memory and time."""

import dataclasses
import hashlib
import typing
from typing import Any

import msgspec

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.run_spec import RunSpec
from helm.results.run_files.json_items import decode_json

_MISSING = msgspec.Raw()
_TYPES = typing.get_type_hints(RunSpec)
_PARTS = msgspec.json.Decoder(
    msgspec.defstruct("RunSpecParts", [(field.name, msgspec.Raw, _MISSING) for field in dataclasses.fields(RunSpec)])
)
_ADAPTER_FIELDS = tuple(field.name for field in dataclasses.fields(AdapterSpec))


class SharedSpecReader:
    """Reads run specs. Parts that have the same text in several of them are decoded once, and are one object."""

    def __init__(self) -> None:
        self._parts: dict[tuple[str, bytes], Any] = {}
        """The parts by field and digest of their text, which is longer."""
        self._texts: dict[str, str] = {}
        self._lists: dict[tuple[str, ...], list[str]] = {}

    def decode(self, data: bytes, path: str) -> RunSpec:
        """Return what `decode_json` makes of a run spec that was read from `path`. Raises RunFileError."""
        try:
            raw = _PARTS.decode(data)
            texts = {name: text for name in _TYPES if (text := bytes(getattr(raw, name)))}
            return RunSpec(**{name: self._part(name, text) for name, text in texts.items()})
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, TypeError):
            return decode_json(data, path, RunSpec)  # it has NaN or Infinity, or is wrong, which this describes

    def _part(self, name: str, text: bytes) -> Any:
        key = name, hashlib.sha256(text).digest()
        if key in self._parts:
            return self._parts[key]
        found = msgspec.json.decode(text, type=_TYPES[name])
        if name == "name":  # each run has another one
            return found
        if isinstance(found, AdapterSpec):  # most runs have one of their own, with the same texts
            fields = {field: self._share(getattr(found, field)) for field in _ADAPTER_FIELDS}
            object.__setattr__(found, "__dict__", {**fields})  # a new dict is half as large as one that has grown
        self._parts[key] = found
        return found

    def _share(self, value: Any) -> Any:
        """Return an equal object that is the same for all texts, or lists of texts, that are equal."""
        if isinstance(value, str):
            return self._texts.setdefault(value, value)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return self._lists.setdefault(tuple(map(self._share, value)), value)
        return value
