"""What records of CompilerGym, which are pydantic models there, offer: conversions from and to dictionaries and JSON."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Self


class Record:
    """Base of dataclasses that programs convert as they convert models of pydantic 1."""

    def dict(self) -> dict[str, Any]:
        """Return the fields by name; records among them become dictionaries, too."""
        return {field.name: _to_plain(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]

    def json(self, **kwargs: Any) -> str:
        """Return the fields as JSON.

        Args:
            kwargs: arguments of `json.dumps`.
        """
        return json.dumps(self.dict(), **kwargs)

    def copy(self, update: Mapping[str, Any] | None = None) -> Self:
        """Return a copy with some fields replaced."""
        return replace(self, **(update or {}))  # type: ignore[type-var]

    @classmethod
    def parse_obj(cls, obj: Mapping[str, Any]) -> Self:
        """Make a record of the values of its fields.

        Raises: TypeError or ValueError when fields are missing, unknown or wrong.
        """
        return cls(**obj)

    @classmethod
    def parse_raw(cls, b: str | bytes) -> Self:
        """Make a record of JSON.

        Raises: TypeError or ValueError when the text is no JSON object of its fields.
        """
        value = json.loads(b)
        if not isinstance(value, dict):
            raise ValueError(f"A {cls.__name__} is a JSON object, not {type(value).__name__}.")
        return cls.parse_obj(value)


def _to_plain(value: Any) -> Any:
    if isinstance(value, Record) and is_dataclass(value):
        return value.dict()
    if isinstance(value, list):
        return [_to_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _to_plain(item) for key, item in value.items()}
    return value
