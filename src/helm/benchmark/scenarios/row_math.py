"""Worked solutions of mathematical problems: hooks of catalogue entries, pure functions from rows to rows."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.common.errors import ScenarioError
from helm.common.formats.boxed_answer import get_answer

Row = dict[str, Any]

SPLIT = "_split"
"""The key of a row's split."""


def boxed_answers(rows: Sequence[Row], column: str, into: str, default: str | None = None) -> list[Row]:
    r"""Return the content of the last box, `\boxed{...}`, of each solution, or `default`.

    Raises: ValueError if there is no box and no default.
    """
    result = []
    for row in rows:
        answer = get_answer(str(row[column]))
        if answer is None and default is None:
            raise ValueError(f"there is no \\boxed{{}} in '{column}': {str(row[column])[:60]!r}.")
        result.append({**row, into: default if answer is None else answer})
    return result


def replace_examples(rows: Sequence[Row], examples: Sequence[Mapping[str, Any]], unless: bool = False) -> list[Row]:
    """Replace the rows of the training split by the given examples.

    Raises: ScenarioError if `unless` is true: the given examples have answers, but no solutions.
    """
    if unless:
        raise ScenarioError(
            "use_official_examples cannot be combined with use_chain_of_thought: the examples have no solutions."
        )
    given = [{**example, SPLIT: "train"} for example in examples]
    return given + [row for row in rows if row[SPLIT] != "train"]
