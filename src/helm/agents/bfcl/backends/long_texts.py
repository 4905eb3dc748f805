"""The texts that lengthen states and answers in the category of long contexts: literals of one file of the original program."""

import ast
import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from helm.common.errors import HelmError, suggest

FILE_NAME = "long_context.py"
SHA256 = "5c9a5710115609c779e5b2ccb43f6ad58271ed96f2ea7a797edb0d65c385aa38"
"""The digest of the file at the commit of the data set."""

_TYPES: Mapping[str, type] = {
    "FILE_CONTENT_EXTENSION": str,
    "FILES_TAIL_USED": list,
    "POPULATE_FILE_EXTENSION": list,
    "MA_5_EXTENSION": list,
    "MA_20_EXTENSION": list,
    "ORDER_DETAIL_EXTENSION": dict,
    "WATCH_LIST_EXTENSION": list,
    "TRANSACTION_HISTORY_EXTENSION": list,
    "TECHNOLOGY_EXTENSION": list,
    "AUTOMOBILE_EXTENSION": list,
    "CAR_STATUS_METADATA_EXTENSION": str,
    "LONG_WEATHER_EXTENSION": dict,
    "PARKING_BRAKE_INSTRUCTION": str,
    "INTERMEDIARY_CITIES": list,
    "CREDIT_CARD_EXTENSION": dict,
    "BOOKING_RECORD_EXTENSION": dict,
}
"""What the file has to hold."""

LongTexts = Mapping[str, Any]
"""The literals by name. They are shared: copy what you change."""


class LongTextsError(HelmError):
    """The file is not there, or does not hold what it should."""


def read_long_texts(path: str) -> LongTexts:
    """Return the literals that a file assigns to names at its top level; nothing of it is run.

    Raises: LongTextsError.
    """
    try:
        return _read(path, os.stat(path).st_mtime_ns)
    except OSError as e:
        raise LongTextsError(f"{path}: {e.strerror}. It holds the texts of the category with long contexts.") from e


@lru_cache(maxsize=4)
def _read(path: str, stamp: int) -> LongTexts:
    with open(path, "rb") as file:
        source = file.read()
    found: dict[str, Any] = {}
    try:
        for statement in ast.parse(source).body:
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                found[statement.targets[0].id] = ast.literal_eval(statement.value)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        raise LongTextsError(f"{path}: it assigns something that is no literal: {e}") from e
    for name, kind in _TYPES.items():
        if not isinstance(found.get(name), kind):
            hint = "" if name in found else suggest(name, found)
            raise LongTextsError(f"{path}: {name} is not there as a {kind.__name__}.{hint}")
    return found
