"""The task library of lm-evaluation-harness: tasks, groups and tags by name, out of its installed package or a wheel file."""

import fnmatch
import hashlib
import importlib.metadata
import importlib.util
import os
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from helm.benchmark.declarative.lm_eval_reading import load_task_yaml
from helm.benchmark.declarative.lm_eval_task import LMEvalTaskError
from helm.benchmark.lm_eval.task_index import Names, TaskIndex
from helm.common.data.hub_datasets import default_cache_folder
from helm.common.errors import ConfigError, suggest

VARIABLE = "HELM_LM_EVAL"
"""The environment variable that names a wheel file of the library, or a folder of task files."""

MOST_UNKEPT_FILES = 200
"""The names of folders with more files are kept in the user's cache."""

_PACKAGE = "lm_eval"
_DISTRIBUTION = "lm-eval"
_KEY = re.compile(r"""^["']?(task|group|tag|include|class)["']?\s*:[ \t]*(.*?)[ \t]*(?:#.*)?$""", re.MULTILINE)
_PLAIN_NAME = re.compile(r"""^(?:"([^"]*)"|'([^']*)'|([^\s\[\]{}"'!&*|>,][^\[\]{}"',]*))$""")


@dataclass(frozen=True)
class Named:
    """One task of the library, with what a group changes of it."""

    name: str

    path: str
    """Its file."""

    changes: dict[str, Any] = field(default_factory=dict)


@dataclass
class Group:
    """A group: its members (names of tasks, groups and tags, or mappings), and how their scores become one."""

    name: str

    path: str

    members: list[Any]

    aggregates: list[dict[str, Any]] = field(default_factory=list)
    """`aggregate_metric_list`: `{metric, aggregation, weight_by_size, filter_list}`."""


@dataclass
class TaskLibrary:
    """A folder of task files.

    Args:
        label: how run specs name it: `lm_eval==0.4.13`, or the folder.
    """

    root: str

    label: str

    tasks: dict[str, str] = field(default_factory=dict)
    """The file of each task."""

    groups: dict[str, Group] = field(default_factory=dict)

    tags: dict[str, list[str]] = field(default_factory=dict)
    """The tasks of each tag, sorted."""

    def names(self) -> list[str]:
        """Return all names: tasks, groups and tags."""
        return [*self.tasks, *self.groups, *self.tags]

    def expand(self, pattern: str) -> list[Named]:
        """Return the tasks that a name stands for: a task, a group, a tag, or a pattern with `*`, `?` or `[...]`.

        A pattern stands for the tasks whose names match it; for those of groups and tags if there are none.

        Raises: LMEvalTaskError with the nearest name if there is none.
        """
        if pattern in self.tasks or pattern in self.groups or pattern in self.tags:
            return _distinct(self._expand(pattern, {}, ()))
        if any(letter in pattern for letter in "*?["):
            found = [name for name in self.tasks if fnmatch.fnmatchcase(name, pattern)]
            found = found or [name for name in self.names() if fnmatch.fnmatchcase(name, pattern)]
            named = [one for name in found for one in self._expand(name, {}, ())]
            if named:
                return _distinct(named)
        raise LMEvalTaskError(f"{self.label} has no task, group or tag '{pattern}'.{suggest(pattern, self.names())}")

    def one(self, name: str, group: str = "") -> Named:
        """Return the task of a name, as a group has it if one is named. Raises: LMEvalTaskError if it is not one."""
        found = [one for one in self.expand(group) if one.name == name] if group else self.expand(name)
        if len(found) != 1 or found[0].name != name:
            shown = ", ".join(one.name for one in found[:5])
            raise LMEvalTaskError(f"'{name}' stands for {len(found)} tasks ({shown}, ...), and one is needed.")
        return found[0]

    def _expand(self, name: str, changes: dict[str, Any], above: tuple[str, ...]) -> list[Named]:
        if name in above:
            raise LMEvalTaskError(f"The group '{name}' contains itself: {' > '.join([*above, name])}.")
        if name in self.tasks:
            return [Named(name, self.tasks[name], changes)]
        if name in self.groups:
            members = self.groups[name].members
            return [one for member in members for one in self._member(member, changes, (*above, name))]
        if name in self.tags:
            return [Named(task, self.tasks[task], changes) for task in self.tags[name]]
        raise LMEvalTaskError(
            f"The group '{above[-1] if above else name}' names '{name}', which {self.label} does not have."
            + suggest(name, self.names())
        )

    def _member(self, member: Any, changes: dict[str, Any], above: tuple[str, ...]) -> list[Named]:
        if isinstance(member, str):
            return self._expand(member, changes, above)
        if not isinstance(member, dict):
            raise LMEvalTaskError(f"The group '{above[-1]}' has a member that is neither name nor mapping: {member!r}.")
        own = {key: value for key, value in member.items() if key not in ("task", "group", "include")}
        listed = member.get("task")
        if isinstance(listed, list):
            return [one for item in listed for one in self._member(item, {**own, **changes}, above)]
        if not isinstance(listed, str):
            raise LMEvalTaskError(f"The group '{above[-1]}' has a member without the key 'task': {member!r}.")
        return self._expand(listed, {**own, **changes}, above)

    def groups_of(self, name: str) -> list[Group]:
        """Return a group and the groups in it, the outermost first; nothing for a task or a tag."""
        group = self.groups.get(name)
        if group is None:
            return []
        members = [member if isinstance(member, str) else member.get("task") for member in group.members]
        return [group, *(one for member in members if isinstance(member, str) for one in self.groups_of(member))]


