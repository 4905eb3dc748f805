"""Run entries: short strings, in conf files or on the command line, that say which runs to make."""

import os
from dataclasses import dataclass, field
from typing import Any

from helm.common.errors import ConfigError


class ConfFileNotFoundError(FileNotFoundError, ConfigError):
    """A conf file named on the command line does not exist."""


@dataclass(frozen=True)
class RunEntry:
    """One line of a conf file."""

    description: str
    """The text `name:key=value,...`."""

    priority: int | None = None
    """1 is the highest priority. None always runs."""

    groups: list[str] | None = None
    """Additional groups of the resulting runs, which are also added to their names."""


@dataclass(frozen=True)
class RunEntries:
    """The content of conf files, in order."""

    entries: list[RunEntry] = field(default_factory=list)


def merge_run_entries(run_entries1: RunEntries, run_entries2: RunEntries) -> RunEntries:
    return RunEntries(run_entries1.entries + run_entries2.entries)


def read_run_entries(paths: list[str]) -> RunEntries:
    """Read run entries from HOCON conf files, suites and configuration files, in order; unknown keys of HOCON are ignored.

    Args:
        paths: files, or names of suites (`lite`), which are used where there is no file of that name. Of a configuration file
            (YAML or TOML), only the run entries are read.

    Raises: FileNotFoundError; ConfigError with the file and the line of a syntax error, or the key of a wrong value.
    """
    run_entries = RunEntries()
    for path in paths:
        run_entries = merge_run_entries(run_entries, _read_suite(path) or _read_config(path) or _read_file(path))
    return run_entries


def _read_suite(name: str) -> RunEntries | None:
    if os.path.isfile(name):  # spares an import
        return None
    from helm.benchmark.catalogue.suites import find_suite, suite_entries

    suite = find_suite(name)
    return RunEntries([RunEntry(*entry) for entry in suite_entries(suite)]) if suite else None


def _read_config(path: str) -> RunEntries | None:
    from helm.benchmark.assembly.config_file import is_config_file, read_config

    if not is_config_file(path):
        return None
    values = read_config(path)
    inner = [other for other in values.get("conf_paths", []) if not is_config_file(other)]
    own = [RunEntry(text, priority=1, groups=None) for text in values.get("run_entries", [])]
    return merge_run_entries(read_run_entries(inner), RunEntries(own))


def _not_found(error: FileNotFoundError, path: str) -> ConfFileNotFoundError:
    from helm.benchmark.catalogue.suites import nearest_suite, suite_names

    found = ConfFileNotFoundError(*error.args, path)
    suite = nearest_suite(path)
    hint = f" Did you mean '{suite}'?" if suite else ""
    if os.path.sep not in path and os.path.splitext(path)[1] in ("", ".conf") and (hint or "." not in path):
        found.add_note(
            f"There is no suite of that name either; helm-run --list suites names all {len(suite_names())}.{hint}"
        )
    return found


def _read_file(path: str) -> RunEntries:
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except FileNotFoundError as e:
        raise _not_found(e, path) from None
    except UnicodeDecodeError as e:
        raise ConfigError(f"{path} is not UTF-8 text: {e}") from e
    except OSError as e:
        raise ConfigError(f"Cannot read {path}: {e.strerror}") from e
    raw = _parse(path, text)
    entries = raw.get("entries") if isinstance(raw, dict) else None
    if entries is None:
        raise ConfigError(f"{path}: the key 'entries' is missing: a list of {{description: ..., priority: ...}}.")
    if not isinstance(entries, list):
        raise ConfigError(f"{path}: entries: expected a list, got {_describe(entries)}.")
    return RunEntries([_read_entry(entry, f"{path}: entries[{index}]") for index, entry in enumerate(entries)])


def _parse(path: str, text: str) -> Any:
    from pyhocon.exceptions import ConfigException
    from pyparsing import ParseBaseException

    from helm.common.formats.hocon import parse_hocon

    try:
        return parse_hocon(text, base_folder=os.path.dirname(os.path.abspath(path)))
    except ParseBaseException as e:
        line = f" {e.line.strip()!r}" if e.line.strip() else ""
        raise ConfigError(f"{path}, line {e.lineno}, column {e.column}: not valid HOCON{line}: {e.msg}.") from e
    except ConfigException as e:
        raise ConfigError(f"{path}: {e}") from e


def _read_entry(raw: Any, where: str) -> RunEntry:
    if not isinstance(raw, dict):
        raise ConfigError(f"{where}: expected {{description: ..., priority: ...}}, got {_describe(raw)}.")
    description, priority, groups = raw.get("description"), raw.get("priority"), raw.get("groups")
    if not isinstance(description, str):
        raise ConfigError(f"{where}.description: expected a string, got {_describe(description)}.")
    where = f"{where} ('{description}')"
    if priority is not None and type(priority) is not int:
        raise ConfigError(f"{where}.priority: expected a whole number, got {_describe(priority)}.")
    if groups is not None and not (isinstance(groups, list) and all(isinstance(group, str) for group in groups)):
        raise ConfigError(f"{where}.groups: expected a list of strings, got {_describe(groups)}.")
    return RunEntry(description, priority, groups)


def _describe(value: Any) -> str:
    return "nothing" if value is None else f"{type(value).__name__} {value!r}"
