"""Templates of tasks: Jinja2 in its sandbox, where they can read only the row's values, and modify nothing."""

import re
from functools import lru_cache
from typing import Any


def render(template: str, row: dict[str, Any]) -> str:
    """Return the filled-in template. Raises whatever Jinja2 or the values raise."""
    return str(_compile(template).render(**row))


@lru_cache(maxsize=1024)
def _compile(template: str) -> Any:
    return environment().from_string(template)


@lru_cache(maxsize=1)
def environment() -> Any:
    """Return the environment of all templates. An unknown column is an error."""
    import jinja2
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    made = ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    made.filters["regex_replace"] = _regex_replace
    return made


def _regex_replace(text: str, pattern: str, replacement: str = "", count: int = 0) -> str:
    return re.sub(pattern, replacement, text, count=count)