def _distinct(named: Iterable[Named]) -> list[Named]:
    return list({one.name: one for one in named}.values())


# ---- Where it is


def find_library(where: str = "") -> TaskLibrary:
    """Return the library in a wheel file or folder, by default that of `HELM_LM_EVAL`, else the installed package's.

    Raises: ConfigError if there is none.
    """
    return _read_library(*_find_place(where))


def _find_place(where: str) -> tuple[str, str]:
    """Return folder and label of the library. Raises: ConfigError if there is none."""
    where = where or os.environ.get(VARIABLE, "")
    if where:
        return _open(where)
    spec = importlib.util.find_spec(_PACKAGE)
    folders = list(spec.submodule_search_locations or []) if spec is not None else []
    root = next((path for one in folders if os.path.isdir(path := os.path.join(one, "tasks"))), None)
    if root is None:
        raise ConfigError(
            "The task library of lm-evaluation-harness is not here. Fetch its wheel (pip download --no-deps lm-eval==0.4.13) "
            f"and set {VARIABLE} to the file; or install it (pip install lm-eval)."
        )
    return root, f"{_PACKAGE}=={importlib.metadata.version(_DISTRIBUTION)}"


def locate_root(recorded: str) -> str:
    """Return the folder that a run spec's `root` names. Raises: ConfigError if it is another version, or not there."""
    if not recorded.startswith(f"{_PACKAGE}=="):
        return recorded or os.curdir
    root, label = _find_place("")
    if label != recorded:
        raise ConfigError(f"The run needs the task library {recorded}, and here is {label}. Set {VARIABLE}.")
    return root


