"""Harbor's tasks: description, rewards and plain Dockerfiles against vectors, and tasks that are really run in bubblewrap."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agent_support import ScriptedModel, call, executor, kinds
from helm.agents.errors import AgentError, InfrastructureFailure
from helm.agents.harbor.box import HarborBox, expand_variables
from helm.agents.harbor.config import HarborTaskError, read_config
from helm.agents.harbor.dockerfile import NotPlain, read_plain_dockerfile
from helm.agents.harbor.rewards import combine_steps, goes_on, main_reward, read_rewards
from helm.agents.harbor.task import demo_task_names, find_tasks, read_task
from helm.agents.scenarios.harbor_scenario import HarborScenario
from helm.common.agent_request import AgentRequest, EpisodeLimits
from helm.common.errors import ScenarioError
from helm.common.object_spec import ObjectSpec
from helm.common.sandbox.session import is_available
from vectors_support import vector_cases

needs_bubblewrap = pytest.mark.skipif(not is_available(), reason="there is no bubblewrap")


@pytest.mark.parametrize("case", vector_cases("agents/harbor_config.json"), ids=lambda case: case["id"])
def test_task_files_are_read_as_by_harbor(case):
    try:
        found = {"config": read_config(case["toml"])}
    except HarborTaskError as e:
        found = {"invalid": e.paths}
    assert found == case["expected"]


@pytest.mark.parametrize("case", vector_cases("agents/harbor_rewards.json"), ids=lambda case: case["id"])
def test_rewards_are_read_as_by_harbor(case):
    data = case["text"].encode()
    files = (data, b"0.25") if case["file"] == "reward.json" else (None, data)  # reward.json comes first
    if "error" in case["expected"]:
        with pytest.raises(InfrastructureFailure) as caught:
            read_rewards(*files)
        assert caught.value.cause == "verifier"
    else:
        assert read_rewards(*files) == case["expected"]["rewards"]


@pytest.mark.parametrize("case", vector_cases("agents/harbor_aggregate.json"), ids=lambda case: case["id"])
def test_steps_go_on_as_in_harbor(case):
    if "goes_on" in case["expected"]:
        assert goes_on(case["rewards"], case["min_reward"]) is case["expected"]["goes_on"]
    else:  # their mean over trials counts a missing one as 0, like our mean over the steps of a task
        trials = case["rewards_of_trials"]
        found = combine_steps([trial or {} for trial in trials], len(trials), "mean")
        expected = case["expected"]["mean"]
        assert list(found.values()) == list(expected.values())


def test_steps_that_were_not_reached_count_as_zero():
    assert combine_steps([{"reward": 1.0}], 2, None) == {"reward": 0.5}
    assert combine_steps([{"reward": 1.0}], 2, "final") == {"reward": 0.0}
    assert combine_steps([{"reward": 0.0}, {"reward": 1.0, "style": 0.5}], 2, "final") == {"reward": 1.0, "style": 0.5}
    assert main_reward({"a": 1.0, "b": 0.0}) == 0.5
    with pytest.raises(InfrastructureFailure, match="empty object"):
        main_reward({})


CONTEXT = {"files/a.txt": b"a", "files/deep/b.txt": b"b", "run.sh": b"#!/bin/sh\n", "c.md": b"c"}


def test_plain_dockerfiles_are_understood():
    image = read_plain_dockerfile(
        "# made up\nFROM debian:12 AS base\nENV A=1 B=\"two words\"\nENV C three\nWORKDIR /srv/$A\n"
        "COPY files/ ./\nCOPY --chown=1:1 run.sh *.md extra/\nRUN mkdir -p x \\\n  /y/z\nUSER agent\nCMD [\"sh\"]\n",
        CONTEXT,
    )  # fmt: skip
    assert (image.base, image.workdir, image.user) == ("debian:12", "/srv/1", "agent")
    assert image.environment == {"A": "1", "B": "two words", "C": "three"}
    assert image.files == {
        "/srv/1/a.txt": b"a", "/srv/1/deep/b.txt": b"b", "/srv/1/extra/run.sh": b"#!/bin/sh\n", "/srv/1/extra/c.md": b"c",
    }  # fmt: skip
    assert image.folders == ["/srv/1", "/srv/1/x", "/y/z"]


@pytest.mark.parametrize(
    "text, words",
    [
        ("FROM a\nRUN apt-get update", "runs a command"),
        ("FROM a\nRUN mkdir -p a && rm b", "runs a command"),
        ("FROM a\nRUN mkdir -p $(id)", "runs a command"),
        ("FROM a\nFROM b", "several stages"),
        ("FROM a\nCOPY --from=b /x /y", "copies from elsewhere"),
        ("FROM a\nADD https://x/y /z", "fetches https://x/y"),
        ("FROM a\nCOPY ../../etc/passwd /x", "not beside it"),
        ("FROM a\nCOPY none /x", "not there"),
        ("FROM a\nHEALTHCHECK CMD true", "HEALTHCHECK"),
        ("WORKDIR /x", "no FROM"),
    ],
)
def test_other_dockerfiles_say_why_they_need_a_container(text, words):
    with pytest.raises(NotPlain, match=words):
        read_plain_dockerfile(text, CONTEXT)


def make_task(folder, name="task", **changes):
    """A task whose verifier looks for `done.txt`."""
    files = {
        "task.toml": "",
        "instruction.md": "Write done.txt.",
        "environment/Dockerfile": "FROM scratch\nWORKDIR /app\n",
        "tests/test.sh": "#!/bin/sh\nif [ -e /app/done.txt ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n",
        "solution/solve.sh": "touch /app/done.txt\n",
        **changes,
    }
    for path, text in files.items():
        if text is not None:
            target = Path(folder) / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
    return str(Path(folder) / name)


def test_what_a_folder_lacks_is_said(tmp_path):
    for missing, words in [
        ("task.toml", "holds no task.toml"),
        ("instruction.md", "holds no instruction.md"),
        ("tests/test.sh", "lacks test.sh"),
    ]:
        with pytest.raises(HarborTaskError, match=words):
            read_task(make_task(tmp_path, missing.replace("/", "_"), **{missing: None}))
    with pytest.raises(HarborTaskError, match="is none of demo/"):
        read_task("demo/other")
    with pytest.raises(HarborTaskError, match="holds no task.toml, and no folder in it does"):
        find_tasks(str(tmp_path / "nothing"))


def test_links_are_not_followed(tmp_path):
    place = make_task(tmp_path)
    os.symlink("/etc/passwd", Path(place) / "environment" / "secret")
    os.symlink("/etc", Path(place) / "environment" / "etc")
    assert read_task(place).environment_files.keys() == {"Dockerfile"}


def test_tasks_that_need_containers_are_refused_or_left_out_by_name(tmp_path):
    make_task(tmp_path, "plain")
    make_task(tmp_path, "other", **{"environment/Dockerfile": "FROM a\nRUN pip install x\n"})
    with pytest.raises(
        ScenarioError,
        match=r"1 of 2 tasks cannot run here: other \(it runs a command: pip install x, so it needs a container",
    ):
        HarborScenario(str(tmp_path), environment="bubblewrap").get_instances("")
    (found,) = HarborScenario(str(tmp_path), only_plain=True, environment="bubblewrap").get_instances("")
    assert (
        found.id == "plain"
        and found.extra_data["environment"]["args"]["sha256"] == read_task(str(tmp_path / "plain")).sha256
    )
    with pytest.raises(ScenarioError, match="no task 'plane'. Did you mean"):
        HarborScenario(str(tmp_path), tasks=["plane"]).get_instances("")


def test_what_no_environment_of_ours_has_is_refused_by_name(tmp_path):
    own = '[verifier]\nenvironment_mode = "separate"\n[verifier.environment]\ndocker_image = "a"\n'
    make_task(tmp_path, "plain")
    make_task(tmp_path, "skilled", **{"task.toml": '[environment]\nskills_dir = "/skills"\n'})
    make_task(tmp_path, "own", **{"task.toml": own})
    with pytest.raises(ScenarioError) as caught:
        HarborScenario(str(tmp_path), environment="bubblewrap").get_instances("")
    assert "own (its verifier has an image of its own, so it needs a container), skilled (it gives" in str(caught.value)


def test_servers_of_mcp_need_their_extra(tmp_path, monkeypatch):
    servers = '[[environment.mcp_servers]]\nname = "s"\ntransport = "stdio"\ncommand = "x"\n'
    task = read_task(make_task(tmp_path, **{"task.toml": servers}))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert task.unsupported == "its servers of MCP need the extra `mcp`"


@needs_bubblewrap
def test_a_separate_verifier_in_bubblewrap_sees_the_artifacts_only(tmp_path):
    toml = 'artifacts = ["out.txt"]\n[verifier]\nenvironment_mode = "separate"\n'
    test_sh = (
        "#!/bin/sh\nif [ -e /app/out.txt ] && [ ! -e /app/other ] && [ -e /logs/artifacts/a ]; then r=1; else r=0; fi\n"
        "echo $r > /logs/verifier/reward.txt\n"
    )
    solve = "touch out.txt other; mkdir -p /logs/artifacts; touch /logs/artifacts/a\n"
    place = make_task(tmp_path, **{"task.toml": toml, "tests/test.sh": test_sh, "solution/solve.sh": solve})
    assert run(place, "OracleAgent").reward == 1.0
    assert run(place, "NothingAgent").reward == 0.0


@needs_bubblewrap
def test_files_that_a_task_wants_are_kept_under_names_of_ours(tmp_path, monkeypatch):
    """Their names come from a program of the agent."""
    solve = (
        "touch done.txt; echo kept > out.txt; mkdir -p '/logs/artifacts/..x'; echo 1 > '/logs/artifacts/..x/.. <b>'\n"
        "ln -s /etc/passwd /logs/artifacts/link\n"
    )
    make_task(tmp_path / "tasks", **{"task.toml": 'artifacts = ["out.txt", "missing"]\n', "solution/solve.sh": solve})
    monkeypatch.chdir(tmp_path)
    from helm.benchmark.run import main

    main(["--suite", "s", "-m", "9", "-r", "terminal_tasks:path=tasks,model=agents/oracle"])
    (run_path,) = Path("benchmark_output/runs/s").glob("terminal_tasks*")
    (state,) = json.loads((run_path / "scenario_state.json").read_text())["request_states"]
    found = {item["path"]: item for item in state["result"]["artifacts"]}
    assert found.keys() == {"/app/out.txt", "/logs/artifacts/..x/.. <b>"}
    kept = found["/app/out.txt"]
    assert (run_path / kept["file"]).read_text() == "kept\n" and kept["bytes"] == 5
    assert sorted(path.name for path in (run_path / "artifacts" / "0").iterdir()) == ["0-out.txt", "1-_b_"]


def test_variables_of_this_machine_are_not_passed_on(monkeypatch):
    monkeypatch.setenv("SECRET", "x")
    assert expand_variables({"A": "${SECRET:-none} ${B:-}", "C": "c"}, "t") == {"A": "none ", "C": "c"}
    with pytest.raises(AgentError, match="takes the variable SECRET of this machine, which tasks do not see"):
        expand_variables({"A": "${SECRET}"}, "t")


def run(place, agent, model=None, **limits):
    """The result of one episode of a task."""
    task = read_task(place)
    request = AgentRequest(
        task=task.name,
        messages=[{"role": "user", "content": task.steps[0].instruction}],
        model_deployment="x/y",
        agent=ObjectSpec(f"helm.agents.agents.{agent}"),
        environment=ObjectSpec("helm.agents.harbor.box.HarborBox", {"task": place, "sha256": task.sha256}),
        check=ObjectSpec("helm.agents.harbor.box.HarborCheck"),
        limits=EpisodeLimits(**{"seconds": 60.0, **limits}),
    )
    return executor(model or ScriptedModel(), "exclude", retries=0).run_episode(request)


@needs_bubblewrap
@pytest.mark.parametrize("place", [*demo_task_names()])
def test_the_oracle_solves_each_task_of_the_demo_and_nothing_does_not(place):
    solved, untouched = run(place, "OracleAgent"), run(place, "NothingAgent")
    assert solved.reward == 1.0, solved.error
    assert untouched.success and untouched.reward == 0.0, untouched.error


@needs_bubblewrap
def test_a_model_works_in_the_shell_and_the_steps_follow_each_other(tmp_path):
    steps = '[[steps]]\nname = "one"\nmin_reward = 1.0\n[[steps]]\nname = "two"\n'
    verifier = "#!/bin/sh\n(grep -q {0} /app/done.txt && echo 1 || echo 0) > /logs/verifier/reward.txt\n"
    files = {"instruction.md": None, "tests/test.sh": None, "task.toml": steps}
    for name in ("one", "two"):
        files[f"steps/{name}/instruction.md"] = f"Write {name}."
        files[f"steps/{name}/tests/test.sh"] = verifier.format(name)
    place = make_task(tmp_path, **files)
    model = ScriptedModel(
        [call("bash", {"command": "cd /tmp; X=one"})],
        [call("bash", {"command": "echo $X > /app/done.txt; pwd"})],
        [call("submit", {"answer": "done"})],
        [
            call("create", {"path": "done.txt", "text": "one\ntwo\n"}),
            call("view", {"path": "/app/done.txt", "start": 2}),
        ],
        [call("submit", {"answer": "done"})],
    )
    result = run(place, "ReactLoop", model)
    assert result.reward == 1.0 and result.checks == {"steps": {"one": {"reward": 1.0}, "two": {"reward": 1.0}}}
    contents = [event["content"] for event in result.events if event["kind"] == "tool_result"]
    assert contents[1] == "/tmp\n" and "     2\ttwo" in contents[4]
    told = [m["content"] for m in model.requests[-1].messages if m["role"] == "user"]
    assert told == ["Write one.", "Write two."]
    # A step below its minimum is the last one; what was not reached counts as 0.
    result = run(place, "NothingAgent")
    assert result.reward == 0.0 and result.checks == {"steps": {"one": {"reward": 0.0}}, "not_reached": ["two"]}


@needs_bubblewrap
@pytest.mark.parametrize(
    "test_sh, words",
    [
        ("#!/bin/sh\nexit 0\n", "the verifier left no reward"),
        ("#!/bin/sh\necho yes > /logs/verifier/reward.txt\n", "holds no number"),
        ("#!/bin/sh\necho 1 > /logs/verifier/reward.txt\nsleep 60\n", "The verifier was ended: timeout"),
    ],
    ids=["no reward", "no number", "too long"],
)
def test_a_verifier_that_fails_is_no_reward_of_zero(tmp_path, test_sh, words):
    place = make_task(tmp_path, **{"tests/test.sh": test_sh, "task.toml": "[verifier]\ntimeout_sec = 0.5\n"})
    result = run(place, "OracleAgent")
    assert (result.success, result.reward, result.cause) == (False, None, "verifier") and words in result.error


@needs_bubblewrap
def test_the_exit_status_of_the_verifier_and_old_rewards_count_for_nothing(tmp_path):
    place = make_task(tmp_path, **{"tests/test.sh": "#!/bin/sh\necho 0 > /logs/verifier/reward.txt\nexit 3\n"})
    command = "mkdir -p /logs/verifier; echo '{\"reward\": 1}' > /logs/verifier/reward.json; ls /tests /solution"
    cheat = ScriptedModel([call("bash", {"command": command})], [call("submit", {"answer": "done"})])
    result = run(place, "ReactLoop", cheat)
    assert result.success and result.reward == 0.0
    assert "test.sh" not in next(event["content"] for event in result.events if event["kind"] == "tool_result")


@needs_bubblewrap
def test_a_task_that_has_changed_is_refused(tmp_path):
    place = make_task(tmp_path)
    with pytest.raises(AgentError, match="has changed since this run began"):
        HarborBox(place, "0" * 64)


@needs_bubblewrap
def test_a_sandbox_that_dies_is_not_scored(tmp_path):
    """The session's first process is killed from outside in the middle of the episode."""
    place = make_task(tmp_path)
    boxes = []

    class Watching(ScriptedModel):
        def make_request(self, asked):
            for box in boxes:
                box.session._leader.kill()
            return super().make_request(asked)

    original = HarborBox.start

    def start(self, limits):
        original(self, limits)
        boxes.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HarborBox, "start", start)
        result = run(place, "ReactLoop", Watching([call("bash", {"command": "true"})]))
    assert (result.success, result.reward, result.cause) == (False, None, "sandbox") and kinds(result)[-1] == "error"


