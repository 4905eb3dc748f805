"""Writing JSON files in the layout of every HELM file (`json.dumps(..., indent=2)`, ASCII) at a tenth of its cost.

The indenting encoder of the standard library is pure Python. Here its C encoder writes one line, and msgspec, which
copies numbers and strings as they stand, breaks that line up.
"""

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from helm.common.codec import dump_json, to_json_single_line
from helm.common.files import write_chunks_atomically, write_text_atomically

_ITEMS_PER_BLOCK = 64
MAX_FILE_NAME_BYTES = 240


def indent_json(line: str) -> str:
    """JSON on one line, as `json.dumps` writes it, laid out with an indentation of 2."""
    try:
        return msgspec.json.format(line.encode("ascii"), indent=2).decode("ascii")
    except (msgspec.DecodeError, RecursionError):  # NaN and Infinity, which msgspec refuses
        return dump_json(json.loads(line))


def format_json(value: Any) -> str:
    """`dump_json(value)`, faster."""
    return indent_json(to_json_single_line(value))


def iterate_json_list(lines: Iterator[str]) -> Iterator[str]:
    """The layout of a long list from its items on one line each, in pieces, so that it is never whole in memory."""
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
    """The items of a list without its brackets."""
    return indent_json("[" + ",".join(block) + "]")[1:-2]


def write_json(path: str, value: Any) -> None:
    """Write a value as one file, unless the file is the same already."""
    write_if_changed(path, format_json(value))


def write_json_line(path: str, line: str) -> None:
    """Write JSON that is on one line, laid out, unless the file is the same already."""
    write_if_changed(path, indent_json(line))


def rewrite_json(path: str, value: Any) -> None:
    """Write a value as one file whose time of change is now, even if it is the same."""
    write_text_atomically(path, format_json(value))


def write_json_list(path: str, lines: Iterator[str]) -> None:
    """Write a list from its items on one line each, without holding it whole."""
    write_chunks_atomically(path, iterate_json_list(lines))


def write_if_changed(path: str, text: str) -> None:
    """Write a file unless it holds this text already.

    Replacing a file costs milliseconds where the file system flushes the new one first, reading costs microseconds;
    suites are summarized again after every added run, when most display files are as they were.
    """
    try:
        with open(path, "rb") as file:
            if file.read() == text.encode("utf-8"):
                return
    except FileNotFoundError:
        pass
    write_text_atomically(path, text)


def to_file_name(name: str) -> str:
    """A name from a file as the stem of a file name: without separators, no longer than file systems take."""
    name = name.replace(os.path.sep, "_").replace("\0", "_")
    if os.path.altsep:
        name = name.replace(os.path.altsep, "_")
    encoded = name.encode("utf-8", "surrogateescape")
    if len(encoded) <= MAX_FILE_NAME_BYTES:
        return name
    import hashlib

    digest = hashlib.sha256(encoded).hexdigest()[:16]
    return encoded[: MAX_FILE_NAME_BYTES - 17].decode("utf-8", "ignore") + "-" + digest
