"""Leaving out rows that are too long."""

import re
from typing import Any, Dict, List

from helm.benchmark.declarative.hooks import row_hook
from helm.common.errors import ScenarioError
from helm.common.general import flatten_list

_WHITE_SPACE = re.compile(r"\s+")


def count_words(text: str) -> int:
    """Parts between white space, at least one."""
    return len(_WHITE_SPACE.split(text.strip()))


@row_hook("limit_words")
def limit_words(rows: List[Dict[str, Any]], columns: List[str], max_num_words: int) -> List[Dict[str, Any]]:
    """The rows whose texts in `columns` (texts or lists of them) have at most `max_num_words` words together."""
    kept = []
    for number, row in enumerate(rows):
        texts = flatten_list([row.get(column) for column in columns])
        if not all(isinstance(text, str) for text in texts):
            raise ScenarioError(
                f"Row {row.get('_row', number)}: {', '.join(columns)} are not all texts or lists of texts."
            )
        if sum(map(count_words, texts)) <= max_num_words:
            kept.append(row)
    return kept
