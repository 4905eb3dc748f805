"""Checks the arguments of a tool call against the JSON schema of the tool."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.common.errors import suggest

_MAX_SHOWN = 80


def find_problem(value: Any, schema: Any, path: str = "arguments") -> str | None:
    """Return why a value does not fit a schema, in words for the model that wrote it; None if it fits.

    Of JSON Schema, this knows `type`, `enum`, `const`, `required`, `properties`, `additionalProperties`, `items`, `anyOf`,
    and the bounds of numbers and lengths; other keywords allow everything. Nothing is converted, but an integer is a number.

    Args:
        value: a JSON value.
        schema: a JSON value, which may come from a stranger. What is no schema allows everything.
        path: names the value.
    """
    if not isinstance(schema, Mapping):
        return None
    options = schema.get("anyOf")
    if isinstance(options, Sequence) and options:
        problems = [find_problem(value, option, path) for option in options]
        if all(problem is not None for problem in problems):
            return problems[0] if len(problems) == 1 else f"{path} fits none of its {len(problems)} possible forms"
    return (
        _find_type_problem(value, schema, path)
        or _find_bound_problem(value, schema, path)
        or _look_inside(value, schema, path)
    )


def _find_type_problem(value: Any, schema: Mapping[str, Any], path: str) -> str | None:
    wanted = schema.get("type")
    names = [wanted] if isinstance(wanted, str) else wanted if isinstance(wanted, list) else []
    known = [name for name in names if name in _TYPES]
    if known and len(known) == len(names) and not any(_TYPES[name](value) for name in known):
        return f"{path} must be {' or '.join(known)}, not {type_name(value)}"
    if isinstance(schema.get("enum"), list) and not _is_among(value, schema["enum"]):
        choices = ", ".join(map(_shown, schema["enum"][:20]))
        hint = suggest(value, [c for c in schema["enum"] if isinstance(c, str)]) if isinstance(value, str) else ""
        return f"{path} must be one of {choices}, not {_shown(value)}.{hint}".rstrip(".")
    if "const" in schema and not _is_among(value, [schema["const"]]):
        return f"{path} must be {_shown(schema['const'])}, not {_shown(value)}"
    return None


def _find_bound_problem(value: Any, schema: Mapping[str, Any], path: str) -> str | None:
    if _is_number(value):
        for name, is_broken, words in _NUMBER_BOUNDS:
            if _is_number(schema.get(name)) and is_broken(value, schema[name]):
                return f"{path} must be {words} {schema[name]}, not {_shown(value)}"
    for kind, low, high, unit in _LENGTH_BOUNDS:
        if isinstance(value, kind):
            if _is_number(schema.get(low)) and len(value) < schema[low]:
                return f"{path} must have at least {schema[low]} {unit}, not {len(value)}"
            if _is_number(schema.get(high)) and len(value) > schema[high]:
                return f"{path} must have at most {schema[high]} {unit}, not {len(value)}"
    return None


def _look_inside(value: Any, schema: Mapping[str, Any], path: str) -> str | None:
    if isinstance(value, dict):
        properties = schema.get("properties") if isinstance(schema.get("properties"), Mapping) else {}
        assert properties is not None
        required = schema.get("required")
        for name in required if isinstance(required, list) else []:
            if isinstance(name, str) and name not in value:
                return f"{path} lacks '{name}'"
        for name, item in value.items():
            inner = properties.get(name, schema.get("additionalProperties"))
            if inner is False:
                return f"{path} has an unknown '{name}'.{suggest(name, properties)}".rstrip(".")
            problem = find_problem(item, inner, f"{path}.{name}")
            if problem:
                return problem
    if isinstance(value, list):
        for number, item in enumerate(value):
            problem = find_problem(item, schema.get("items"), f"{path}[{number}]")
            if problem:
                return problem
    return None


def type_name(value: Any) -> str:
    """Return JSON Schema's name of the type of a value."""
    return next((name for name, is_type in _TYPES.items() if is_type(value)), type(value).__name__)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_among(value: Any, choices: Sequence[Any]) -> bool:
    """Whether a value equals one of the choices; true is not 1."""
    return any(value == choice and isinstance(value, bool) == isinstance(choice, bool) for choice in choices)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


_TYPES = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": _is_number,
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}

_NUMBER_BOUNDS = (
    ("minimum", lambda value, bound: value < bound, "at least"),
    ("maximum", lambda value, bound: value > bound, "at most"),
    ("exclusiveMinimum", lambda value, bound: value <= bound, "more than"),
    ("exclusiveMaximum", lambda value, bound: value >= bound, "less than"),
)

_LENGTH_BOUNDS = (
    (str, "minLength", "maxLength", "characters"),
    (list, "minItems", "maxItems", "items"),
    (dict, "minProperties", "maxProperties", "properties"),
)