def _open(where: str) -> tuple[str, str]:
    """Return folder and label of a wheel file, which is unpacked once, or of a folder."""
    if os.path.isdir(where):
        of_package = os.path.join(where, "tasks") if os.path.basename(os.path.abspath(where)) == _PACKAGE else ""
        places = (os.path.join(where, _PACKAGE, "tasks"), of_package)
        return next((place for place in places if os.path.isdir(place)), where), where
    match = re.fullmatch(r"lm[_-]eval-([0-9][\w.+!]*)-.*\.whl", os.path.basename(where))
    if not os.path.isfile(where) or match is None:
        raise ConfigError(f"{VARIABLE}: {where} is neither a folder nor a wheel file lm_eval-VERSION-....whl.")
    with open(where, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    root = os.path.join(default_cache_folder(), "lm_eval", digest)
    if not os.path.isdir(root):
        _unpack(where, root)
    return root, f"{_PACKAGE}=={match[1]}"


def _unpack(wheel: str, root: str) -> None:
    """Unpack the task files of a wheel, whole or not at all."""
    import shutil
    import tempfile

    prefix = f"{_PACKAGE}/tasks/"
    os.makedirs(os.path.dirname(root), exist_ok=True)
    scratch = tempfile.mkdtemp(dir=os.path.dirname(root))
    try:
        with zipfile.ZipFile(wheel) as archive:
            for item in archive.infolist():
                relative = item.filename.removeprefix(prefix)
                if item.is_dir() or relative == item.filename or ".." in relative.split("/"):
                    continue
                target = os.path.join(scratch, *relative.split("/"))
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with archive.open(item) as source, open(target, "wb") as file:
                    shutil.copyfileobj(source, file)
        try:
            os.rename(scratch, root)
        except OSError:
            if not os.path.isdir(root):
                raise
    except (OSError, zipfile.BadZipFile) as e:
        raise ConfigError(f"{wheel} cannot be unpacked: {e}.") from e
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


# ---- What is in it


@cache
def _read_library(root: str, label: str) -> TaskLibrary:
    """Return the names of a folder, which are kept between commands until one of its files changes."""
    index = TaskIndex(root)
    is_large = len(index.files) > MOST_UNKEPT_FILES
    names = index.read() if is_large else None
    if names is None:
        names = _read_names(root, list(index.files))
        if is_large:
            index.write(names)
    groups = {
        one["name"]: Group(one["name"], os.path.join(root, one["file"]), one["members"], one["aggregates"])
        for one in names.groups
    }
    tasks = {name: os.path.join(root, file) for name, file in names.tasks.items()}
    return TaskLibrary(root, label, tasks, groups, names.tags)


def _read_names(root: str, files: Iterable[str]) -> Names:
    """Return the names of task files: of every file only the keys that give names are read, not the whole file."""
    names = Names()
    headers = _Headers()
    tags: dict[str, set[str]] = {}
    groups: dict[str, dict[str, Any]] = {}
    for file in files:
        path = os.path.join(root, file)
        keys = headers.own(path)
        if "group" in keys and isinstance(keys.get("task"), list):
            _add_group(groups, file, path)
        elif isinstance(keys.get("task"), str):
            names.tasks.setdefault(keys["task"], file)
            for tag in headers.tags(path):
                tags.setdefault(tag, set()).add(keys["task"])
    names.tags = {tag: sorted(tasks) for tag, tasks in sorted(tags.items())}
    names.tasks = dict(sorted(names.tasks.items()))
    names.groups = list(groups.values())
    return names


def _add_group(groups: dict[str, dict[str, Any]], file: str, path: str) -> None:
    whole = load_task_yaml(path)
    if isinstance(whole.get("group"), str):
        _add_inner_group(groups, file, whole)


def _add_inner_group(groups: dict[str, dict[str, Any]], file: str, member: Any) -> None:
    """Add a group with those that are written inside of it."""
    if not isinstance(member, dict):
        return
    if isinstance(member.get("group"), str) and isinstance(member.get("task"), list):
        listed = member.get("aggregate_metric_list") or []
        aggregates = [listed] if isinstance(listed, dict) else list(listed)
        members = list(member["task"])
        group = {"name": member["group"], "file": file, "members": members, "aggregates": aggregates}
        groups.setdefault(group["name"], group)
        for one in members:
            _add_inner_group(groups, file, one)


class _Headers:
    """The keys of files that give names, read without parsing whole files where a line is enough."""

    def __init__(self) -> None:
        self._own: dict[str, dict[str, Any]] = {}

    def own(self, path: str) -> dict[str, Any]:
        if path not in self._own:
            self._own[path] = _read_header(path)
        return self._own[path]

    def tags(self, path: str, depth: int = 0) -> list[str]:
        """Return the tags of a file, or of the file that it includes."""
        keys = self.own(path)
        found: list[str] = []
        for key in ("tag", "group"):
            value = keys.get(key)
            found += [str(one) for one in (value if isinstance(value, list) else [value] if value else [])]
        included = keys.get("include")
        if "tag" not in keys and included and depth < 8:
            for name in included if isinstance(included, list) else [included]:
                other = os.path.normpath(os.path.join(os.path.dirname(path), str(name)))
                if os.path.isfile(other):
                    found += self.tags(other, depth + 1)
        return list(dict.fromkeys(found))


def _read_header(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, ValueError):
        return {}
    keys: dict[str, Any] = {}
    for match in _KEY.finditer(text):
        name = _PLAIN_NAME.match(match[2])
        if name is None:
            whole = _whole(path)
            return {key: whole[key] for key in ("task", "group", "tag", "include", "class") if key in whole}
        keys[match[1]] = next(group for group in name.groups() if group is not None).strip()
    return keys


def _whole(path: str) -> dict[str, Any]:
    try:
        data = load_task_yaml(path)
    except LMEvalTaskError:
        return {}
    return data if isinstance(data, dict) else {}
