"""Data sets of Harbor's registries, fetched from real git repositories, and the table of what is read of a task."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from helm.agents.harbor.config import KEYS, read_config
from helm.agents.harbor.registry import find_data_set
from helm.agents.scenarios.harbor_scenario import HarborScenario
from helm.benchmark.run_specs.agent_run_specs import get_terminal_tasks_spec
from helm.common.errors import ScenarioError

DOCS = Path(__file__).parents[2] / "docs" / "coming-from-harbor.md"


def git(folder, *words):
    identity = {
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    environment = {**os.environ, **identity, "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(["git", *words], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def write_task(folder, instruction):
    files = {
        "task.toml": 'schema_version = "1.4"\n',
        "instruction.md": instruction,
        "environment/Dockerfile": "FROM debian\nWORKDIR /app\n",
        "tests/test.sh": "#!/bin/sh\necho 1 > /logs/verifier/reward.txt\n",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def repository(tmp_path):
    """A repository with two tasks and a link; its second commit has other words."""
    folder = tmp_path / "tasks.git.work"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    write_task(folder / "tasks" / "greet", "Say hello.")
    write_task(folder / "tasks" / "count", "Count to three.")
    (folder / "secret.txt").write_text("not a task")
    os.symlink("/etc/passwd", folder / "tasks" / "greet" / "link")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    first = git(folder, "rev-parse", "HEAD")
    write_task(folder / "tasks" / "greet", "Say goodbye.")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "two")
    return f"file://{folder}", first, git(folder, "rev-parse", "HEAD")


def write_registry(tmp_path, *data_sets):
    path = tmp_path / "registry.json"
    path.write_text(json.dumps(data_sets))
    return str(path)


def data_set(url, commit, *names, version="2.0", **fields):
    tasks = [{"name": n, "git_url": url, "git_commit_id": commit, "path": f"tasks/{n}", **fields} for n in names]
    return {"name": "little-bench", "version": version, "description": "", "tasks": tasks, "metrics": []}


def test_tasks_are_fetched_at_their_commit(tmp_path, repository):
    url, first, second = repository
    registry = write_registry(
        tmp_path, data_set(url, first, "greet", "count"), data_set(url, second, "greet", version="2.1")
    )

    def instructions(**args):
        scenario = HarborScenario(registry=registry, environment="bubblewrap", **args)
        return {i.id: i.input.text for i in scenario.get_instances(str(tmp_path / "data"))}

    assert instructions(dataset="little-bench@2.0") == {"greet": "Say hello.", "count": "Count to three."}
    assert instructions(dataset="little-bench@2.1") == {"greet": "Say goodbye."}
    kept = sorted(str(p.relative_to(tmp_path / "data")) for p in (tmp_path / "data").rglob("*"))
    assert not [name for name in kept if "secret" in name or ".git/" in name or ".fetch" in name]
    (link,) = (tmp_path / "data").rglob(f"{first}/tasks/greet/link")
    assert not link.is_symlink() and link.read_text() == "/etc/passwd"  # the words of the link, not what it points to
    os.rename(tmp_path / "tasks.git.work", tmp_path / "gone")  # what is there is not fetched again
    assert instructions(dataset="little-bench@2.0", tasks=["count"]) == {"count": "Count to three."}


def test_further_tasks_of_a_commit_join_those_that_are_there(tmp_path, repository):
    url, first, _ = repository
    for names in (["greet"], ["greet", "count"]):
        registry = write_registry(tmp_path, data_set(url, first, *names))
        scenario = HarborScenario(dataset="little-bench", registry=registry, environment="bubblewrap")
        assert [i.id for i in scenario.get_instances(str(tmp_path / "data"))] == names


def test_tasks_beside_the_registry(tmp_path):
    write_task(tmp_path / "mine" / "greet", "Say hello.")
    registry = write_registry(tmp_path, {"name": "mine", "tasks": [{"path": "mine/greet"}]})
    (instance,) = HarborScenario(dataset="mine", registry=registry, environment="bubblewrap").get_instances("")
    assert (instance.id, instance.input.text) == ("greet", "Say hello.")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"path": "../x"}, "leads out of the repository"),
        ({"path": "/etc"}, "leads out of the repository"),
        ({"path": 3}, r"data set 1 \(little-bench@2.0\), task 1: expected 'path'"),
        ({"git_url": "--upload-pack=touch x"}, "takes an https or file URL"),
        ({"git_url": "ext::sh -c x"}, "takes an https or file URL"),
        ({"git_commit_id": "main"}, "the whole hash of a commit"),
        ({"git_commit_id": "a" * 40}, "git fetch of file://.* at aaaa.* failed"),
        ({"path": "tasks/nothing"}, "tasks/nothing"),
    ],
)
def test_what_is_wrong_in_a_registry(tmp_path, repository, fields, words):
    url, first, _ = repository
    registry = write_registry(tmp_path, data_set(url, first, "greet", **fields))
    with pytest.raises(ScenarioError, match=words):
        HarborScenario(dataset="little-bench", registry=registry).get_instances(str(tmp_path / "data"))
    assert not list(tmp_path.rglob("data/repositories/*/*/tasks"))


def test_names_of_data_sets(tmp_path):
    known = [data_set("https://example.org/a", "a" * 40, "t", version=v) for v in ("2.0", "2.1")]
    registry = write_registry(tmp_path, *known)
    assert find_data_set(registry, "little-bench@2.1", "").full_name == "little-bench@2.1"
    for wanted, words in (
        ("little-bench", r"several versions of 'little-bench': little-bench@2.0, little-bench@2.1"),
        ("litle-bench@2.0", r"Did you mean .*little-bench@2.0"),
    ):
        with pytest.raises(ScenarioError, match=words):
            find_data_set(registry, wanted, "")
    with pytest.raises(ScenarioError, match="no file"):
        find_data_set(str(tmp_path / "x.json"), "a", "")
    with pytest.raises(ScenarioError, match="path, or dataset and registry"):
        HarborScenario(dataset="a")
    spec = get_terminal_tasks_spec(dataset="little-bench@2.0", registry=registry)
    assert spec.name == "terminal_tasks:dataset=little-bench@2.0"
    assert (spec.scenario_spec.args["dataset"], "path" in spec.scenario_spec.args) == ("little-bench@2.0", False)


def table():
    text = DOCS.read_text().partition("## Keys of task.toml")[2]
    for line in text.splitlines():
        cells = line.split(" | ")
        if line.startswith("| `"):
            yield re.findall(r"`([^`]+)`", cells[0]), cells[1]


def test_the_table_names_every_key_once():
    named = [key for keys, _ in table() for key in keys]
    known = {f"{section}.{key}".lstrip(".") for section, fields in KEYS.items() for key in fields}
    assert sorted(named) == sorted(known)


def test_what_the_table_calls_refused_is_refused(tmp_path):
    values = {
        "environment.gpus": "[environment]\ngpus = 1\n",
        "environment.tpu": '[environment]\ntpu = "v5"\n',
        "environment.skills_dir": '[environment]\nskills_dir = "/skills"\n',
    }
    refused = {key for keys, effect in table() if effect.startswith("refused") for key in keys}
    assert refused == set(values)
    for number, (key, text) in enumerate(values.items()):
        read_config(text)  # it is no mistake
        folder = tmp_path / str(number)
        write_task(folder, "x")
        (folder / "task.toml").write_text(text)
        with pytest.raises(ScenarioError, match="1 of 1 tasks cannot run here"):
            HarborScenario(str(folder), environment="podman").get_instances("")
        assert key