def test_the_machine_is_checked_before_anything_is_sent(monkeypatch, tmp_path):
    from helm.common.errors import ConfigError

    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("bwrap") is None
    with pytest.raises(
        ConfigError, match="These tasks need a sandbox by bubblewrap: bubblewrap .bwrap. is not installed"
    ):
        HarborBox.check_machine()


@needs_bubblewrap
def test_the_demo_by_its_run_entry_and_without_bubblewrap(monkeypatch):
    from helm.agents.scenarios.demo_scenario import AgentDemoScenario

    everything = [instance.extra_data["task"] for instance in AgentDemoScenario().get_instances("")]
    assert len(everything) == 11 and everything[-2:] == ["lend-and-return", "free-book"]
    monkeypatch.setattr("helm.common.sandbox.session.is_available", lambda: False)
    assert [i.extra_data["task"] for i in AgentDemoScenario().get_instances("")] == ["lend-and-return", "free-book"]
    with pytest.raises(ScenarioError, match="need bubblewrap, which does not work here"):
        AgentDemoScenario(["hello-file"]).get_instances("")
    with pytest.raises(ScenarioError, match="no task 'helo-file'. Did you mean"):
        AgentDemoScenario(["helo-file"]).get_instances("")


@needs_bubblewrap
def test_a_run_of_the_demo_separates_the_oracle_from_the_baselines(tmp_path):
    command = [sys.executable, "-m", "helm.benchmark.run", "--suite", "s", "-m", "20", "-n", "4", "-r"]
    entries = [f"agent_demo:model=agents/{name}" for name in ("oracle", "random", "nothing")]
    done = subprocess.run([*command, *entries], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found = {}
    for folder in sorted((tmp_path / "benchmark_output" / "runs" / "s").glob("agent_demo*")):
        stats = json.loads((folder / "stats.json").read_text())
        found[folder.name] = next(stat["mean"] for stat in stats if stat["name"]["name"] == "agent_success")
    assert found == {
        "agent_demo:model=agents_nothing": 0.0, "agent_demo:model=agents_oracle": 1.0, "agent_demo:model=agents_random": 0.0,
    }  # fmt: skip
