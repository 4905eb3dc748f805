"""The reference of entries names every key, value function, preset and bundle."""

import re
from pathlib import Path

import msgspec
import pytest

from helm.benchmark.declarative import entry as entry_module
from helm.benchmark.declarative import recipe, value_functions

PAGE = (Path(__file__).parents[2] / "docs" / "reference-scenario-entries.md").read_text(encoding="utf-8")
WORDS = set(re.findall(r"[\w-]+", PAGE))
PARTS = [
    part
    for part in vars(entry_module).values()
    if isinstance(part, type)
    and issubclass(part, msgspec.Struct)
    and part.__name__ not in ("Struct", "_Part", "Augmenter")
]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_every_key_is_on_the_page(part):
    keys = {field.encode_name for field in msgspec.structs.fields(part)}
    assert not keys - WORDS


def test_every_value_function_preset_and_bundle_is_on_the_page():
    assert not {*value_functions.names(), *recipe.PRESETS, *recipe.METRIC_BUNDLES} - WORDS
