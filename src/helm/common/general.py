"""Helpers that plugins import from here."""

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import asdict
from datetime import date
from typing import Any, TypeVar
from urllib.parse import urlparse

from helm.common.codec import asdict_without_nones
from helm.common.concurrency import InT, OutT, parallel_map
from helm.common.files import write_text_atomically
from helm.common.formats.hocon import parse_hocon
from helm.common.hierarchical_logger import hlog, htrack

__all__ = [
    "InT", "OutT",
    "asdict_without_nones", "assert_is_str", "assert_is_str_list", "assert_present", "binarize_dict", "check_file_exists",
    "ensure_directory_exists", "ensure_file_downloaded", "flatten_list", "format_split", "format_tags", "format_text",
    "format_text_lines", "generate_unique_id", "get_credentials", "get_file_name", "hlog", "htrack", "indent_lines", "is_url",
    "match_case", "parallel_map", "parse_hocon", "serialize", "serialize_dates", "shell", "singleton",
    "unique_simplification", "without_common_entries", "write", "write_lines",
]  # fmt: skip

T = TypeVar("T")


def singleton(items: list[T]) -> T:
    """Return the only item of a list. Raises ValueError if there is not exactly one."""
    if len(items) != 1:
        raise ValueError(f"Expected 1 item, got {len(items)} items: {items}")
    return items[0]


def changed_copy(value: T, **changes: Any) -> T:
    """Return `dataclasses.replace(value, **changes)` several times faster, for what every instance or request of a run needs.

    Neither the names nor, by a `__post_init__`, the values are checked; cached properties are copied.
    """
    copy = object.__new__(type(value))
    copy.__dict__.update(value.__dict__)
    copy.__dict__.update(changes)
    return copy


def assert_present(val: T | None) -> T:
    assert val is not None, "Expected a value, got None"
    return val


def assert_is_str(val: Any) -> str:
    assert isinstance(val, str), f"Expected a str, got {type(val).__name__}"
    return val


def assert_is_str_list(val: Any) -> list[str]:
    assert isinstance(val, list) and all(isinstance(item, str) for item in val), "Expected a list of str"
    return val


def flatten_list(ll: Any) -> list[Any]:
    """Return all leaves of nested lists in order; a value that is not a list becomes a list of one item."""
    if not isinstance(ll, list):
        return [ll]
    return [leaf for item in ll for leaf in flatten_list(item)]


def ensure_directory_exists(path: str) -> None:
    os.makedirs(path, exist_ok=True)


def check_file_exists(path: str, msg: str | None = None) -> None:
    """Raise FileNotFoundError, with `msg` if given, if there is no such file."""
    if not os.path.exists(path):
        raise FileNotFoundError(msg or f"{path} does not exist")


def get_credentials(base_path: str = "prod_env") -> dict[str, Any]:
    """Return keys and secrets: the HOCON text of `HELM_CREDENTIALS`, else `<base_path>/credentials.conf`, else nothing.

    Raises ConfigError that names the file and line, without quoting it, if it is malformed.
    """
    from helm.common.errors import ConfigError

    source, text = "the environment variable HELM_CREDENTIALS", os.environ.get("HELM_CREDENTIALS", "")
    if not text:
        source = os.path.join(base_path, "credentials.conf")
        if not os.path.exists(source):
            return {}
        with open(source, encoding="utf-8") as file:
            text = file.read()
    from pyparsing import ParseBaseException

    try:
        return parse_hocon(text)
    except ParseBaseException as e:
        # The parser's message quotes the text, which contains secrets.
        raise ConfigError(f"{source} is not valid HOCON (line {e.lineno}, column {e.col}).") from None


def shell(args: list[str]) -> None:
    """Run a command (a list of words, never a shell string). Raises subprocess.CalledProcessError if it fails."""
    hlog(f"Executing: {' '.join(args)}")
    import subprocess

    subprocess.run(args, check=True)


