"""The text of display files is that of the standard library, whatever numbers and alphabets a run has."""

import json
import math
import random

import msgspec
import pytest

from helm.benchmark.presentation.run_display import DisplayPrediction, _to_float, _to_line, _to_number
from helm.results.run_files.json_files import indent_json

NUMBERS = [0, 0.0, -0.0, 3, 0.5, 1e-4, 9.9e-5, -1.5e-05, 1e-07, 5e-324, 1e16, 1e22, -1e300, 123456789012345680.0]
TEXTS = ["", "plain", "é", "\x7f", "\x00\x1f\u2028", "中文 and 😀", '"\\/\x80']


@pytest.mark.parametrize("texts", [TEXTS[:2], TEXTS])
def test_a_line_is_what_the_standard_library_writes(texts: list[str]) -> None:
    stats = {f"metric {position} é": value for position, value in enumerate(NUMBERS)}
    plain = [DisplayPrediction(text, msgspec.UNSET, 0, text + "x", stats=stats) for text in texts]
    expected = json.dumps(msgspec.to_builtins(plain), indent=2)
    numbers = {name: _to_number(value) for name, value in stats.items()}
    items = [DisplayPrediction(text, msgspec.UNSET, 0, text + "x", stats=numbers) for text in texts]
    assert indent_json(_to_line(items, True)) == expected == indent_json(_to_line(plain, False))


def test_numbers_come_back_from_their_texts() -> None:
    draws = random.Random(0)
    for value in [*NUMBERS, *(draws.choice((-1, 1)) * 10 ** draws.uniform(-320, 308) for _ in range(1000))]:
        assert repr(_to_float(_to_number(value))) == repr(value)
    assert math.isinf(_to_float(_to_number(math.inf)))
