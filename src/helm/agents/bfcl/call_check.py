"""Whether function calls are those that are expected: the rules of the leaderboard."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from helm.agents.bfcl.literals import JAVASCRIPT, READERS, UnknownTypeError

Call = Mapping[str, Mapping[str, Any]]
"""`{name: {parameter: value}}`."""

_SIMPLE, _MULTIPLE, _PARALLEL = (
    "simple_function_checker",
    "multiple_function_checker",
    "parallel_function_checker_no_order",
)

PYTHON_TYPES: dict[str, type] = {
    "string": str,
    "integer": int,
    "float": float,
    "boolean": bool,
    "array": list,
    "tuple": list,
    "dict": dict,
    "any": str,
}
_IGNORED = str.maketrans("", "", " ,./-_*^")
_OPTIONAL = ""
"""Among the allowed values of a parameter, says that it may be left out."""


@dataclass(frozen=True)
class Verdict:
    """Whether calls are right."""

    problem: str | None = None
    """The kind of the first problem, as the leaderboard names it; None if they are right."""

    sub: tuple[str, ...] = ()
    """For calls in any order: the problems of those that were compared with the first expected call that has no match."""

    @property
    def is_valid(self) -> bool:
        return self.problem is None


def check_calls(
    category: str,
    language: str,
    functions: Sequence[Mapping[str, Any]],
    calls: Sequence[Call],
    expected: Sequence[Call],
    underscored: bool = False,
) -> Verdict:
    """Compare the calls of a model with the expected ones.

    Args:
        category: of the leaderboard; decides on number and order.
        language: `python`, `java` or `javascript`.
        functions: the documentation of the functions.
        calls: of the model.
        expected: for each parameter, the list of its allowed values.
        underscored: whether dots in names of functions became underscores, as for models with tool calls.
    """
    if "parallel" in category:
        return _check_in_any_order(language, functions, calls, expected, underscored)
    kind = _MULTIPLE if "multiple" in category else _SIMPLE
    if len(calls) != 1:
        return Verdict(f"{kind}:wrong_count")
    return _check_call(language, functions, calls[0], expected[0], underscored)


def _check_in_any_order(
    language: str,
    functions: Sequence[Mapping[str, Any]],
    calls: Sequence[Call],
    expected: Sequence[Call],
    underscored: bool,
) -> Verdict:
    if len(calls) != len(expected):
        return Verdict(f"{_PARALLEL}:wrong_count")
    taken: set[int] = set()
    for wanted in expected:
        problems = []
        for number, call in enumerate(calls):
            if number in taken:
                continue
            verdict = _check_call(language, functions, call, wanted, underscored)
            if verdict.is_valid:
                taken.add(number)
                break
            problems.append(str(verdict.problem))
        else:
            return Verdict(f"{_PARALLEL}:cannot_find_match", tuple(problems))
    return Verdict()


def _check_call(
    language: str, functions: Sequence[Mapping[str, Any]], call: Call, expected: Call, underscored: bool
) -> Verdict:
    (name, allowed), *_ = expected.items()
    found = next((function for function in functions if function.get("name") == name), None)
    parameters = (found or {}).get("parameters") or {}
    documented = parameters.get("properties") or {}
    called = name.replace(".", "_") if underscored else name
    if called not in call:
        return Verdict(f"{_SIMPLE}:wrong_func_name")
    given = call[called]
    if not isinstance(given, Mapping):
        return Verdict(f"{_SIMPLE}:unexpected_param")
    for required in parameters.get("required") or []:
        if required not in given:
            return Verdict(f"{_SIMPLE}:missing_required")
    for parameter, value in given.items():
        if parameter not in documented or parameter not in allowed:
            return Verdict(f"{_SIMPLE}:unexpected_param")
        problem = _find_problem(language, value, allowed[parameter], documented[parameter])
        if problem is not None:
            return Verdict(problem)
    for parameter, values in allowed.items():
        if parameter not in given and _OPTIONAL not in values:
            return Verdict(f"{_SIMPLE}:missing_optional")
    return Verdict()


def _find_problem(language: str, value: Any, allowed: Sequence[Any], schema: Mapping[str, Any]) -> str | None:
    type_name = str(schema.get("type"))
    items = schema.get("items")
    item_name = items.get("type") if isinstance(items, Mapping) else None
    types = PYTHON_TYPES
    if language in READERS:
        types, read = READERS[language]
        if not isinstance(value, str):
            return "type_error:js" if language == JAVASCRIPT else "type_error:java"
        try:
            value = read(value, type_name, item_name) if types.get(type_name) is list else read(value, type_name)
        except UnknownTypeError as e:
            return f"type_error:{e}"
    expected = types.get(type_name)
    if expected is float and type(value) is int and language not in READERS:
        value = float(value)
    inner = types.get(str(item_name)) if expected is list and item_name is not None else None
    problem, is_variable = _check_type(value, allowed, expected, inner)
    if problem is not None:
        return problem
    if not is_variable:
        if expected is dict:
            return _check_dict(value, allowed)
        if expected is list and inner is dict:
            return _check_dicts(value, allowed)
        if expected is str:
            same = _plain(value) in [_plain(item) for item in allowed]
            return None if same else "value_error:string"
        if expected is list:
            return None if _plain_items(value) in [_plain_items(item) for item in allowed] else "value_error:list/tuple"
    return None if value in allowed else "value_error:others"


def _check_type(
    value: Any, allowed: Sequence[Any], expected: type | None, inner: type | None
) -> tuple[str | None, bool]:
    """Return the problem of a value's type, and whether it is a variable: of another type than is documented, and allowed."""
    first = next((item for item in allowed if item != _OPTIONAL), None)
    kind: type | None = type(first) if first is not None else None
    is_variable = kind is not None and kind is not expected
    if type(value) is expected:
        if inner is None:
            return None, is_variable
        for item in allowed:
            if not isinstance(item, list) or _all_of(cast(list[Any], value), inner):
                return None, is_variable
        return "type_error:nested", is_variable
    if kind is not None and type(value) is kind:
        return None, True
    return "type_error:simple", is_variable


