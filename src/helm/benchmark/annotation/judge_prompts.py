"""The prompts of judges, in `prompts/`, and how they are filled in."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "prompts"


@cache
def read_prompt(name: str) -> str:
    """The template of a file, to the letter. HELM's own templates define its judged benchmarks, so they stay as they
    are."""
    return (_FOLDER / f"{name}.txt").read_bytes().decode("utf-8")


def fill_in(template: str, values: Mapping[str, str]) -> str:
    """Replace one placeholder after another, in the order given."""
    for placeholder, value in values.items():
        # HELM: a placeholder inside a text that was filled in before is replaced too.
        template = template.replace(placeholder, value)
    return template
