"""Hooks of entries of the frontier catalogue: pure functions from rows to rows."""

import base64
import binascii
import hashlib
import json
import random
import re
from collections.abc import Sequence
from itertools import cycle
from typing import Any

from helm.benchmark.declarative.value_functions import parse_literal
from helm.common.errors import ScenarioError
from helm.common.hierarchical_logger import hlog

Row = dict[str, Any]


def decrypt(text: str, password: str) -> str:
    """Return a text that is encrypted as BrowseComp's rows are: XOR with the SHA-256 of a password, repeated, in base64.

    Raises: ScenarioError if it is not, or the password is another one.
    """
    key = hashlib.sha256(password.encode()).digest()
    try:
        data = base64.b64decode(text, validate=True)
        return bytes(byte ^ mask for byte, mask in zip(data, cycle(key), strict=False)).decode("utf-8")
    except (binascii.Error, ValueError) as e:
        raise ScenarioError(f"A text is not encrypted with the password of its row: {type(e).__name__}.") from e


def decrypted_columns(rows: Sequence[Row], columns: Sequence[str], password: str) -> list[Row]:
    """Decrypt columns with the password in another column, in memory only."""
    return [{**row, **{column: decrypt(row[column], row[password]) for column in columns}} for row in rows]


def grid_questions(rows: Sequence[Row], task: str, train: str, test: str) -> list[Row]:
    """Make a row of each test input of the tasks of ARC-AGI.

    Args:
        task: the column with the name of a task.
        train: the column with its examples, `{input, output}`; `test` has those to solve.

    The new columns are `examples` and `grid`, texts with the grids as JSON, `answer` and `number`, from 0.
    """
    result = []
    for row in rows:
        examples = "\n\n".join(
            f"Example {i}\nInput: {_as_json(pair['input'])}\nOutput: {_as_json(pair['output'])}"
            for i, pair in enumerate(row[train], 1)
        )
        for number, pair in enumerate(row[test]):
            made = {"examples": examples, "grid": _as_json(pair["input"]), "answer": _as_json(pair["output"])}
            result.append({**row, "task": str(row[task]), **made, "number": number})
    return result


def _as_json(grid: Any) -> str:
    return json.dumps([[int(cell) for cell in row] for row in grid], separators=(",", ":"))


def house_templates(rows: Sequence[Row], solution: str, into: str) -> list[Row]:
    """Add the JSON that an answer to a puzzle of ZebraLogic has to fill in, as text: every value is `___`."""
    result = []
    for row in rows:
        columns, houses = row[solution]["header"][1:], row[solution]["rows"]
        table = {f"House {i}": dict.fromkeys(columns, "___") for i in range(1, len(houses) + 1)}
        result.append({**row, into: json.dumps({"reasoning": "___", "solution": table}, indent=4, ensure_ascii=False)})
    return result


def cut_middle(rows: Sequence[Row], column: str, max_num_words: int | None = None) -> list[Row]:
    """Keep the first and the last words of a text that has more than `max_num_words`, half of them each."""
    if max_num_words is None:
        return list(rows)
    result = []
    for row in rows:
        words = str(row[column]).split(" ")
        if len(words) > max_num_words:
            half = max_num_words // 2
            row = {**row, column: " ".join([*words[: max_num_words - half], *words[len(words) - half :]])}
        result.append(row)
    return result


def options_of(rows: Sequence[Row], columns: Sequence[str], list_column: str, into: str) -> list[Row]:
    """Collect the options of a question, which one revision has in columns and another one in a list."""
    return [{**row, into: list(row[list_column]) if list_column in row else [row[c] for c in columns]} for row in rows]


def drawn_order(rows: Sequence[Row], columns: Sequence[str], into: str, seed: int) -> list[Row]:
    """Build references from columns, of which the first is correct, in an order that one generator draws for each row."""
    generator = random.Random(seed)
    result = []
    for row in rows:
        order = generator.sample(range(len(columns)), len(columns))
        tagged = [[str(row[columns[i]]).strip(), [] if i else ["correct"]] for i in order]
        result.append({**row, into: tagged})
    return result


