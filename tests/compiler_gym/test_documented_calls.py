"""The table of CompilerGym's documented calls in the docs is the one that a comparison gives."""

import re
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("gymnasium")

from documented_calls import CHANGED, MISSING, UNCHANGED, Comparison, compare_all  # noqa: E402

_PAGE = Path(__file__).parents[2] / "docs" / "coming-from-compilergym.md"
_LEGACY = "helm.compiler_gym.legacy"


def _make_table(legacy: list[Comparison], gymnasium: list[Comparison]) -> str:
    """Write the table: for each module of the original the number of its calls, and of those that work unchanged."""
    lines = [
        "| Module | Calls | Unchanged with `legacy` | Unchanged with Gymnasium's API |",
        "| --- | --- | --- | --- |",
    ]
    for module in dict.fromkeys(one.call.module for one in legacy):
        counts = [
            sum(one.call.module == module and one.status == UNCHANGED for one in compared)
            for compared in (legacy, gymnasium)
        ]
        lines.append(f"| `{module}` | {sum(one.call.module == module for one in legacy)} | {counts[0]} | {counts[1]} |")
    counts = [sum(one.status == UNCHANGED for one in compared) for compared in (legacy, gymnasium)]
    lines.append(f"| all | {len(legacy)} | {counts[0]} | {counts[1]} |")
    return "\n".join(lines)


def test_vector_the_docs_have_the_table_and_explain_each_call_that_differs():
    """Nearly all documented calls work unchanged."""
    legacy, gymnasium = compare_all(_LEGACY), compare_all()
    page, table = _PAGE.read_text(), _make_table(legacy, gymnasium)
    assert table in page, table
    counts = Counter(one.status for one in legacy)
    assert counts[UNCHANGED] >= 166 and counts[MISSING] == 0
    explained = [*legacy, *gymnasium]
    missing = {one.label for one in explained if one.status == CHANGED and one.call.name not in page}
    assert {label for label in missing if not label.endswith("__init__")} == set()
    assert all(one.difference for one in explained if one.status != UNCHANGED)


def test_the_comparison_sees_differences():
    """A parameter that is gone, one that moved, a new one without a default, and a member that is gone."""
    from documented_calls import DocumentedCall, _compare_parameters, _has_member, _read_parameters

    def ours(second, first, more): ...

    signature = "(first: List[Union[str, int]], second: Dict[str, int] = {'a': 1}, third=(1, 2)) -> Tuple[int, str]"
    assert _read_parameters(signature) == (["first", "second", "third"], [])
    assert _compare_parameters(signature, ours) == "no parameter third; needs more"
    assert "parameters (second, first, more)" in _compare_parameters("(first, second, more)", ours)
    assert _compare_parameters("(self, *args, gcc_bin: str = 'x')", lambda gcc_bin="": None) == ""
    assert not _has_member(DocumentedCall, "nothing") and _has_member(DocumentedCall, "members")
    assert re.fullmatch(r"\w+", UNCHANGED)
