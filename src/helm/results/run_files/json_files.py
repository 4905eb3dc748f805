"""Writes JSON files in the layout of all HELM files (`json.dumps(..., indent=2)`, ASCII) at a tenth of the cost.

The indenting encoder of the standard library is pure Python. Here its C encoder writes one line, which msgspec, which copies
numbers and strings unchanged, then indents.
"""

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from helm.common.codec import dump_json, to_json_single_line
from helm.common.files import write_chunks_atomically, write_text_atomically

# Indenting blocks of items amortizes the calls, while only a few items are in memory.
_ITEMS_PER_BLOCK = 64
# Leaves room for endings and temporary names within the 255 bytes of a file name.
MAX_FILE_NAME_BYTES = 240


def indent_json(line: str) -> str:
    """Indent JSON on one line, as written by `json.dumps`, by two spaces."""
    try:
        return msgspec.json.format(line.encode("ascii"), indent=2).decode("ascii")
    except (msgspec.DecodeError, RecursionError):  # NaN and Infinity, which msgspec refuses
        return dump_json(json.loads(line))


def format_json(value: Any) -> str:
    """Return the same text as `dump_json(value)`, but faster."""
    return indent_json(to_json_single_line(value))


def iterate_json_list(lines: Iterator[str]) -> Iterator[str]:
    """Yield the indented text of a long list, given one line per item, in pieces, so that it is never whole in memory."""
    block: list[str] = []
    opening = "["
    for line in lines:
        block.append(line)
        if len(block) == _ITEMS_PER_BLOCK:
            yield opening + _inner_lines(block)
            block, opening = [], ","
    if block:
        yield opening + _inner_lines(block)
        opening = ","
    yield "[]" if opening == "[" else "\n]"


def _inner_lines(block: Sequence[str]) -> str:
    """Return the indented items of a list without its brackets."""
    return indent_json("[" + ",".join(block) + "]")[1:-2]


def write_json(path: str, value: Any) -> None:
    """Write a value to a file, unless the file already has this content."""
    write_if_changed(path, format_json(value))


def write_json_line(path: str, line: str) -> None:
    """Write JSON given on one line, indented, unless the file already has this content."""
    write_if_changed(path, indent_json(line))


def rewrite_json(path: str, value: Any) -> None:
    """Write a value to a file, whose modification time becomes now even if the content is the same."""
    write_text_atomically(path, format_json(value))


def write_json_list(path: str, lines: Iterator[str]) -> None:
    """Write a list, given one line per item, without having it whole in memory."""
    write_chunks_atomically(path, iterate_json_list(lines))


def write_if_changed(path: str, text: str) -> None:
    """Write a file unless it already has this content.

    Replacing a file costs milliseconds if the file system flushes the new one first, while reading costs microseconds.
    Suites are summarized again after every added run, when most display files are unchanged.
    """
    try:
        with open(path, "rb") as file:
            if file.read() == text.encode("utf-8"):
                return
    except FileNotFoundError:
        pass
    write_text_atomically(path, text)


def to_file_name(name: str) -> str:
    """Convert a name to the stem of a file name: without separators, and no longer than file systems allow."""
    name = name.replace(os.path.sep, "_").replace("\0", "_")
    if os.path.altsep:
        name = name.replace(os.path.altsep, "_")
    encoded = name.encode("utf-8", "surrogateescape")
    if len(encoded) <= MAX_FILE_NAME_BYTES:
        return name
    import hashlib

    digest = hashlib.sha256(encoded).hexdigest()[:16]
    return encoded[: MAX_FILE_NAME_BYTES - 17].decode("utf-8", "ignore") + "-" + digest
