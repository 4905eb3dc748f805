"""Hooks of catalogue entries that derive columns where value functions do not suffice: pure functions from rows to rows."""

import random
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]


def numbered_columns(rows: Sequence[Row], prefix: str, into: str, first: int = 1) -> list[Row]:
    """Combine the columns `prefix1`, `prefix2`, ... of each row into one list, up to the first missing number."""
    result = []
    for row in rows:
        count = first
        while f"{prefix}{count}" in row:
            count += 1
        result.append({**row, into: [row[f"{prefix}{i}"] for i in range(first, count)]})
    return result


def shuffled_columns(rows: Sequence[Row], columns: Sequence[str], into: str, seed: int, by: str) -> list[Row]:
    """Combine the texts of some columns into a list of `{text, column}` in random order.

    Rows are grouped by the value of `by`, the largest group first; each group has a new generator.
    """
    result = []
    for group, _ in Counter(row[by] for row in rows).most_common():
        generator = random.Random(seed)
        for row in rows:
            if row[by] != group:
                continue
            items = [{"column": column, "text": row[column]} for column in columns]
            generator.shuffle(items)
            result.append({**row, into: items})
    return result


def masked_words(
    rows: Sequence[Row], column: str, into: str, fraction: float = 0.1, mask: str = "[MASK]", seed: int = 42
) -> list[Row]:
    """Replace a fraction of the words of each text, using one generator for all rows; words end at single spaces."""
    generator = random.Random(seed)
    result = []
    for row in rows:
        words = str(row[column]).split(" ")
        for i in generator.sample(range(len(words)), int(len(words) * fraction)):
            words[i] = mask
        result.append({**row, into: " ".join(words)})
    return result


def seed_if(flag: Any, seed: int) -> int | None:
    """Return the seed if `flag` is truthy in Python, which includes a run entry's text "False", as in HELM."""
    return seed if flag else None


def lettered_choices(rows: Sequence[Row], column: str, into: str, seed: int | None = None) -> list[Row]:
    """Turn a list of texts into a list of `{letter, text}`, with a seed in random order from one generator for all rows."""
    generator = random.Random(seed)
    result = []
    for row in rows:
        items = [{"letter": chr(ord("A") + i), "text": text} for i, text in enumerate(row[column])]
        if seed is not None:
            generator.shuffle(items)
        result.append({**row, into: items})
    return result


def marked_choices(rows: Sequence[Row], column: str, into: str, mark: str, answer: str) -> list[Row]:
    """Turn texts that begin with a letter and a mark, like `A) text`, into a list of `{letter, text}`.

    Texts without the mark are dropped, and so are rows whose answer is the letter of none of them.
    """
    result = []
    for row in rows:
        pairs = [str(text).split(mark, 1) for text in row[column] if mark in str(text)]
        items = [{"letter": letter.strip().upper(), "text": text.strip()} for letter, text in pairs]
        if any(item["letter"] == row[answer] for item in items):
            result.append({**row, into: items})
    return result


_QUOTED_CHOICE = re.compile(r"'(?P<letter>[A-Z])': *'(?P<text>[^']+)'")


def quoted_choices(
    rows: Sequence[Row], column: str, answer: str, question: str = "stem", choices: str = "choices"
) -> list[Row]:
    """Split texts that end in choices like `'A': 'text'`, the first on a separate line.

    Adds the text before them, stripped, and a list of `{letter, text}`. Rows without choices are dropped, and so are
    rows whose answer is the letter of none of them.
    """
    result = []
    for row in rows:
        text = str(row[column])
        found = list(_QUOTED_CHOICE.finditer(text))
        while found and text[found[0].start() - 1 : found[0].start()] != "\n":
            del found[0]
        options = [match.groupdict() for match in found]
        if any(option["letter"] == str(row[answer]).strip().upper() for option in options):
            result.append({**row, question: text[: found[0].start()].strip(), choices: options})
    return result


def translated_answer(
    rows: Sequence[Row],
    label: str = "label",
    choices: str = "choices",
    translated: str = "choices_translated",
    into: str = "answer",
) -> list[Row]:
    """Return the translation of a row's label, given choices like `True or False` and `Benar atau Salah`.

    Rows without choices, and rows whose label is a boolean, get None.

    Raises: ValueError for a label that is not one of the two choices, or choices that are not three words.
    """
    result = []
    for row in rows:
        if row.get(choices) is None or row.get(translated) is None or isinstance(row[label], bool):
            result.append({**row, into: None})
            continue
        own, other = str(row[choices]).split(), str(row[translated]).split()
        answer = str(row[label]).strip()
        if len(own) != 3 or len(other) != 3 or answer not in (own[0], own[2]):
            raise ValueError(f"the label '{answer}' is none of the choices '{row[choices]}' ('{row[translated]}').")
        result.append({**row, into: other[own.index(answer)]})
    return result


def ranked_passages(
    rows: Sequence[Row], column: str = "passages", into: str = "tagged", limit: int | None = None
) -> list[Row]:
    """Build ranking references from a list of passages in the order of a search result.

    The column contains lists of ids and texts, `{id: [...], passage: [...]}`. Each of the first `limit` passages
    becomes `[text, [tags]]` with its id and its rank from 1; the first one is correct.
    """
    result = []
    for row in rows:
        pairs = list(zip(row[column]["id"], row[column]["passage"], strict=True))
        pairs = pairs[: limit or 0]  # HELM: without a limit there are no references.
        references = [
            [text, [f"docid={key}", *(["correct"] if rank == 1 else []), f"rank={rank}"]]
            for rank, (key, text) in enumerate(pairs, 1)
        ]
        result.append({**row, into: references})
    return result


def labelled_pair(
    rows: Sequence[Row], correct: str = "positive", wrong: str = "negative", into: str = "tagged"
) -> list[Row]:
    """Build references from a correct and a wrong text: `[text, [tags]]` for each."""
    return [{**row, into: [[row[correct], ["correct"]], [row[wrong], []]]} for row in rows]


def labelled_choices(rows: Sequence[Row], choices: str, labels: str, into: str = "tagged") -> list[Row]:
    """Build references from a list of texts and a list of labels of the same length, of which 1 marks a correct text.

    Raises: ValueError if the lists differ in length, or no text is correct.
    """
    result = []
    for row in rows:
        texts, marks = _list_at(row, choices), _list_at(row, labels)
        if len(texts) != len(marks) or 1 not in marks:
            raise ValueError(
                f"{choices} has {len(texts)} texts, and {labels} is {marks}; expected a label for each, and a 1."
            )
        tagged = [[text, ["correct"] if mark == 1 else []] for text, mark in zip(texts, marks, strict=True)]
        result.append({**row, into: tagged})
    return result


def _list_at(row: Row, path: str) -> list[Any]:
    value: Any = row
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    if not isinstance(value, list):
        raise ValueError(f"{path} is missing or no list; the row has {', '.join(map(str, row))}.")
    return value


_DEFINED = re.compile(r"^(?:async +)?def +(\w+)", re.MULTILINE)
_CALLED = re.compile(r"(\w+)\s?\(")


def tested_functions(rows: Sequence[Row], code: str, tests: str, into: str = "entry_point") -> list[Row]:
    """Find the name of the function that the tests of each row call: the first one called that the solution defines.

    None if the tests call none of them, for example because the solution is a class.
    """
    result = []
    for row in rows:
        defined = set(_DEFINED.findall(str(row[code])))
        called = (name for test in row[tests] for name in _CALLED.findall(str(test)))
        result.append({**row, into: next((name for name in called if name in defined), None)})
    return result
