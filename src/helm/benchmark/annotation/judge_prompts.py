"""Reads and fills in the judges' prompts in `prompts/`."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "prompts"


@cache
def read_prompt(name: str) -> str:
    """Return the template in a file, verbatim: HELM's own templates define its judged benchmarks."""
    return (_FOLDER / f"{name}.txt").read_bytes().decode("utf-8")


def fill_in(template: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders one after another, in the given order."""
    for placeholder, value in values.items():
        # HELM: a placeholder inside a text filled in earlier is replaced too.
        template = template.replace(placeholder, value)
    return template
