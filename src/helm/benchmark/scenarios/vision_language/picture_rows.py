"""Steps of entries with pictures: pure functions from rows to rows, named by class path."""

from collections.abc import Sequence
from typing import Any

from helm.benchmark.scenarios.scenario import CORRECT_TAG
from helm.common.errors import ScenarioError, suggest

Row = dict[str, Any]

_LAST_OPTION = "(please select one)"
_MARK_LENGTH = 3
"""Characters of `A) ` before an option."""


def super_categories(rows: list[Row], categories: str, regions: str, into: str) -> list[Row]:
    """Add a column of tagged references: every super category, of which those of a photograph's regions are correct.

    The order is that of the first appearance in the categories of this and of earlier rows.

    Args:
        rows: the photographs.
        categories: the column with all categories, `{id, supercategory}`, of a file.
        regions: the column with the annotations of the photograph, `{category_id}`.
        into: the new column.

    Raises: ScenarioError for a region with an unknown category.
    """
    names: dict[str, None] = {}
    by_id: dict[Any, str] = {}
    read: set[int] = set()
    result = []
    for row in rows:
        if id(row[categories]) not in read:  # the rows of a file share one list
            read.add(id(row[categories]))
            by_id = {category["id"]: category["supercategory"] for category in row[categories]}
            names.update(dict.fromkeys(by_id.values()))
        unknown = [region["category_id"] for region in row[regions] if region["category_id"] not in by_id]
        if unknown:
            raise ScenarioError(f"there is no category {unknown[0]!r}, which a region of {row.get('file_name')} has.")
        there = {by_id[region["category_id"]] for region in row[regions]}
        result.append({**row, into: [[name, [CORRECT_TAG] if name in there else []] for name in names]})
    return result


def pictures_at_tags(rows: list[Row], pictures: Sequence[str], text: str, options: str) -> list[Row]:
    """Replace tags `<image 1>`, `<image 2>`, ... by pictures.

    The column `text` becomes a list of texts and pictures; options that consist of a tag become pictures.

    HELM: pictures are put in the order of their numbers, so a tag before that of a smaller number stays in the text.

    Args:
        rows: rows whose pictures are in the columns `pictures`, where null ends the list.
        pictures: columns in the order of the tags.
        text: the column with the question.
        options: the column with the list of options.

    Raises: ScenarioError if the options are no list.
    """
    result = []
    for row in rows:
        if not isinstance(row[options], list):
            raise ScenarioError(f"row {row.get('_row')}: the options are no list, but {row[options]!r}.")
        there: dict[str, Any] = {}
        for number, column in enumerate(pictures, 1):
            if row[column] is None:
                break
            there[f"<image {number}>"] = row[column]
        parts, rest = [], row[text]
        for tag, picture in there.items():
            before, found, after = rest.partition(tag)
            if found:
                parts += [before, picture] if before else [picture]
                rest = after
        parts += [rest] if rest else []
        new_options = [there.get(option, option) if isinstance(option, str) else option for option in row[options]]
        result.append({**row, text: parts, options: new_options})
    return result


def options_in_lines(rows: list[Row], text: str, answer: str, question: str, into: str) -> list[Row]:
    """Take apart texts whose first line is a question and whose next lines are options such as `A) left`.

    Adds the question and a column of tagged references, both in lower case. Texts of fewer than five lines have no options.

    HELM: the options of a text of six or more lines end before the line with "(please select one)", even if that line has
    an option.

    Args:
        rows: the rows.
        text: the column with question and options.
        answer: the column with the correct letter or the text of the correct option.
        question: the new column with the question.
        into: the new column with the tagged references.

    Raises: ScenarioError if the answer is in none of the lines.
    """
    result = []
    for row in rows:
        lines = [line.strip().lower() for line in row[text].split("\n")]
        options = [option[_MARK_LENGTH:] for option in _option_lines(lines)]
        letter = _correct_letter(row[text], row[answer].strip(), row.get("_row"))
        tagged = [[option, [CORRECT_TAG] if chr(ord("A") + i) == letter else []] for i, option in enumerate(options)]
        result.append({**row, question: lines[0], into: tagged})
    return result


def _option_lines(lines: Sequence[str]) -> list[str]:
    if len(lines) < 5:
        return []
    if len(lines) == 5:
        return [line.removesuffix(_LAST_OPTION) for line in lines[1:]]
    end = next((i for i, line in enumerate(lines) if _LAST_OPTION in line), len(lines))
    return list(lines[1:end])


def _correct_letter(text: str, answer: str, number: Any) -> str:
    if len(answer) <= _MARK_LENGTH:
        return answer[:1].upper()
    line = next((line for line in text.split("\n") if answer in line), None)
    if line is None:
        raise ScenarioError(f"row {number}: none of the options is the answer '{answer[:80]}'.")
    return line.strip()[:1].upper()


def rows_of_class(rows: list[Row], column: str, names: Sequence[str], name: str) -> list[Row]:
    """Return the rows whose `column` has the number of a class, from 0. Raises: ScenarioError if there is no such class."""
    if name not in names:
        raise ScenarioError(f"{column} has no class '{name}', but {', '.join(names)}.{suggest(name, names)}")
    number = list(names).index(name)
    return [row for row in rows if row[column] == number]