def ensure_file_downloaded(
    source_url: str,
    target_path: str,
    unpack: bool = False,
    downloader_executable: str | None = None,
    unpack_type: str | None = None,
) -> None:
    """Download `source_url` to `target_path` unless it exists; `unpack` extracts an archive or file to a folder.

    `unpack_type` is `unzip`, `untar`, `unzstd` or `ungz`; by default it follows from the URL. `downloader_executable` is
    accepted for compatibility and ignored. Raises DownloadError that names the URL.
    """
    from helm.common.data.downloads import ensure_downloaded

    ensure_downloaded(source_url, target_path, unpack=unpack, unpack_type=unpack_type)


def format_text(text: str) -> str:
    """Return the text in quotes, on one line."""
    return json.dumps(text)


def format_text_lines(text: str) -> list[str]:
    return text.split("\n")


def format_tags(tags: list[str]) -> str:
    return f"[{','.join(tags)}]"


def format_split(split: str) -> str:
    return f"|{split}|"


def serialize_dates(obj: Any) -> str:
    """Convert dates to ISO text, as `default` of `json.dumps`."""
    if isinstance(obj, date):
        return obj.isoformat()
    raise TypeError(f"Object of type {type(obj).__name__} is not JSON serializable")


def binarize_dict(d: dict[Any, int]) -> dict[Any, int]:
    """Replace ones by zeros, and keep other values."""  # HELM: a quirk that the vectors contain
    return {key: 0 if value == 1 else value for key, value in d.items()}


def serialize(obj: Any) -> list[str]:
    """Return a line `key: value`, with the value as JSON, for each field of a dataclass."""
    return [f"{key}: {json.dumps(value)}" for key, value in asdict(obj).items()]


def write(file_path: str, content: str) -> None:
    """Write a text file whole."""
    hlog(f"Writing {len(content)} characters to {file_path}")
    write_text_atomically(file_path, content)


def write_lines(file_path: str, lines: list[str]) -> None:
    hlog(f"Writing {len(lines)} lines to {file_path}")
    write_text_atomically(file_path, "".join(line + "\n" for line in lines))


def indent_lines(lines: list[str], count: int = 2) -> list[str]:
    """Indent lines that are not empty."""
    return [" " * count + line if line else "" for line in lines]


def match_case(source_word: str, target_word: str) -> str:
    """Give `target_word` the case of `source_word`: lower case, upper case or capitalized."""
    if source_word.isascii() and source_word.isalpha():  # a faster path with the same result for nearly all words
        if source_word.islower():
            return target_word.lower()
        if source_word.isupper():
            return target_word.upper()
        return target_word.capitalize() if source_word[0].isupper() else target_word
    if all(letter.islower() for letter in source_word):
        return target_word.lower()
    if all(letter.isupper() for letter in source_word):
        return target_word.upper()
    return target_word.capitalize() if source_word[0].isupper() else target_word


def without_common_entries(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop the keys (of the first item) whose values are equal in all items. Raises IndexError without items."""
    common = [key for key in items[0] if all(item[key] == items[0][key] for item in items)]
    return [{key: value for key, value in item.items() if key not in common} for item in items]


def unique_simplification(items: list[dict[str, Any]], priority_keys: list[str]) -> list[dict[str, Any]]:
    """Return the shortest distinguishing prefix of each item's keys (priority keys first), without keys common to all."""

    def ordered(item: dict[str, Any]) -> list[Any]:
        keys = [key for key in priority_keys if key in item] + [key for key in item if key not in priority_keys]
        return [(key, item[key]) for key in keys]

    entries = [ordered(item) for item in without_common_entries(items)]
    results = []
    for entry in entries:
        for length in range(len(entry) + 1):
            if sum(other[:length] == entry[:length] for other in entries) == 1:
                break
        results.append(dict(entry[:length] if entry else []))
    return results


def generate_unique_id() -> str:
    import uuid

    return uuid.uuid4().hex


def get_file_name(path: str) -> str:
    return os.path.basename(path)


def is_url(location: str) -> bool:
    return urlparse(location).scheme in ("http", "https")


def first(items: Iterable[T], matches: Callable[[T], bool]) -> T | None:
    """Return the first item that matches, or None."""
    return next((item for item in items if matches(item)), None)
