"""Data sets of tasks by name: Harbor's registries, whose tasks are folders of git repositories at a commit.

A registry is a list of `{name, version, description, tasks: [{name, git_url, git_commit_id, path}]}`. The folders of the tasks
alone are fetched, without links, hooks and submodules, and git runs nothing of them.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from helm.benchmark.scenarios.data_rows import read_json
from helm.common.data.data_addresses import offline_variable
from helm.common.data.data_session import UsedDataSet, note_data_set
from helm.common.data.downloads import OfflineError, ensure_downloaded
from helm.common.errors import ScenarioError, suggest
from helm.common.hierarchical_logger import hlog

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SCHEMES = ("https", "file")
_SETTINGS = (
    "core.hooksPath=/dev/null", "core.symlinks=false", "core.fsmonitor=false", "core.autocrlf=false", "submodule.recurse=false",
    "protocol.allow=never", "protocol.https.allow=always", "protocol.file.allow=always", "advice.detachedHead=false",
    "safe.directory=*",
)  # fmt: skip
_GIT = ("git", *(word for setting in _SETTINGS for word in ("-c", setting)))
_FETCH_S = 1800.0
_MOST_SHOWN = 10


@dataclass(frozen=True)
class RegistryTask:
    """A task as a registry names it."""

    name: str

    git_url: str | None
    """None for a folder beside the registry."""

    commit: str

    path: str
    """The folder within the repository, or beside the registry."""


@dataclass(frozen=True)
class RegistryDataSet:
    """A data set of a registry."""

    name: str

    version: str

    tasks: list[RegistryTask]

    @property
    def full_name(self) -> str:
        """Name and version, as they are asked for."""
        return f"{self.name}@{self.version}"


def find_data_set(registry: str, wanted: str, folder: str) -> RegistryDataSet:
    """Return a data set of a registry.

    Args:
        registry: path or https URL of its JSON file.
        wanted: `name@version`, or `name` if there is one version.
        folder: where a registry from the network is kept.

    Raises: ScenarioError, which names the place in the file, or the nearest data set.
    """
    path = registry
    if urlsplit(registry).scheme == "https":
        path = os.path.join(folder, "registry.json")
        os.makedirs(folder, exist_ok=True)
        ensure_downloaded(registry, path)
    elif not os.path.isfile(path):
        raise ScenarioError(f"registry takes a JSON file or an https URL; there is no file {registry}.")
    found = read_json(path)
    if not isinstance(found, list):
        raise ScenarioError(f"{registry}: expected a list of data sets, not a {type(found).__name__}.")
    known = [_read_data_set(item, f"{registry}, data set {number}") for number, item in enumerate(found, 1)]
    name, _, version = wanted.partition("@")
    chosen = [one for one in known if one.name == name and (not version or one.version == version)]
    if len(chosen) == 1:
        return chosen[0]
    names = [one.full_name for one in known]
    if len(chosen) > 1:
        several = ", ".join(one.full_name for one in chosen)
        raise ScenarioError(f"{registry} has several versions of '{wanted}': {several}. Say which.")
    shown = ", ".join(names[:_MOST_SHOWN]) + (
        f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    )
    raise ScenarioError(f"{registry} has no data set '{wanted}'; it has {shown}.{suggest(wanted, names)}")


def _read_data_set(item: Any, where: str) -> RegistryDataSet:
    if not isinstance(item, Mapping):
        raise ScenarioError(f"{where}: expected an object.")
    tasks = item.get("tasks")
    if not isinstance(tasks, list):
        raise ScenarioError(f"{where}: expected 'tasks' to be a list.")
    name, version = _text(item, "name", where), str(item.get("version") or "latest")
    where = f"{where} ({name}@{version})"
    return RegistryDataSet(name, version, [_read_task(task, f"{where}, task {n}") for n, task in enumerate(tasks, 1)])


def _read_task(item: Any, where: str) -> RegistryTask:
    if not isinstance(item, Mapping):
        raise ScenarioError(f"{where}: expected an object.")
    path = _text(item, "path", where)
    if os.path.isabs(path) or ".." in path.split("/") or "\\" in path or "\0" in path:
        raise ScenarioError(f"{where}: the path '{path}' leads out of the repository.")
    name = str(item.get("name") or os.path.basename(os.path.normpath(path)))
    if item.get("git_url") is None:
        return RegistryTask(name, None, "", path)
    url, commit = _text(item, "git_url", where), item.get("git_commit_id")
    if urlsplit(url).scheme not in _SCHEMES or any(letter.isspace() for letter in url):
        raise ScenarioError(f"{where}: git_url takes an https or file URL, not '{url[:200]}'.")
    if not isinstance(commit, str) or not _COMMIT.fullmatch(commit):
        raise ScenarioError(
            f"{where}: git_commit_id takes the whole hash of a commit, not {commit!r}: what is tested has to stay the same."
        )
    return RegistryTask(name, url, commit, path)


def _text(item: Mapping[str, Any], key: str, where: str) -> str:
    value = item.get(key)
    if not isinstance(value, str) or not value:
        raise ScenarioError(f"{where}: expected '{key}' to be a text, not {value!r}.")
    return value


def fetch_tasks(data_set: RegistryDataSet, registry: str, folder: str) -> dict[str, str]:
    """Return the folders of the tasks by name; what is not there yet is fetched.

    Args:
        data_set: the data set.
        registry: where it was found, beside which tasks without a repository are.
        folder: where repositories are kept, by their commit.

    Raises: ScenarioError, which names repository and commit; OfflineError.
    """
    places: dict[str, str] = {}
    wanted: dict[tuple[str, str], list[RegistryTask]] = {}
    for task in data_set.tasks:
        if task.name in places:
            raise ScenarioError(f"{data_set.full_name} has two tasks '{task.name}'.")
        if task.git_url is None:
            places[task.name] = os.path.join(os.path.dirname(os.path.abspath(registry)), task.path)
        else:
            wanted.setdefault((task.git_url, task.commit), []).append(task)
            places[task.name] = os.path.join(_place(folder, task.git_url, task.commit), task.path)
    for (url, commit), tasks in wanted.items():
        _fetch(url, commit, [task.path for task in tasks], folder)
        note_data_set(UsedDataSet(url, data_set.name, data_set.version, commit, commit, len(tasks)))
    for task in data_set.tasks:
        if not os.path.isdir(places[task.name]):
            at = f"{task.git_url} at {task.commit}" if task.git_url else os.path.dirname(os.path.abspath(registry))
            raise ScenarioError(f"{data_set.full_name}, task {task.name}: {at} has no folder '{task.path}'.")
    return places


def _place(folder: str, url: str, commit: str) -> str:
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", url.partition("://")[2]).strip("-.")[-60:]
    return os.path.join(os.path.abspath(folder), "repositories", readable, commit)


def _fetch(url: str, commit: str, paths: Sequence[str], folder: str) -> None:
    """Put folders of a repository into its place, whole or not at all. What is there already is left."""
    place = _place(folder, url, commit)
    missing = [path for path in dict.fromkeys(paths) if not os.path.isdir(os.path.join(place, path))]
    if not missing:
        return
    variable = offline_variable()
    if variable and urlsplit(url).scheme == "https":
        raise OfflineError(f"{place} is missing, and {variable} is set, so {url} is not fetched.")
    if shutil.which("git") is None:
        raise ScenarioError("Tasks of a registry are fetched with git, which is not installed.")
    os.makedirs(os.path.dirname(place), exist_ok=True)
    hlog(f"Fetching {len(missing)} tasks of {url} at {commit[:12]}")
    with tempfile.TemporaryDirectory(dir=os.path.dirname(place), prefix=".fetch-") as scratch:
        _git(scratch, url, commit, "init", "--quiet", "--template=")
        _git(
            scratch,
            url,
            commit,
            "fetch",
            "--quiet",
            "--depth=1",
            "--no-tags",
            "--no-recurse-submodules",
            "--",
            url,
            commit,
        )
        if os.path.isdir(place):  # other tasks of the same commit
            shutil.copytree(place, scratch, dirs_exist_ok=True, symlinks=True)
        for path in missing:
            _git(scratch, url, commit, "checkout", "--quiet", "FETCH_HEAD", "--", path)
        shutil.rmtree(os.path.join(scratch, ".git"))
        old = f"{place}.old"
        shutil.rmtree(old, ignore_errors=True)
        if os.path.isdir(place):
            os.rename(place, old)
        os.rename(scratch, place)
        shutil.rmtree(old, ignore_errors=True)
        os.mkdir(scratch)  # for its owner to remove


def _git(folder: str, url: str, commit: str, *arguments: str) -> None:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "https_proxy", "SSL_CERT_FILE") if name in os.environ}
    environment = {
        **kept, "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_LFS_SKIP_SMUDGE": "1", "GIT_DIR": os.path.join(folder, ".git"), "GIT_WORK_TREE": folder, "LC_ALL": "C",
    }  # fmt: skip
    try:
        done = subprocess.run(
            [*_GIT, *arguments], cwd=folder, env=environment, capture_output=True, timeout=_FETCH_S, check=False
        )
    except subprocess.TimeoutExpired as e:
        raise ScenarioError(f"git {arguments[0]} of {url} at {commit} took longer than {_FETCH_S:g} s.") from e
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()[-500:]
        raise ScenarioError(f"git {arguments[0]} of {url} at {commit} failed: {said}")
