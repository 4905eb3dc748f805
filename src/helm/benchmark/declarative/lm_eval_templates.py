"""Renders the texts of lm-evaluation-harness tasks: a column's name, or a Jinja2 template over the columns of a row.

Templates run in Jinja2's sandbox: they can read only the row's values, and modify nothing.
"""

import ast
import re
from functools import lru_cache
from typing import Any

from helm.common.optional_dependencies import needs_extra

Row = dict[str, Any]
Target = str | int | list[Any]


class RowError(ValueError):
    """A text of the task cannot be rendered for a row; the message says which and why."""


def render(template: str, row: Row) -> str:
    """Render the template. Raises: RowError for an invalid template or an unknown column."""
    import jinja2

    try:
        return str(_compile(template).render(**row))
    except (jinja2.TemplateError, TypeError, ValueError, LookupError, ArithmeticError, AttributeError) as e:
        raise RowError(f"the template {template[:80]!r} fails: {type(e).__name__}: {e}.") from e


def value_of(text: str, row: Row) -> Any:
    """Return the value of the column of that name, else the rendered template."""
    return row[text] if text in row else render(text, row)


def input_text(doc_to_text: str, row: Row) -> Any:
    """Return the prompt of a row; None if the column is empty. Raises: RowError."""
    value = value_of(doc_to_text, row)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and doc_to_text not in row:
        raise RowError("doc_to_text gives a number: several prompts for one row cannot be run.")
    return value if value is None else str(value)


def choices_of(doc_to_choice: str | list[str], row: Row) -> list[str]:
    """Return the texts of the choices. Raises: RowError if they are not a list."""
    if isinstance(doc_to_choice, list):
        return [str(choice) for choice in doc_to_choice]
    value = value_of(doc_to_choice, row)
    if isinstance(value, str):
        value = _literal(value)
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list) or not value:
        raise RowError(f"doc_to_choice must give a list of choices, not {str(value)[:80]!r}.")
    return [str(choice) for choice in value]


def target_of(doc_to_target: str | int, row: Row, has_choices: bool) -> Any:
    """Return a text, a number (the index of a choice) or a list of either; None if the column is empty."""
    if not isinstance(doc_to_target, str):
        return doc_to_target
    if doc_to_target in row:
        return row[doc_to_target]
    text = render(doc_to_target, row)
    if has_choices and text.strip().lstrip("-").isdigit():
        return int(text)
    if text.startswith("[") and text.endswith("]"):
        value = _literal(text)
        return value if isinstance(value, list) else text
    return text


def _literal(text: str) -> Any:
    """Parse a list or other plain value written in Python or JSON syntax; returns the text itself if it is neither."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


@lru_cache(maxsize=256)
def _compile(template: str) -> Any:
    return _environment().from_string(template)


@lru_cache(maxsize=1)
def _environment() -> Any:
    with needs_extra("lm-eval"):
        import jinja2
        from jinja2.sandbox import ImmutableSandboxedEnvironment
    environment = ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    environment.filters["regex_replace"] = _regex_replace
    return environment


def _regex_replace(text: str, pattern: str, replacement: str = "", count: int = 0) -> str:
    return re.sub(pattern, replacement, text, count=count)
