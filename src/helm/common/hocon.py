"""HOCON, the language of run entry files and credentials."""

from typing import Any, Dict


def parse_hocon(text: str, base_folder: str | None = None) -> Dict[str, Any]:
    """Parse HOCON text to plain dicts, lists and scalars. Raises pyparsing's ParseBaseException on a syntax error."""
    from pyhocon import ConfigFactory

    return _plain(ConfigFactory.parse_string(text, basedir=base_folder))


def _plain(value: Any) -> Any:
    from pyhocon import ConfigTree

    if isinstance(value, ConfigTree):
        return _plain(value.as_plain_ordered_dict())
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return None if type(value).__name__ == "NoneValue" else value
