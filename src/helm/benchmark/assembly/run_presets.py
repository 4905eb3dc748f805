"""Settings that hold unless the command line has them: those of a configuration file, and those of a suite."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

_RUNS_NOTHING = frozenset(("--list", "--describe", "--print-schema", "-h", "--help"))
"""With one of these, or with run entries, a configuration file in the working directory is left alone."""


def parse_with_presets(parser: argparse.ArgumentParser, words: Sequence[str], parse: Any) -> argparse.Namespace:
    """Parse a command line whose defaults come from the configuration files and suites that it names.

    Without run entries, the configuration file in the working directory is used, and a line on standard error says so. What
    the command line gives replaces what a file says.

    Args:
        parser: a parser of `helm-run`, which is changed.
        words: the command line.
        parse: the function that parses it.

    Raises: ConfigError for a file that cannot be used; FileNotFoundError.
    """
    files, suite = _named(words)
    if not files and suite is None:
        return parse(words)
    presets = _presets(files, suite)
    conf_paths = presets.pop("conf_paths", [])
    parser.set_defaults(**presets)
    for action in parser._actions:
        if action.dest in presets:
            action.required = False
    args = parse(words)
    has_entries = args.run_specs or (args.run_entries and args.run_entries is not presets.get("run_entries"))
    args.conf_paths = [path for path in args.conf_paths if path not in files] + ([] if has_entries else conf_paths)
    for action in parser._actions:  # argparse appends to a default
        if isinstance(action, argparse._AppendAction) and action.dest in presets:
            added = getattr(args, action.dest)[len(presets[action.dest]) :]
            setattr(args, action.dest, added or presets[action.dest])
    return args


def _named(words: Sequence[str]) -> tuple[list[str], str | None]:
    """Return the configuration files that a command line names or finds, and the suite if that alone says what to run."""
    paths: list[str] = []
    has_entries = any(word.startswith(("-r", "--run-e", "--run-s")) for word in words)
    if any(word.startswith(("-c", "--conf")) for word in words):
        paths = _conf_paths(words)
    elif not has_entries and _RUNS_NOTHING.isdisjoint(word.partition("=")[0] for word in words):
        return _found_here(), None
    if not paths:
        return [], None
    from helm.benchmark.assembly.config_file import is_config_file
    from helm.benchmark.catalogue.suites import find_suite

    files = [path for path in paths if is_config_file(path) and not find_suite(path)]
    suite = find_suite(paths[0]) if len(paths) == 1 and not has_entries else None
    return files, suite


def _found_here() -> list[str]:
    if not any(os.path.exists(name) for name in ("helm.yaml", "helm.yml", "helm.toml")):  # spares an import
        return []
    from helm.benchmark.assembly.config_file import find_config_file

    found = find_config_file()
    if found is None:
        return []
    sys.stderr.write(f"helm-run: using {found}\n")
    return [found]


def _conf_paths(words: Sequence[str]) -> list[str]:
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=True, exit_on_error=False)
    parser.add_argument("-c", "--conf-paths", nargs="+", default=[])
    try:
        return parser.parse_known_args(list(words))[0].conf_paths
    except argparse.ArgumentError:  # said by the parser of the command
        return []


def _presets(files: Sequence[str], suite: str | None) -> dict[str, Any]:
    from helm.benchmark.assembly.config_file import read_config
    from helm.benchmark.catalogue.suites import find_suite, suite_defaults
    from helm.common.errors import ConfigError

    found: dict[str, Any] = suite_defaults(suite) if suite else {}
    for path in files:
        values = read_config(path)
        both = [key for key in values if key in found]
        if both:
            raise ConfigError(f"{path}: another configuration file says {both[0]}, too; give one file.")
        found.update(values)
    inner = found.get("conf_paths", [])
    if files and len(inner) == 1 and not found.get("run_entries"):
        named = find_suite(inner[0])
        found = {**(suite_defaults(named) if named else {}), **found}
    return found
