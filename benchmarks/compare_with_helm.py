"""Summarizes the same runs with this package and with crfm-helm, and prints every difference between their files.

    PEER_PYTHON=/path/to/venv/bin/python python benchmarks/compare_with_helm.py [--instances 10] [--keep FOLDER] [--all-schemas]

Two suites: `ours`, made by our `helm-run`, and `theirs`, made by the original's, both offline and by the same entries.
Each is summarized by both programs, with several schemas, alone and as a release. The exit status is 1 when a file that
the original writes is missing or differs. Replaced before comparing: prose (of adapter fields and models), and the
order of adaptation methods, which is arbitrary in the original.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ENTRIES = [
    "simple1:model=simple/model1",
    "simple_mcqa:model=simple/model1",
    "simple_mcqa:model=simple/model1,data_augmentation=lower",
    "simple_classification:model=simple/model1,data_augmentation=extra_space,num_train_trials=2",
    "synthetic_reasoning:mode=pattern_match,model=simple/model1",
    "synthetic_reasoning:mode=variable_substitution,model=simple/model1,data_augmentation=lower",
    "synthetic_reasoning:mode=induction,model=simple/model1,data_augmentation=space",
    "synthetic_reasoning_natural:difficulty=easy,model=simple/model1",
    "dyck_language:num_parenthesis_pairs=3,model=simple/model1,num_outputs=3",
]
DRY_ENTRIES = ["simple_mcqa:model=simple/model1", "dyck_language:num_parenthesis_pairs=2,model=simple/model1"]

SCHEMA = Path(__file__).parent / "compare_schema.yaml"

OURS_ONLY = re.compile(r"index\.html|groups/(csv|markdown)/.*|token_costs\.json|.*/intervals\.json")
"""Files that the original does not write."""


NOWHERE = "http://127.0.0.1:9"
OFFLINE = {
    "HTTP_PROXY": NOWHERE,
    "HTTPS_PROXY": NOWHERE,
    "http_proxy": NOWHERE,
    "https_proxy": NOWHERE,
    "HF_HUB_OFFLINE": "1",
}
"""Downloads fail at once: the original asks for data that these runs do not need, and waits minutes for no answer."""


@dataclass(frozen=True)
class Side:
    """A program, by the Python of its environment."""

    name: str
    python: str

    def call(self, module: str, arguments: Sequence[str], folder: Path) -> None:
        environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "HELM_CREDENTIALS")}
        environment.update(OFFLINE)
        command = [self.python, "-m", f"helm.benchmark.{module}", *arguments]
        done = subprocess.run(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        if done.returncode:
            raise RuntimeError(f"{self.name}: {' '.join(command)} failed:\n{done.stdout[-4000:]}")

    def run(self, suite: str, entries: Sequence[str], folder: Path, *flags: str) -> None:
        self.call("run", ["--suite", suite, "-n", "1", *flags, "-r", *entries], folder)

    def summarize(self, folder: Path, *flags: str) -> None:
        self.call("presentation.summarize", flags, folder)


def make_suites(sides: Sequence[Side], folder: Path, num_instances: int) -> list[str]:
    """The same entries by both programs, normal and dry; returns the names of the suites.

    Each program has a cache of its own: the original cannot read what ours adds to one.
    """
    suites = []
    for side in sides:
        own = folder / "made-by" / side.name
        own.mkdir(parents=True, exist_ok=True)
        for suite, entries, flags in [(side.name, ENTRIES, []), (f"{side.name}-dry", DRY_ENTRIES, ["--dry-run"])]:
            suites.append(suite)
            target = folder / "benchmark_output" / "runs" / suite
            if not target.exists():
                side.run(suite, entries, own, "-m", str(num_instances), *flags)
                shutil.copytree(own / "benchmark_output" / "runs" / suite, target)
    return suites


def _normalized(name: str, content: Any) -> Any:
    if name == "schema.json":
        for item in content["adapter"] + content["models"]:
            item["description"] = ""
        for group in content["run_groups"]:
            group.pop("gather_undefined_groups", None)
    elif name == "groups.json":
        for table in content:
            for row in table["rows"]:
                row[2]["value"] = ", ".join(sorted(row[2]["value"].split(", ")))
    return content


def find_differences(got: Any, want: Any, where: str = "$") -> Iterator[str]:
    """Places where two JSON values differ, in content, type or order of keys; floats to a relative 1e-9."""
    if isinstance(got, dict) and isinstance(want, dict):
        if list(got) != list(want):
            yield f"{where}: keys {list(got)} here, {list(want)} there"
        for key in got:
            if key in want:
                yield from find_differences(got[key], want[key], f"{where}.{key}")
    elif isinstance(got, list) and isinstance(want, list):
        if len(got) != len(want):
            yield f"{where}: {len(got)} items here, {len(want)} there"
        for i, (ours, theirs) in enumerate(zip(got, want, strict=False)):
            yield from find_differences(ours, theirs, f"{where}[{i}]")
    elif isinstance(got, float) and isinstance(want, float):
        if not (got == want or abs(got - want) <= 1e-9 * max(abs(got), abs(want)) or (got != got and want != want)):
            yield f"{where}: {got!r} here, {want!r} there"
    elif type(got) is not type(want) or got != want:
        yield f"{where}: {got!r} here, {want!r} there"


def compare_files(ours: Path, theirs: Path) -> Iterator[str]:
    """The differences between two folders of a suite or release."""
    files: dict[str, list[str]] = {}
    for side, folder in (("here", ours), ("there", theirs)):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                files.setdefault(str(path.relative_to(folder)), []).append(side)
    for name, sides in files.items():
        if len(sides) == 1:
            if not (sides == ["here"] and OURS_ONLY.fullmatch(name)):
                yield f"{name}: only {sides[0]}"
            continue
        mine, other = (ours / name).read_bytes(), (theirs / name).read_bytes()
        if mine == other:
            continue
        if not name.endswith(".json"):
            yield f"{name}: differs"
            continue
        for difference in find_differences(_normalized(name, json.loads(mine)), _normalized(name, json.loads(other))):
            yield f"{name} {difference}"


def summarize_by_both(sides: Sequence[Side], folder: Path, flags: Sequence[str], result: str) -> list[str]:
    """Each side summarizes a copy of its own; returns the differences between what is in `result` afterwards."""
    for side in sides:
        copy = folder / "summaries" / side.name
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder / "benchmark_output" / "runs", copy / "benchmark_output" / "runs")
        side.summarize(copy, *flags)
    ours, theirs = (folder / "summaries" / side.name / "benchmark_output" for side in sides)
    found = list(compare_files(ours / result, theirs / result))
    if result.startswith("releases/"):
        found += compare_files(ours / "runs", theirs / "runs")
    return found


def compare(peer_python: str, folder: Path, num_instances: int = 10, all_schemas: bool = False) -> dict[str, list[str]]:
    """Differences by what was summarized and how."""
    from helm.results.schema import SCHEMA_CLASSIC_YAML_FILENAME, find_schema, get_all_schema_paths

    sides = [Side("ours", sys.executable), Side("theirs", peer_python)]
    suites = make_suites(sides, folder, num_instances)
    classic = find_schema(SCHEMA_CLASSIC_YAML_FILENAME)
    found = {}
    for suite in suites:
        for title, path in (("a schema of many features", str(SCHEMA)), ("schema_classic.yaml", classic)):
            flags = ["--suite", suite, "--schema-path", path]
            found[f"suite {suite}, {title}"] = summarize_by_both(sides, folder, flags, f"runs/{suite}")
    flags = ["--suite", suites[0], "--schema-path", str(SCHEMA), "--debug"]
    found[f"suite {suites[0]}, --debug"] = summarize_by_both(sides, folder, flags, f"runs/{suites[0]}")
    flags = ["--release", "v1", "--suites", *suites, "--schema-path", str(SCHEMA)]
    found["a release of all suites"] = summarize_by_both(sides, folder, flags, "releases/v1")
    for path in get_all_schema_paths() if all_schemas else []:
        flags = ["--release", "v1", "--suites", *suites, "--schema-path", path]
        found[f"a release, {os.path.basename(path)}"] = summarize_by_both(sides, folder, flags, "releases/v1")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", default=os.environ.get("PEER_PYTHON"), help="Python of a venv with crfm-helm")
    parser.add_argument("--instances", type=int, default=10)
    parser.add_argument(
        "--keep", type=Path, help="work in this folder and leave it; runs that are there are used again"
    )
    parser.add_argument(
        "--all-schemas", action="store_true", help="also a release with each shipped schema (half an hour)"
    )
    args = parser.parse_args()
    if not args.peer_python:
        parser.error("name the Python of an environment with crfm-helm: PEER_PYTHON=... or --peer-python")
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
        found = compare(args.peer_python, args.keep.resolve(), args.instances, args.all_schemas)
    else:
        with tempfile.TemporaryDirectory(prefix="helm-compare-") as temporary:
            found = compare(args.peer_python, Path(temporary), args.instances, args.all_schemas)
    for title, differences in found.items():
        print(f"{title}: {len(differences) or 'no'} difference{'' if len(differences) == 1 else 's'}")
        for difference in differences[:20]:
            print(f"  {difference}")
        if len(differences) > 20:
            print(f"  ... and {len(differences) - 20} more")
    sys.exit(1 if any(found.values()) else 0)


if __name__ == "__main__":
    main()
