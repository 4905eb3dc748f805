"""`python -m helm.benchmark.commands.verify_reproducibility` says in what the runs of two suites differ."""

from __future__ import annotations

import argparse
from typing import Any

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main

_NOT_COMPARED = frozenset(("cached", "request_time", "request_datetime", "batch_size", "batch_request_time"))
"""Fields of results that say when and how long, not what."""

_TIMED = ("inference_runtime", "inference_idealized_runtime", "inference_denoised_runtime", "training_")
_MOST_SHOWN = 5


def build_parser() -> argparse.ArgumentParser:
    parser = SuggestingArgumentParser(
        prog="verify_reproducibility",
        description="Compare requests, answers and statistics of two suites, which should be equal. Times are not compared.",
        epilog="Example: python -m helm.benchmark.commands.verify_reproducibility --suite first --other-suite second",
    )
    add = parser.add_argument
    add("-o", "--output-path", default="benchmark_output", metavar="FOLDER", help="where the runs are (%(default)s)")
    add("--suite", required=True, help="the first suite")
    add("--other-suite", required=True, metavar="SUITE", help="the suite that should be equal")
    return parser


@command_main(build_parser, error_status=2)
def main(args: argparse.Namespace) -> int:
    """Run the command. Exit status: 0 no difference; 1 differences; 2 the suites cannot be compared."""
    import os

    from helm.common.commands.output_path import get_suite_path
    from helm.common.errors import ConfigError
    from helm.results.run_files.run_folder import find_runs

    suites = []
    for suite in (args.suite, args.other_suite):
        path = get_suite_path(args.output_path, suite)
        runs = {run.relative: run.path for run in find_runs(path)} if os.path.isdir(path) else {}
        if not runs:
            raise ConfigError(f"There are no runs in {path}.")
        suites.append(runs)
    first, second = suites
    num_different = 0
    for name in sorted(first.keys() | second.keys()):
        if name in first and name in second:
            differences = _compare(first[name], second[name])
        else:
            differences = [f"is only in {args.suite if name in first else args.other_suite}"]
        num_different += bool(differences)
        for difference in differences[:_MOST_SHOWN]:
            print(f"{name}: {difference}")
        if len(differences) > _MOST_SHOWN:
            print(f"{name}: {len(differences) - _MOST_SHOWN} more differences")
    print(f"{len(first.keys() | second.keys())} runs, {num_different} different.")
    return 1 if num_different else 0


def _compare(path: str, other_path: str) -> list[str]:
    from helm.results.run_files import run_folder
    from helm.results.run_files.json_items import read_json

    differences: list[str] = []
    for name in run_folder.RUN_FILE_NAMES:
        values = []
        for folder in (path, other_path):
            try:
                values.append(_comparable(read_json(run_folder.stored_path(folder, name))))
            except FileNotFoundError:
                values.append(None)
        if (values[0] is None) != (values[1] is None):
            differences.append(f"{name} is in one of the folders only")
        else:
            _find_differences(values[0], values[1], name, differences)
    return differences


def _comparable(value: Any) -> Any:
    """Return a value without what depends on time."""
    if isinstance(value, dict):
        return {key: _comparable(item) for key, item in value.items() if key not in _NOT_COMPARED}
    if isinstance(value, list):
        return [_comparable(item) for item in value if not _is_timed(item)]
    return value


def _is_timed(value: Any) -> bool:
    name = value.get("name") if isinstance(value, dict) else None
    text = name.get("name") if isinstance(name, dict) else None
    return isinstance(text, str) and text.startswith(_TIMED)


def _find_differences(one: Any, other: Any, where: str, found: list[str]) -> None:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*one, *other]):
            _find_differences(one.get(key), other.get(key), f"{where}.{key}", found)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (item, other_item) in enumerate(zip(one, other, strict=True)):
            _find_differences(item, other_item, f"{where}[{index}]", found)
    elif isinstance(one, list) and isinstance(other, list):
        found.append(f"{where} has {len(one)} and {len(other)} items")
    elif one != other and not (one != one and other != other):  # NaN equals NaN here
        found.append(f"{where}: {str(one)[:80]!r} and {str(other)[:80]!r}")


if __name__ == "__main__":
    main()
