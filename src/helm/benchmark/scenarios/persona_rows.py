"""Questions of a survey, asked as if the model were one of the people who answered it: a hook of catalogue entries."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

Row = dict[str, Any]

_UNKNOWN = {
    "age": "adult",
    "sex": "person",
    "education": "some",
    "social_class": "middle class",
    "marital_status": "single",
}
"""How a person is described of whom the survey does not say it."""


def survey_rows(
    rows: Sequence[Row], personas: int, variants: int, kind: str = "kind", questions: str = "questions", seed: int = 0
) -> list[Row]:
    """A row for each question that each of some people answered.

    Args:
        rows: one for each person (`age`, `sex`, ..., `responses`: question id -> number of the option), and one whose
            column `kind` has the value of `questions`: a mapping of question ids to `questions` (wordings), `options`,
            `description`.
        personas: how many people are drawn; all, when there are fewer.
        variants: how many wordings of a question are used at most.
        seed: of the draw. HELM draws without one, so that no two of its runs ask the same.

    The new rows have the person's columns, `question`, `numbered_options` and `answer`. Answers that are no number of an
    option are left out.
    """
    asked: Mapping[str, Any] = next((row for row in rows if row.get(kind) == questions), {})
    people = [row for row in rows if row.get(kind) != questions]
    result = []
    for person in random.Random(seed).sample(people, min(personas, len(people))):
        described = {name: person.get(name, unknown) for name, unknown in _UNKNOWN.items()}
        for identifier, response in (person.get("responses") or {}).items():
            question = asked.get(identifier)
            if not isinstance(question, Mapping):
                continue
            options = list(question.get("options") or [])
            answer = _option_number(response, len(options))
            if answer is None:
                continue
            wordings = question.get("questions") or [f"Question {identifier}: {question.get('description') or ''}"]
            for wording in wordings[:variants]:
                new = {**{key: value for key, value in person.items() if key.startswith("_")}, **described}
                new["question"] = wording
                new["numbered_options"] = "\n".join(f"{i}. {option}" for i, option in enumerate(options, 1))
                new["answer"] = str(answer)
                result.append(new)
    return result


def _option_number(response: Any, count: int) -> int | None:
    """The number that someone answered, from 1 to `count`; None for anything else."""
    try:
        number = int(response)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if 1 <= number <= count else None
