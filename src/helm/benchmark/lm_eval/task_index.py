"""Keeps the names of a task library in the user's cache, since reading them out of 14,000 files takes seconds."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from helm.benchmark.declarative.lm_eval_reading import FunctionReference
from helm.common.data.hub_datasets import default_cache_folder
from helm.common.files import write_text_atomically
from helm.common.formats.json_reading import read_json

_FORMAT = 1
"""Raise it when what is kept, or how names are read, changes."""

_ENDINGS = (".yaml", ".yml")
_FUNCTION = "!function"


@dataclass
class Names:
    """What a folder of task files names. Files are relative to the folder."""

    tasks: dict[str, str] = field(default_factory=dict)
    """The file of each task."""

    groups: list[dict[str, Any]] = field(default_factory=list)
    """`{name, file, members, aggregates}` of each group."""

    tags: dict[str, list[str]] = field(default_factory=dict)
    """The tasks of each tag."""


class TaskIndex:
    """The kept names of one folder. They are read again when a file of it is added, removed or changed."""

    def __init__(self, root: str):
        self._root = os.path.realpath(root)
        place = hashlib.sha256(self._root.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self._path = os.path.join(default_cache_folder(), "lm_eval", "names", f"{place}.json")

    @cached_property
    def files(self) -> dict[str, tuple[int, int]]:
        """The task files by relative name, in order, with the time of their last change (ns) and their size (bytes)."""
        return dict(_files(self._root, ""))

    @property
    def _fingerprint(self) -> str:
        text = json.dumps([_FORMAT, self._root, list(self.files.items())])
        return hashlib.sha256(text.encode()).hexdigest()

    def read(self) -> Names | None:
        """Return the names; None if none are kept, or they are of other files, or damaged."""
        try:
            with open(self._path, "rb") as file:
                data = read_json(file.read())
        except (OSError, ValueError):
            return None
        return self._checked(data)

    def _checked(self, data: Any) -> Names | None:
        if not isinstance(data, dict) or data.get("fingerprint") != self._fingerprint:
            return None
        tasks: Any = data.get("tasks")
        groups: Any = data.get("groups")
        tags: Any = data.get("tags")
        is_sound = (
            isinstance(tasks, dict)
            and all(isinstance(file, str) and file in self.files for file in tasks.values())
            and isinstance(groups, list)
            and all(map(self._is_group, groups))
            and isinstance(tags, dict)
            and all(
                isinstance(names, list) and all(map(tasks.__contains__, map(str, names))) for names in tags.values()
            )
        )
        return Names(tasks, [_decoded(group) for group in groups], tags) if is_sound else None

    def _is_group(self, group: Any) -> bool:
        return (
            isinstance(group, dict)
            and isinstance(group.get("name"), str)
            and isinstance(group.get("file"), str)
            and group["file"] in self.files
            and isinstance(group.get("members"), list)
            and isinstance(group.get("aggregates"), list)
        )

    def write(self, names: Names) -> None:
        """Keep the names. A cache that cannot be written is no reason to fail."""
        data = {"fingerprint": self._fingerprint, "tasks": names.tasks, "groups": names.groups, "tags": names.tags}
        try:
            text = json.dumps(data, default=_encoded)
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
            write_text_atomically(self._path, text)
        except (OSError, TypeError, ValueError):
            return


def _files(folder: str, relative: str) -> Iterator[tuple[str, tuple[int, int]]]:
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError:
        return
    folders = []
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if not entry.name.startswith((".", "__")):
                folders.append(entry)
        elif entry.name.endswith(_ENDINGS) and entry.is_file():
            about = entry.stat()
            yield relative + entry.name, (about.st_mtime_ns, about.st_size)
    for entry in folders:
        yield from _files(entry.path, f"{relative}{entry.name}/")


def _encoded(value: Any) -> Any:
    if isinstance(value, FunctionReference):
        return {_FUNCTION: value.name}
    raise TypeError(f"a {type(value).__name__} is not kept")


def _decoded(value: Any) -> Any:
    if isinstance(value, Mapping):
        if set(value) == {_FUNCTION}:
            return FunctionReference(str(value[_FUNCTION]))
        return {key: _decoded(item) for key, item in value.items()}
    return [_decoded(item) for item in value] if isinstance(value, list) else value


__all__ = ["Names", "TaskIndex"]
