"""Maps the output of a multiple-choice question to a reference."""

import re
from collections.abc import Mapping, Sequence
from typing import Optional

from helm.results.run_files.run_folder import RunFileError


def compile_pattern(pattern: str | None, path: str) -> Optional["re.Pattern[str]"]:
    if pattern is None:
        return None
    try:
        return re.compile(pattern)
    except re.error as e:
        raise RunFileError(f"{path}: $.adapter_spec.output_mapping_pattern is not a regular expression: {e}.") from e


def map_output(text: str, output_mapping: Mapping[str, str], pattern: Optional["re.Pattern[str]"]) -> str | None:
    """Return the text of the reference for the label in a text; None if there is none.

    Args:
        pattern: finds the label in the text; None takes the whole text, stripped, as the label.
    """
    label = text.strip()
    if pattern is not None:
        match = pattern.search(label)
        label = "" if match is None else (match.group(1) or "") if match.re.groups else match.group(0)
    return output_mapping.get(label)


def map_answer(
    text: str,
    extracted: Sequence[str | None] | None,
    output_mapping: Mapping[str, str],
    pattern: Optional["re.Pattern[str]"],
) -> str | None:
    """Return the text of the reference for the first answer of a request: for the extracted one, if answers were extracted.

    Args:
        text: the first completion.
        extracted: `RequestState.extracted`.
    """
    if extracted is None:
        return map_output(text, output_mapping, pattern)
    label = extracted[0] if extracted else None
    return output_mapping.get(label) if isinstance(label, str) else None
