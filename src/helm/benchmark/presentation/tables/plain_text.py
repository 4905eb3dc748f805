"""Text of files as terminals may show it; apart from the tables, because `helm-run` ends with one and must start quickly."""

import re
import unicodedata
from typing import Any

from helm.common.formats.number_text import SECONDS

_ANSI_SEQUENCE = r"\x1b(\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])"


def printable(text: Any) -> str:
    """Text that came from a file, on one line and without what a terminal would take as a command."""
    text = str(text)
    if text.isprintable():
        return text.strip()
    text = re.sub(_ANSI_SEQUENCE, "", text)
    return "".join(" " if c.isspace() else c for c in text if c.isspace() or unicodedata.category(c)[0] != "C").strip()


def metric_text(name: str, unit: str | None) -> str:
    """The name of a metric without its unit, where the values have that beside them."""
    return printable(name).removesuffix(f" ({unit})") if unit == SECONDS else printable(name)
