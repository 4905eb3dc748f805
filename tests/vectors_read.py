"""Which golden vectors tests read: runs the tests of some topics, and prints for each file how much of it they looked at.

    python tests/vectors_read.py helm-vision-audio helm-heim

A case counts as read when a test asks it for a value while it runs; selecting cases for a test does not count. Of the values of
all cases of one kind, those that no test asked for are listed.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).resolve().parent
OUT = "HELM_VECTORS_READ"
READ: "defaultdict[str, set[str]]" = defaultdict(set)


def is_in_a_test() -> bool:
    return bool(os.environ.get("PYTEST_CURRENT_TEST"))


class Watched(dict[str, Any]):
    """A case that notes which of its values are asked for."""

    name = ""

    def _note(self, *keys: str) -> None:
        if is_in_a_test():
            READ[self.name].update(keys or dict.keys(self))

    def __getitem__(self, key: str) -> Any:
        self._note(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._note(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self._note(str(key))
        return super().__contains__(key)

    def items(self) -> Any:
        self._note()
        return super().items()

    def keys(self) -> Any:
        self._note()
        return super().keys()

    def __iter__(self) -> Any:
        self._note()
        return super().__iter__()

    def __eq__(self, other: object) -> bool:
        self._note()
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]


def find_cases(value: Any, path: str) -> Iterator[tuple[str, list[Any], int]]:
    """Yield the cases of a file: the objects of the lists in it. Those of lists within a case belong to the case."""
    for key, cases in value.items() if isinstance(value, dict) else ():
        if isinstance(cases, dict):
            yield from find_cases(cases, f"{path} {key}")
        elif isinstance(cases, list):
            yield from ((f"{path} {key}", cases, index) for index, case in enumerate(cases) if isinstance(case, dict))


def watch(path: str, value: Any) -> Any:
    for name, cases, index in find_cases(value, path):
        cases[index] = Watched(cases[index])
        cases[index].name = f"{name} {index}"
    return value


def pytest_configure(config: pytest.Config) -> None:
    import vectors_support

    load = vectors_support.load_vectors
    vectors_support.load_vectors = lambda path: watch(path, load(path))


def pytest_sessionfinish(session: pytest.Session) -> None:
    if OUT in os.environ:
        Path(os.environ[OUT]).write_text(json.dumps({name: sorted(keys) for name, keys in READ.items()}))


def show(topics: list[str], read: dict[str, list[str]]) -> bool:
    from vectors_support import load_vectors, vectors_dir

    is_whole = True
    for topic in topics:
        for path in sorted((vectors_dir() / topic).rglob("*.json")):
            name = str(path.relative_to(vectors_dir()))
            number, found = Counter[str](), Counter[str]()
            values: defaultdict[str, set[str]] = defaultdict(set)
            asked: defaultdict[str, set[str]] = defaultdict(set)
            missed: defaultdict[str, list[str]] = defaultdict(list)
            for key, cases, index in find_cases(load_vectors(name), name):
                case = cases[index]
                kind = f"{key.removeprefix(name)} {case.get('kind', '')}".strip()
                keys = read.get(f"{key} {index}", [])
                number[kind] += 1
                found[kind] += bool(keys)
                values[kind] |= set(case)
                asked[kind] |= set(keys)
                if not keys:
                    missed[kind].append(str(case.get("id", index)))
            for kind, count in number.items():
                unread = sorted(values[kind] - asked[kind])
                is_whole = is_whole and found[kind] == count
                print(f"{name}  {kind}: {found[kind]} of {count}", *(["not asked for:", *unread] if unread else []))
                if missed[kind]:
                    print("    not read:", *missed[kind])
    return is_whole


def modules_of(topics: list[str]) -> list[str]:
    """The test modules that name a topic, or import a helper that does."""
    texts = {path: path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py") if path != Path(__file__).resolve()}
    named = {path for path, text in texts.items() if any(topic in text for topic in topics)}
    helpers = [path.stem for path in named if not path.name.startswith("test_")]
    named |= {path for path, text in texts.items() if any(f"from {helper} import" in text for helper in helpers)}
    return sorted(str(path) for path in named if path.name.startswith("test_"))


def main() -> None:
    topics = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "read.json")
        path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
        command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "vectors_read", "-m", "slow or not slow"]
        done = subprocess.run(
            [*command, *modules_of(topics)], env={**os.environ, OUT: str(out), "PYTHONPATH": path}, cwd=TESTS.parent
        )
        is_whole = show(topics, json.loads(out.read_text()))
    sys.exit(done.returncode or not is_whole)


if __name__ == "__main__":
    main()
