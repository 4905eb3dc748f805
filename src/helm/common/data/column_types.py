"""Infers the types of a CSV file's columns like pandas: integers, floats, booleans or texts.

This reproduces the rules that pandas documents, without pandas, because HELM's prompts depend on them: an empty cell or a
fraction turns all integers of its column into floats.
"""

import math
import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

MISSING_TEXTS = frozenset(
    ["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA", "NULL",
     "NaN", "None", "n/a", "nan", "null"]
)  # fmt: skip
"""The texts that mean a missing value."""

_INTEGER = re.compile(r"[ \t]*[-+]?\d+[ \t]*")
_FLOAT = re.compile(r"[ \t]*([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?[ \t]*")
_INFINITY = re.compile(r"[ \t]*([-+]?)inf(?:inity)?[ \t]*", re.IGNORECASE)
_BOOLEANS = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}
# pandas ignores further digits; 17 are enough to identify any double.
_MAX_DIGITS = 17
_SIGNED, _UNSIGNED = range(-(2**63), 2**63), range(2**64)


def infer_column(cells: Sequence[str | None]) -> list[Any]:
    """Return the values of a column's cells: all int, all float, all bool or all str, and None for `MISSING_TEXTS`."""
    present = [cell for cell in cells if cell is not None and cell not in MISSING_TEXTS]
    integers = [int(cell) for cell in takewhile(_INTEGER.fullmatch, present)]
    # Integers are tried first; if one is too large before any other kind is found, the column becomes text.
    fit = all(integer in _SIGNED for integer in integers)
    if not fit and len(integers) == len(present):
        fit = all(integer in _UNSIGNED for integer in integers)
    if fit and len(integers) == len(cells):
        return list(integers)
    values: dict[str, Any] = {cell: _float(cell) for cell in set(present)}
    if not fit or any(value is None for value in values.values()):
        is_bool = all(cell in _BOOLEANS for cell in present)
        values = {cell: _BOOLEANS[cell] if is_bool else cell for cell in set(present)}
    return [values.get(cell) if cell is not None else None for cell in cells]


def _float(cell: str) -> float | None:
    """Return the float that pandas makes of a text: 17 digits, then one multiplication or division.

    Other texts and numbers out of range give None.
    """
    infinity = _INFINITY.fullmatch(cell)
    if infinity:
        return -math.inf if infinity[1] == "-" else math.inf
    match = _FLOAT.fullmatch(cell)
    if match is None or not (match[2] or match[3]):
        return None
    whole, fraction = match[2], match[3] or ""
    digits = (whole + fraction)[:_MAX_DIGITS]
    exponent = len(whole) - len(digits) + max(-330, min(330, int(match[4] or 0)))
    number = 0.0
    for digit in digits:
        number = number * 10.0 + int(digit)
    if exponent > 308:
        return None
    elif exponent > 0:
        number *= float(f"1e{exponent}")
    elif exponent < -308:
        number = number / float(f"1e{-308 - exponent}") / 1e308
    else:
        number /= float(f"1e{-exponent}")
    return -number if match[1] == "-" else number