def checked_choices(rows: Sequence[Row], labels: str, into: str) -> list[Row]:
    """Build the references of questions of MMLU-Redux.

    Args:
        labels: `corrected` takes the answers that the checkers give for questions with a wrong label, without or with several
            right answers, and drops questions where these are not choices, or with another error. All others keep the label of
            MMLU.
    """
    result = []
    for row in rows:
        correct = [row["answer"]]
        if labels == "corrected" and row["error_type"] != "ok":
            correct = _corrected(row) if row["error_type"] in _CORRECTABLE else []
        if correct:
            tagged = [[str(text), ["correct"] if i in correct else []] for i, text in enumerate(row["choices"])]
            result.append({**row, into: tagged})
    if len(result) < len(rows):
        hlog(
            f"MMLU-Redux: {len(rows) - len(result)} of {len(rows)} questions have no corrected answer, and are dropped."
        )
    return result


_CORRECTABLE = frozenset(("wrong_groundtruth", "no_correct_answer", "multiple_correct_answers"))


def _corrected(row: Row) -> list[int]:
    """Return the choices that a free text names, by number from 0, by letter or by their own text."""
    text = str(row["correct_answer"] or "").strip()
    choices = [str(choice).strip().lower() for choice in row["choices"]]
    if text.lower() in choices:
        return [choices.index(text.lower())]
    parts = [part for part in re.split(r"[\s,;/&]+|\band\b|\bor\b", text) if part]
    found = [int(part) if part.isdecimal() else "ABCD".find(part.strip("().").upper()) for part in parts]
    is_list = found and all(len(part.strip("().")) == 1 for part in parts) and all(0 <= i < len(choices) for i in found)
    return found if is_list else []


def picture_questions(rows: Sequence[Row], options: str, question: str, num_pictures: int) -> list[Row]:
    """Add the columns `choices`, a list, and `text`, the question with its choices, and let every row have all picture columns.

    Args:
        options: the column with the choices, as a Python literal.
        question: the column with the question, which rows lack whose picture shows it; their one picture is in `image`.
        num_pictures: the columns `image_1` and so on, as many as rows may have.
    """
    result = []
    for row in rows:
        choices = [str(choice) for choice in parse_literal(row[options])]
        lines = [f"({chr(ord('A') + i)}) {choice}" for i, choice in enumerate(choices)]
        pictures = {f"image_{i}": row.get(f"image_{i}") for i in range(1, num_pictures + 1)}
        if question in row:
            text = "\n".join([str(row[question]).strip(), *lines])
        else:
            text, pictures["image_1"] = "Answer the question in the picture.", row["image"]
        result.append({**row, **pictures, "choices": choices, "text": text})
    return result


def open_answers(rows: Sequence[Row], answer: str, kind: str, into: str) -> list[Row]:
    """Add a column with the accepted answers of open questions, which are a text or a list as a literal; empty for others.

    Args:
        kind: the column that is `open` for open questions.
    """
    result = []
    for row in rows:
        text = str(row[answer])
        accepted = parse_literal(text) if text.startswith("[") else [text]
        result.append({**row, into: [str(one) for one in accepted] if row[kind] == "open" else []})
    return result


def decoded_pictures(rows: Sequence[Row], column: str, into: str) -> list[Row]:
    """Decode a column of pictures that are texts, `data:image/png;base64,...`, to bytes; None for an empty text.

    Raises: ScenarioError for another text.
    """
    result = []
    for row in rows:
        head, _, body = str(row[column] or "").partition(";base64,")
        if head and not head.startswith("data:image/"):
            raise ScenarioError(f"The column '{column}' has no picture in base64: it begins with {head[:40]!r}.")
        try:
            content = base64.b64decode(body, validate=True) if head else None
        except binascii.Error as e:
            raise ScenarioError(f"The column '{column}' has no picture in base64: {e}.") from e
        result.append({**row, into: content})
    return result