def _all_of(value: list[Any], kind: type) -> bool:
    return all(type(element) is kind for element in value)


def _check_dict(value: Mapping[str, Any], allowed: Sequence[Any]) -> str | None:
    problem: str | None = "value_error:dict_key"
    for options in allowed:
        if options == _OPTIONAL or not isinstance(options, Mapping):
            continue
        problem = _compare_dict(value, options)
        if problem is None:
            return None
    return problem


def _compare_dict(value: Mapping[str, Any], options: Mapping[str, Any]) -> str | None:
    if any(key not in value and _OPTIONAL not in choices for key, choices in options.items()):
        return "value_error:dict_key"  # the leaderboard looks at this last, but then forgets what it has found before
    for key, item in value.items():
        if key not in options:
            return "value_error:dict_key"
        if _plain(item) not in [_plain(option) for option in options[key]]:
            return "value_error:dict_value"
    return None


def _check_dicts(values: Sequence[Any], allowed: Sequence[Any]) -> str | None:
    problem: str | None = "value_error:list_dict_count"
    for options in allowed:
        if options == _OPTIONAL:
            continue
        if len(values) != len(options):
            problem = "value_error:list_dict_count"
            continue
        pairs = zip(values, options, strict=True)
        problem = next((found for value, option in pairs if (found := _check_dict(value, [option]))), None)
        if problem is None:
            return None
    return problem


def _plain(value: Any) -> Any:
    """Return a text without what does not count; other values as they are."""
    return value.translate(_IGNORED).lower().replace("'", '"') if isinstance(value, str) else value


def _plain_items(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, list) else value


def check_answer_text(response: str, possible: Sequence[str]) -> bool:
    """Whether one of the possible answers stands in a response as whole words."""
    words = _words(response)
    return bool(response) and any(re.search(rf"\b{re.escape(_words(answer))}\b", words) for answer in possible)


_NO_WORDS = str.maketrans("", "", ",./-_*^()")


def _words(text: str) -> str:
    return text.translate(_NO_WORDS).lower().replace("'", '"')
