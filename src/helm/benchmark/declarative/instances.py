"""Builds instances from rows according to an entry's `input`, `references`, `correct`, and so on."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec import UNSET

from helm.benchmark.declarative.conditions import equal, is_empty
from helm.benchmark.declarative.entry import (
    Answers,
    Carriers,
    Correct,
    Entry,
    Messages,
    Options,
    PassageQuestion,
    SplitBy,
)
from helm.benchmark.declarative.entry_rows import Field
from helm.benchmark.declarative.row_sources import ROW, SPLIT
from helm.benchmark.declarative.steps import RowValue, compile_field, row_problem
from helm.benchmark.declarative.templates import (
    COLUMNS,
    MissingColumn,
    Row,
    compile_text,
    get_column,
    get_column_or_none,
    single_column,
    to_text,
)
from helm.benchmark.declarative.value_functions import Context, ValueProblem, compile_functions
from helm.benchmark.scenarios.scenario import (
    ALL_SPLITS,
    CORRECT_TAG,
    Input,
    Instance,
    Output,
    PassageQuestionInput,
    Reference,
)
from helm.common.errors import suggest
from helm.common.hierarchical_logger import hwarn
from helm.common.media_object import MediaObject

Option = tuple[Any, Any]
"""Key (or None), and text or media object."""

_PROBLEMS = (MissingColumn, ValueProblem, TypeError, IndexError)


class InstanceBuilder:
    """Builds instances from rows. Create one per `get_instances`, so that random generators start afresh.

    Args:
        entry: the entry, with `${...}` filled in.

    Raises: TemplateError, FunctionError for invalid parts.
    """

    def __init__(self, entry: Entry, context: Context):
        self._context = context
        self._input = _compile_input(entry.input)
        self._messages = entry.messages
        self._without_correct: list[Any] = []
        self._references = _compile_references(entry, context, self._without_correct)
        self._split = _compile_split(entry.split)
        self._sub_split = compile_text(entry.sub_split) if entry.sub_split is not None else None
        self._id = _compile_id(entry.id) if entry.id is not None else None
        self._extra_data = {name: self._compile_extra(value) for name, value in (entry.extra_data or {}).items()}
        self._extra_data_splits = entry.extra_data_splits

    def warn_of_missing_options(self, scenario_name: str) -> None:
        """Warn about the number of rows whose correct option is not among the options."""
        if self._without_correct:
            numbers = ", ".join(map(str, self._without_correct[:5])) + (
                ", ..." if len(self._without_correct) > 5 else ""
            )
            what = "row has" if len(self._without_correct) == 1 else "rows have"
            hwarn(
                f"Scenario {scenario_name}: {len(self._without_correct)} {what} no correct option among the options "
                f"(rows {numbers}); nothing is marked there."
            )

    def _compile_extra(self, value: str | Field) -> RowValue:
        if isinstance(value, Field):
            return compile_field(value, self._context)
        return lambda row: get_column(row, value)

    def build(self, row: Row) -> Instance:
        """Build the instance of a row. Raises: RowProblem that names the row and the key of the entry."""
        split = self._part("split", row, self._split)
        extra_data = None
        if self._extra_data and (self._extra_data_splits is None or split in self._extra_data_splits):
            extra_data = {name: self._part(f"extra_data.{name}", row, get) for name, get in self._extra_data.items()}
        sub_split = self._part("sub_split", row, self._sub_split) if self._sub_split else None
        return Instance(
            input=self._make_input(row),
            references=self._part("references", row, self._references),
            split=split,
            sub_split=sub_split or None,
            id=self._part("id", row, self._id) if self._id else None,
            extra_data=extra_data,
        )

    def _make_input(self, row: Row) -> Input:
        made: Input = self._part("input", row, self._input)
        if self._messages is None:
            return made
        messages = self._messages
        return replace(made, messages=self._part("messages", row, lambda row: _make_messages(row, messages)))

    @staticmethod
    def _part(name: str, row: Row, function: Callable[[Row], Any]) -> Any:
        try:
            return function(row)
        except _PROBLEMS as e:
            raise row_problem(row, name, e) from e


def _compile_input(rule: str | PassageQuestion | list[str] | None) -> Callable[[Row], Input]:
    if isinstance(rule, list):
        return _compile_parts(rule)
    if isinstance(rule, PassageQuestion):
        passage_prefix, passage = compile_text(rule.passage_prefix), compile_text(rule.passage)
        question_prefix, question = compile_text(rule.question_prefix), compile_text(rule.question)
        separator = rule.separator
        return lambda row: PassageQuestionInput(
            passage(row), question(row), passage_prefix(row), question_prefix(row), separator
        )
    text = compile_text(rule or "")
    return lambda row: Input(text=text(row))


def _compile_parts(texts: list[str]) -> Callable[[Row], Input]:
    from helm.benchmark.declarative.media import as_content

    makers = [_compile_id(text) for text in texts]
    return lambda row: Input(multimedia_content=as_content([make(row) for make in makers]))


def _make_messages(row: Row, messages: Messages) -> list[dict[str, str]]:
    history = get_column(row, messages.from_)
    if not isinstance(history, list):
        raise ValueProblem(f"'{messages.from_}' is not a list of messages.")
    result = []
    for message in history:
        missing = [key for key in messages.keep if not isinstance(message, Mapping) or key not in message]
        if missing:
            raise ValueProblem(f"a message of '{messages.from_}' has no {', '.join(missing)}.")
        result.append({key: message[key] for key in messages.keep})
    return result


def _compile_id(text: str) -> RowValue:
    column = single_column(text)
    if column is not None:
        return lambda row: get_column(row, column)
    return compile_text(text)


def _compile_split(split: str | SplitBy | None) -> RowValue:
    if isinstance(split, SplitBy):
        rule = split

        def from_column(row: Mapping[str, Any]) -> str:
            value = to_text(
                get_column_or_none(row, rule.field) if rule.default is not None else get_column(row, rule.field)
            )
            if rule.map is None:
                return _checked_split(value or rule.default)
            if value not in rule.map and rule.default is None:
                raise ValueProblem(f"'{value}' is none of {', '.join(rule.map)}.{suggest(value, rule.map)}")
            return _checked_split(rule.map.get(value, rule.default))

        return from_column
    return lambda row: _checked_split(row[SPLIT] if row.get(SPLIT) is not None else split)


def _checked_split(split: str | None) -> str:
    if split not in ALL_SPLITS:
        raise ValueProblem(f"the split is {split!r}, but must be one of {', '.join(ALL_SPLITS)}.")
    return split


# ---- References


def _compile_references(entry: Entry, context: Context, without_correct: list[Any]) -> Callable[[Row], list[Reference]]:
    rules = entry.references
    if rules is None or rules.none:
        return lambda row: []
    makers: dict[str, Callable[[Row], list[Reference]]] = {}
    if rules.options is not None:
        makers["options"] = _compile_options(rules.options, entry.correct, context, without_correct)
    if rules.answers is not None:
        answers = rules.answers if isinstance(rules.answers, Answers) else Answers(from_=rules.answers)
        makers["answers"] = _compile_answers(answers, context)
    if rules.carriers is not None:
        makers["carriers"] = _compile_carriers(rules.carriers, context)
    if rules.tagged is not None:
        column = rules.tagged
        makers["tagged"] = lambda row: [
            _reference(to_text(text), list(tags), *media) for text, tags, *media in get_column(row, column)
        ]
    chain = [makers[name] for name in rules.order if name in makers]
    return lambda row: [reference for make in chain for reference in make(row)]


def _reference(content: Any, tags: list[str], media: Any = None) -> Reference:
    """Make a reference of a text, of media, or of both."""
    if isinstance(content, str) and media is None:
        return Reference(Output(text=content), tags=tags)
    from helm.benchmark.declarative.media import as_content

    if not isinstance(content, str):
        content, media = "", content
    return Reference(Output(text=content, multimedia_content=as_content(media)), tags=tags)


def _as_list(columns: str | int | list[str | int] | None) -> list[str | int]:
    return columns if isinstance(columns, list) else [] if columns is None else [columns]


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _same(value: Any) -> Any:
    return value


def _given(value: Any, what: str) -> Any:
    """Return the text of an answer or option, or its media as they are.

    Null is an error, because an empty completion must not match missing data.
    """
    if value is None or value != value:
        raise ValueProblem(f"{what} is null. Drop it with `skip_empty: true`, or give its meaning with `default`.")
    return value if isinstance(value, MediaObject) else to_text(value)


def _compile_answers(rule: Answers, context: Context) -> Callable[[Row], list[Reference]]:
    columns, texts = _as_list(rule.from_), [compile_text(text) for text in rule.texts or []]
    function = compile_functions(rule.do, context) if rule.do else None

    def make(row: Row) -> list[Reference]:
        values = [leaf for column in columns for leaf in _leaves(get_column(row, column))]
        values += [text(row) for text in texts]
        if rule.skip_empty:
            values = [value for value in values if not is_empty(value)]
        answers = [_given(function(value) if function else value, "an answer") for value in values]
        return [_reference(text, [CORRECT_TAG]) for text in (dict.fromkeys(answers) if rule.unique else answers)]

    return make


def _compile_carriers(rule: Carriers, context: Context) -> Callable[[Row], list[Reference]]:
    texts = [compile_text(text) for text in rule.texts or []]
    function = compile_functions(rule.do, context) if rule.do else None
    get = get_column_or_none if rule.skip_empty else get_column

    def make(row: Row) -> list[Reference]:
        values = [leaf for column in rule.from_ for leaf in _leaves(get(row, column))] + [text(row) for text in texts]
        if rule.skip_empty:
            values = [value for value in values if not is_empty(value)]
        return [_reference(to_text(function(value) if function else value), []) for value in values]

    return make


def _compile_options(
    rule: Options, correct: Correct | None, context: Context, without_correct: list[Any]
) -> Callable[[Row], list[Reference]]:
    get_options = _compile_option_list(rule)
    function = compile_functions(rule.do, context) if rule.do else _same
    find = _compile_correct(correct, context) if correct is not None else None
    generator = random.Random(int(rule.shuffle.seed)) if rule.shuffle is not None else None

    def make(row: Row) -> list[Reference]:
        pairs = get_options(row)
        if rule.skip_empty:
            pairs = [pair for pair in pairs if not is_empty(pair[1])]
        options = [(key, _given(function(value), "an option")) for key, value in pairs]
        right = find(row, options) if find else None
        if find and right is None and options:
            without_correct.append(row.get(ROW))
        by_text = right is not None and correct is not None and correct.match == "text"
        references = [
            _reference(text, [CORRECT_TAG] if i == right or (by_text and text == options[right or 0][1]) else [])
            for i, (_, text) in enumerate(options)
        ]
        if generator is not None:
            generator.shuffle(references)
        return references

    return make


def _compile_option_list(rule: Options) -> Callable[[Row], list[tuple[Any, Any]]]:
    """Compile to a function from a row to the (key, value) of each option."""
    if rule.from_ is not None:
        columns = rule.from_
        get = get_column_or_none if rule.skip_empty else get_column
        return lambda row: [(column, get(row, column)) for column in columns]
    if rule.texts is not None and not isinstance(rule.texts, str):
        texts = [compile_text(text) for text in rule.texts]
        return lambda row: [(i, text(row)) for i, text in enumerate(texts)]
    if rule.dict is not None:
        column = rule.dict

        def from_mapping(row: Row) -> list[tuple[Any, Any]]:
            value = get_column(row, column)
            if not isinstance(value, Mapping):
                raise ValueProblem(f"'{column}' is not a mapping of options.")
            return list(value.items())

        return from_mapping
    if rule.slice is not None:
        start, end = rule.slice

        def from_columns(row: Row) -> list[tuple[Any, Any]]:
            if COLUMNS not in row:
                raise ValueProblem("`slice` is for files without a header.")
            return list(enumerate(row[COLUMNS]))[start:end]

        return from_columns
    return lambda row: _options_of_list(row, rule)


def _options_of_list(row: Row, rule: Options) -> list[tuple[Any, Any]]:
    value = get_column(row, str(rule.list))
    if not isinstance(value, (list, tuple)):
        raise ValueProblem(f"'{rule.list}' is not a list of options.")
    if rule.text is None:
        return list(enumerate(value))
    return [
        (get_column(item, rule.key) if rule.key else i, get_column(item, rule.text)) for i, item in enumerate(value)
    ]


def _compile_correct(rule: Correct, context: Context) -> Callable[[Row, Sequence[Option]], int | None]:
    """Compile to a function from a row and its options to the position of the correct one, or None where that is allowed."""
    function = compile_functions(rule.do, context, rule.field) if rule.do else None

    def find(row: Row, options: Sequence[Option]) -> int | None:
        value = rule.value if rule.value is not UNSET else get_column(row, rule.field)  # type: ignore[arg-type]
        value = function(value) if function else value
        position = _position(rule.by, value, options)
        if position is None and rule.missing == "error":
            raise ValueProblem(
                f"the correct option is {value!r} (by {rule.by}), which is none of the {len(options)} options: "
                f"{', '.join(str(key if rule.by in ('key', 'name') else text)[:40] for key, text in options)}."
            )
        return position

    return find


def _position(by: str, value: Any, options: Sequence[Option]) -> int | None:
    if by in ("key", "name"):
        return next((i for i, (key, _) in enumerate(options) if equal(key, value)), None)
    if by == "text":
        return next((i for i, (_, text) in enumerate(options) if text == to_text(value)), None)
    if by == "letter":
        letter = to_text(value).strip().upper()
        position = ord(letter) - ord("A") if len(letter) == 1 else -1
    else:
        try:
            position = int(to_text(value)) if not isinstance(value, float) else int(value)
        except ValueError:
            return None
        position -= by == "one_based"
    return position if 0 <= position < len(options) else None
