"""CSV tables as pandas reads them: the texts of a column of numbers are those of numbers of one type.

Prompts of HELM's table scenarios show `5.0` where a file says `5`, because another row of that column is empty or has a
fraction. This reproduces just that, from the rules that pandas documents, without pandas.
"""

import math
import re
from itertools import takewhile
from typing import Dict, List, NamedTuple, Optional

from helm.benchmark.scenarios.data_rows import read_records

MISSING_TEXTS = frozenset(
    ["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA", "NULL",
     "NaN", "None", "n/a", "nan", "null"]
)  # fmt: skip
"""What a cell without a value says."""

MISSING = "nan"
"""How a missing value is shown."""

_INTEGER = re.compile(r"[ \t]*[-+]?\d+[ \t]*")
_FLOAT = re.compile(r"[ \t]*([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?[ \t]*")
_INFINITY = re.compile(r"[ \t]*([-+]?)inf(?:inity)?[ \t]*", re.IGNORECASE)
_BOOLEANS = {"True": "True", "TRUE": "True", "true": "True", "False": "False", "FALSE": "False", "false": "False"}
_MAX_DIGITS = 17
_SIGNED, _UNSIGNED = range(-(2**63), 2**63), range(2**64)


class Row(NamedTuple):
    """One row of a table."""

    where: str
    """File and line, for messages."""

    cells: Dict[str, str]
    """Column -> text of its value; `MISSING` for none."""


def read_rows(path: str) -> List[Row]:
    """The rows of a CSV file with a header. Raises: ScenarioError that names file and line."""
    records = list(read_records(path))
    columns = {}
    for name in records[0][1] if records else []:
        columns[name] = infer_texts([record[name] for _, record in records])
    return [Row(where, {name: texts[i] for name, texts in columns.items()}) for i, (where, _) in enumerate(records)]


def infer_texts(cells: List[str]) -> List[str]:
    """The cells of a column, each as the text of its value: of whole numbers, of floats, of booleans, or as it stands."""
    present = [cell for cell in cells if cell not in MISSING_TEXTS]
    integers = [int(cell) for cell in takewhile(_INTEGER.fullmatch, present)]
    # Whole numbers are tried first; one that is too large, before anything else is found, makes the column text.
    fit = all(integer in _SIGNED for integer in integers)
    if not fit and len(integers) == len(present):
        fit = all(integer in _UNSIGNED for integer in integers)
    if fit and len(integers) == len(cells):
        return [str(integer) for integer in integers]
    numbers = {cell: _float(cell) for cell in set(present)}
    if fit and all(number is not None for number in numbers.values()):
        return [MISSING if cell in MISSING_TEXTS else repr(numbers[cell]) for cell in cells]
    if all(cell in _BOOLEANS for cell in present):
        return [_BOOLEANS.get(cell, MISSING) for cell in cells]
    return [MISSING if cell in MISSING_TEXTS else cell for cell in cells]


def _float(cell: str) -> Optional[float]:
    """The float that pandas makes of a text: 17 digits, then one multiplication or division. None for other texts
    and for numbers out of range."""
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
