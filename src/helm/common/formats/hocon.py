"""Parses HOCON, the language of run entry files and credentials."""

from typing import Any


def parse_hocon(text: str, base_folder: str | None = None) -> dict[str, Any]:
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


def parse_hocon_of_strangers(text: str) -> dict[str, Any]:
    """Parse untrusted text like `parse_hocon`, but without reading any file, address or environment variable.

    Raises ConfigError for `include`, `${...}` and `+=`, which would read them, and ParseBaseException for a syntax error.
    """
    from pyhocon import ConfigFactory

    from helm.common.errors import ConfigError

    if "INCLUDE" in text.upper():  # the parser ignores case
        raise ConfigError("'include' cannot be used here.")
    values = ConfigFactory.parse_string(text, resolve=False)
    _check_resolved(values)
    return _plain(values)


def _check_resolved(value: Any) -> None:
    from pyhocon.config_tree import ConfigSubstitution, ConfigValues

    from helm.common.errors import ConfigError

    if isinstance(value, (ConfigValues, ConfigSubstitution)):
        raise ConfigError("'${...}' and '+=' cannot be used here.")
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            _check_resolved(item)
