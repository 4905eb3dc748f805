"""The names of a task library are kept between commands, and read again when a file changes."""

import json
import os
import subprocess
import sys

import pytest

from helm.benchmark.declarative.lm_eval_reading import FunctionReference
from helm.benchmark.lm_eval import task_library
from helm.benchmark.lm_eval.task_index import TaskIndex

FILES = {
    "a/one.yaml": "task: one\ntag: [birds]\n",
    "a/two.yaml": "task: two\ninclude: one.yaml\n",
    "group.yaml": "group: all\ntask:\n- one\n- {task: two, process_docs: !function utils.clean}\n"
    "- {group: inner, task: [one], aggregate_metric_list: {metric: acc}}\n",
}


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(task_library, "MOST_UNKEPT_FILES", 0)
    folder = tmp_path / "library"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def names_of(root):
    """What a new process finds: nothing is kept in memory."""
    task_library._read_library.cache_clear()
    library = task_library.find_library(str(root))
    return library.tasks, library.groups, library.tags


def index_file(tmp_path):
    (found,) = (tmp_path / "cache").rglob("*.json")
    return found


def test_names_are_kept(root, monkeypatch):
    first = names_of(root)
    tasks, groups, tags = first
    assert list(tasks) == ["one", "two"] and tags == {"birds": ["one", "two"]}
    assert list(groups) == ["all", "inner"] and groups["inner"].aggregates == [{"metric": "acc"}]
    assert groups["all"].members[1] == {"task": "two", "process_docs": FunctionReference("utils.clean")}
    monkeypatch.setattr(task_library, "_read_names", None)
    assert names_of(root) == first


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "a" / "three.yaml").write_text("task: three\n"),
        lambda root: (root / "a" / "two.yaml").write_text("task: three\n"),
        lambda root: os.rename(root / "a" / "two.yaml", root / "three.yaml"),
        lambda root: os.utime(root / "a" / "two.yaml", ns=(1, 1)),
        lambda root: (root / "a" / "two.yaml").unlink(),
    ],
    ids=["added", "changed", "moved", "touched", "removed"],
)
def test_a_changed_file_is_noticed(root, tmp_path, change):
    names_of(root)
    kept = index_file(tmp_path).read_bytes()
    change(root)
    found = names_of(root)
    assert index_file(tmp_path).read_bytes() != kept
    index_file(tmp_path).unlink()
    assert names_of(root) == found


def spoil(data, key, value):
    return json.dumps({**data, key: value})


@pytest.mark.parametrize(
    "spoiled",
    [
        lambda data: "",
        lambda data: json.dumps(data)[:-9],
        lambda data: "[" * 5000,
        lambda data: "[]",
        lambda data: spoil(data, "tasks", {"one": "../../outside.yaml"}),
        lambda data: spoil(data, "tasks", {"one": "/etc/passwd"}),
        lambda data: spoil(data, "tasks", [["one", "a/one.yaml"]]),
        lambda data: spoil(data, "tags", {"birds": ["unknown"]}),
        lambda data: spoil(data, "tags", {"birds": [["one"]]}),
        lambda data: spoil(data, "groups", [{**data["groups"][0], "file": "../group.yaml"}]),
        lambda data: spoil(data, "groups", [{"name": "all"}]),
        lambda data: spoil(data, "fingerprint", "0"),
    ],
)
def test_a_damaged_or_hostile_index_is_replaced(root, tmp_path, spoiled):
    first = names_of(root)
    whole = index_file(tmp_path).read_text()
    index_file(tmp_path).write_text(spoiled(json.loads(whole)))
    assert names_of(root) == first
    assert index_file(tmp_path).read_text() == whole


def test_a_cache_that_cannot_be_written_does_no_harm(root, tmp_path):
    (tmp_path / "cache").write_text("a file")
    assert list(names_of(root)[0]) == ["one", "two"]


def test_two_processes_may_write_at_once(root, tmp_path):
    program = (
        f"from helm.benchmark.lm_eval import task_library as t; t.MOST_UNKEPT_FILES = 0; t.find_library({str(root)!r})"
    )
    started = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(3)]
    assert [process.wait() for process in started] == [0, 0, 0]
    assert TaskIndex(str(root)).read() is not None
    assert not list((tmp_path / "cache").rglob("*.tmp"))
