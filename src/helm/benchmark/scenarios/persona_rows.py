"""Survey questions asked as if the model were one of the respondents: a hook of catalogue entries."""

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
"""Description of a person for whom the survey lacks the value."""


def survey_rows(
    rows: Sequence[Row], personas: int, variants: int, kind: str = "kind", questions: str = "questions", seed: int = 0
) -> list[Row]:
    """Return a row for each question that each of some people answered.

    The new rows have the person's columns, `question`, `numbered_options` and `answer`. Answers that are not the number
    of an option are left out.

    Args:
        rows: one for each person (`age`, `sex`, ..., `responses`: maps question id to number of the option), and one
            whose column `kind` has the value of `questions`: a mapping of question ids to `questions` (wordings),
            `options`, `description`.
        personas: number of people to draw; all if there are fewer.
        variants: maximum number of wordings of a question.
        seed: seed of the draw. HELM uses none, so no two of its runs ask the same questions.
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
    """Return the number of the chosen option, from 1 to `count`; None for anything else."""
    try:
        number = int(response)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if 1 <= number <= count else None
