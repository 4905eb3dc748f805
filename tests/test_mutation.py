"""The tool behind `make mutants`: what it changes, what it leaves alone, and that a changed module is seen by its tests."""

import ast
import sys

import pytest

from mutation.__main__ import ROOT, Copies, equivalence_key, judge, read_equivalent, read_targets, sample
from mutation.operators import mutants_of

SOURCE = '''"""A text."""

LIMIT: int = 3


def smallest_above(numbers, limit=0, strict=True):
    """The smallest number above é limit."""
    chosen = [number for number in numbers if number > limit and strict]
    if not chosen:
        raise ValueError("none of " + str(len(numbers) + 1))
    print("chosen", 1)
    numbers.clear()
    return min(chosen) + LIMIT
'''


def _texts(source: str) -> set[tuple[int, str, str]]:
    return {(mutant.line, mutant.operator, mutant.text) for mutant in mutants_of("module.py", source)}


def test_changes_of_a_function():
    assert _texts(SOURCE) == {
        (3, "constant", "(4)"),
        (6, "constant", "(1)"),
        (6, "constant", "False"),
        (8, "and/or", "(number > limit or strict)"),
        (8, "comparison", "(number >= limit)"),
        (9, "not removed", "(chosen)"),
        (10, "no error", "pass"),
        (12, "call removed", "pass"),
        (13, "nothing returned", "None"),
        (13, "arithmetic", "(min(chosen) - LIMIT)"),
        (13, "function", "max"),
    }


def test_decorators_are_left_alone():
    assert _texts(
        "@dataclass(frozen=True)\nclass A:\n    @cached(3)\n    def b(self):\n        return\n\n    c: int = 1\n"
    ) == {(7, "constant", "(2)")}


def test_a_change_is_made_in_its_place_and_nowhere_else():
    for mutant in mutants_of("module.py", SOURCE):
        changed = mutant.apply(SOURCE)
        ast.parse(changed)
        before, after = SOURCE.splitlines(), changed.splitlines()
        assert [index for index, (old, new) in enumerate(zip(before, after, strict=True), 1) if old != new] == [
            mutant.line
        ]


def test_the_sample_depends_on_the_seed_alone():
    targets = read_targets()
    first = sample(targets, 30, seed=5)
    assert first == sample(targets, 30, seed=5)
    assert first != sample(targets, 30, seed=6)
    assert len({mutant.name for mutant in first}) == 30


def test_targets_exist():
    for module, tests in read_targets().items():
        for path in (module, *tests):
            assert (ROOT / path).exists(), path


def test_equivalent_changes_still_exist():
    """A line that was rewritten takes its entry along."""
    keys = set()
    for path in {key.partition(":")[0] for key in read_equivalent()}:
        source = (ROOT / path).read_text()
        keys |= {equivalence_key(mutant, source) for mutant in mutants_of(path, source)}
    assert read_equivalent().keys() <= keys


def test_changed_modules_can_be_read():
    for mutant in sample(read_targets(), 60, seed=7):
        ast.parse(mutant.apply((ROOT / mutant.path).read_text()), mutant.name)


def _project(folder, monkeypatch, test):
    monkeypatch.setattr(sys.modules["mutation.__main__"], "ROOT", folder)
    source = "def double(number, unused=1):\n    return number + number\n"
    (folder / "src").mkdir()
    (folder / "src" / "doubled.py").write_text(source)
    (folder / "tests").mkdir()
    (folder / "tests" / "test_doubled.py").write_text(
        f"from doubled import double\n\n\ndef test_double():\n    {test}\n"
    )
    return source


def test_a_test_that_fails_without_the_change_too_catches_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("mutation.__main__._MOST_ATTEMPTS", 1)
    source = _project(tmp_path, monkeypatch, "assert not double(2)")
    (mutant,) = [mutant for mutant in mutants_of("src/doubled.py", source) if mutant.operator == "constant"]
    verdict = judge(Copies(tmp_path / "copies", 1), mutant, ["tests/test_doubled.py"], 600)
    assert not verdict.is_caught and "by chance: FAILED tests/test_doubled.py::test_double" in verdict.how


@pytest.mark.parametrize(("operator", "is_caught"), [("nothing returned", True), ("constant", False)])
def test_tests_run_against_the_changed_copy(operator, is_caught, tmp_path, monkeypatch):
    """The copy is what the tests import, in a process of their own; the project's files stay as they are."""
    source = _project(tmp_path, monkeypatch, "assert double(2) == 4")
    (mutant,) = [mutant for mutant in mutants_of("src/doubled.py", source) if mutant.operator == operator]
    verdict = judge(Copies(tmp_path / "copies", 1), mutant, ["tests/test_doubled.py"], 600)
    assert verdict.is_caught == is_caught, verdict
    assert (tmp_path / "src" / "doubled.py").read_text() == source
