"""Episodes in real containers of Podman: tasks of Harbor, and environments of one's own."""

from pathlib import Path

import pytest

from agent_support import ScriptedModel, call, executor
from container_support import IMAGE, _podman, podman  # noqa: F401
from helm.agents.errors import AgentError
from helm.agents.harbor.task import demo_task_names, read_task
from helm.agents.scenarios.harbor_scenario import HarborScenario
from helm.common.agent_request import AgentRequest, EpisodeLimits
from helm.common.errors import ConfigError, ScenarioError
from helm.common.object_spec import ObjectSpec, create_object
from helm.common.sandbox.container_engine import OWNER_LABEL, find_engine

pytestmark = pytest.mark.usefixtures("podman")
BOX = "helm.agents.environments.container_box.ContainerBox"
CONTAINER = "helm.agents.harbor.box.HarborContainer"


def make_task(folder, name="task", **changes):
    """A task whose image is built by a command, and whose verifier looks for what the command made."""
    files = {
        "task.toml": "",
        "instruction.md": "Copy made.txt to done.txt.",
        "environment/Dockerfile": f"FROM {IMAGE}\nWORKDIR /work\nRUN echo 42 > made.txt\n",
        "tests/test.sh": "#!/bin/sh\ncat /work/done.txt\ngrep -q 42 /work/done.txt && r=1 || r=0\n"
        'echo "{\\"reward\\": $r, \\"style\\": 0.5}" > /logs/verifier/reward.json\n',
        "solution/solve.sh": "cp made.txt done.txt\n",
        **changes,
    }
    for path, text in files.items():
        if text is not None:
            target = Path(folder) / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
    return str(Path(folder) / name)


def run(place, agent="OracleAgent", model=None, retries=0, **args):
    task = read_task(place)
    request = AgentRequest(
        task=task.name,
        messages=[{"role": "user", "content": task.steps[0].instruction}],
        model_deployment="x/y",
        agent=ObjectSpec(f"helm.agents.agents.{agent}"),
        environment=ObjectSpec(CONTAINER, {"task": place, "sha256": task.sha256, "engine": "podman", **args}),
        check=ObjectSpec("helm.agents.harbor.box.HarborCheck"),
        limits=EpisodeLimits(seconds=120.0),
    )
    return executor(model or ScriptedModel(), "exclude", retries=retries).run_episode(request)


def test_a_task_whose_image_is_built_is_solved_by_the_oracle_and_by_a_model(tmp_path):
    place = make_task(tmp_path)
    (found,) = HarborScenario(place, environment="auto").get_instances("")
    assert found.extra_data["environment"]["class_name"] == CONTAINER
    solved = run(place)
    assert (solved.reward, solved.rewards["style"]) == (1.0, 0.5), solved.error
    assert solved.environment["sandbox"] == "podman" and solved.environment["network"] == "none"
    assert len(solved.environment["image_digest"].removeprefix("sha256:")) == 64
    model = ScriptedModel(
        [call("bash", {"command": "ls; ls /tests /solution; cat made.txt > done.txt; X=5"})],
        [call("bash", {"command": "echo $X; pwd"}), call("view", {"path": "done.txt"})],
        [call("submit", {"answer": "ok"})],
    )
    result = run(place, "ReactLoop", model)
    told = [event["content"] for event in result.events if event["kind"] == "tool_result"]
    assert told[0].startswith("made.txt\n") and "test.sh" not in told[0]
    assert told[1] == "5\n/work\n" and told[2].split() == ["1", "42"]
    assert result.reward == 1.0 and "42" in result.events[-1]["log"]


@pytest.mark.slow
def test_a_separate_verifier_sees_the_artifacts_and_nothing_else_of_the_agents(tmp_path):
    test_sh = (
        "#!/bin/sh\nls /work /work/out\n[ -e /work/out/skipped.log ] && bad=1\n"
        'if grep -q 42 /work/out/a.txt && [ ! -e /work/other ] && [ -z "$bad" ] && [ -e /logs/artifacts/collected ]; '
        "then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n"
    )
    toml = (
        'artifacts = [{source = "/work/out", exclude = ["*.log"]}]\n'
        '[verifier]\nenvironment_mode = "separate"\n'
        '[[verifier.collect]]\ncommand = "mkdir -p /logs/artifacts; touch /logs/artifacts/collected"\n'
    )
    solve = "mkdir out; cp made.txt out/a.txt; touch out/skipped.log other\n"
    place = make_task(tmp_path, **{"task.toml": toml, "tests/test.sh": test_sh, "solution/solve.sh": solve})
    result = run(place)
    assert result.reward == 1.0, (result.error, result.events[-1])
    assert run(place, "NothingAgent").reward == 0.0


@pytest.mark.slow
def test_a_verifier_with_an_image_of_its_own(tmp_path):
    """It has the artifacts, its own programs and variables, and nothing of the agent's image; a missing image costs nothing."""
    build = Path(tmp_path) / "build"
    build.mkdir()
    (build / "Dockerfile").write_text(f"FROM {IMAGE}\nRUN mkdir /judge\nRUN echo 42 > /judge/expected\n")
    find_engine("podman").build_image("localhost/helm-judge:1", str(build), False, 120.0)
    toml = (
        'artifacts = ["/work/done.txt"]\n[verifier.environment]\ndocker_image = "localhost/helm-judge:1"\nworkdir = "/judge"\n'
        '[verifier.environment.env]\nWORD = "apart"\n[verifier.environment.healthcheck]\ncommand = "test -e /judge/expected"\n'
    )
    test_sh = (
        "#!/bin/sh\necho $WORD; ls /work\n"
        'if [ "$(cat /work/done.txt)" = "$(cat expected)" ] && [ ! -e /work/made.txt ]; then r=1; else r=0; fi\n'
        "echo $r > /logs/verifier/reward.txt\n"
    )
    place = make_task(tmp_path, **{"task.toml": toml, "tests/test.sh": test_sh})
    result = run(place)
    assert result.reward == 1.0, (result.error, result.events[-1])
    assert result.events[-1]["log"] == "apart\ndone.txt\n"
    described = result.environment
    assert described["verifier"]["image"] == "localhost/helm-judge:1"
    assert described["verifier"]["image_digest"] not in (None, described["image_digest"])
    assert run(place, "NothingAgent").reward == 0.0
    (Path(place) / "task.toml").write_text(toml.replace("helm-judge", "helm-none"))
    read_task.cache_clear()
    result = run(place, "ReactLoop", ScriptedModel())
    assert result.cause == "sandbox" and "helm-none" in result.error and result.counts.turns == 0
    for wrong, words in (
        ('[verifier.environment]\nworkdir = "/x"\n', "names no docker_image"),
        (
            '[verifier.environment]\ndocker_image = "x"\ngpus = 1\n',
            "of its verifier's environment: it needs an accelerator",
        ),
    ):
        (Path(place) / "task.toml").write_text(wrong)
        read_task.cache_clear()
        with pytest.raises(ScenarioError, match=words):
            HarborScenario(place, environment="podman").get_instances("")


@pytest.mark.slow
def test_steps_users_and_health_checks(tmp_path):
    toml = (
        f'[environment]\ndocker_image = "{IMAGE}"\nworkdir = "/data"\n'
        '[environment.healthcheck]\ncommand = "test -d /data"\ninterval_sec = 0.1\n[agent]\nuser = "nobody"\n'
        '[[steps]]\nname = "one"\nmin_reward = 1.0\n[[steps]]\nname = "two"\n'
    )
    reward = "> /logs/verifier/reward.txt\n"
    one = f"#!/bin/sh\nif [ -e /tmp/one ] && [ $(id -u) = 0 ]; then echo 1; else echo 0; fi {reward}"
    two = f"#!/bin/sh\nif [ -e /tmp/two ] && [ -e /data/given.txt ]; then echo 1; else echo 0; fi {reward}"
    place = make_task(tmp_path, **{
        "task.toml": toml, "environment/Dockerfile": None, "instruction.md": None, "tests/test.sh": None,
        "solution/solve.sh": None,
        "steps/one/instruction.md": "Touch one.", "steps/one/tests/test.sh": one,
        "steps/one/solution/solve.sh": "id -un; touch /tmp/one\n",
        "steps/two/instruction.md": "Touch two.", "steps/two/tests/test.sh": two, "steps/two/workdir/given.txt": "x",
        "steps/two/solution/solve.sh": "touch /tmp/two\n",
    })  # fmt: skip
    result = run(place)
    assert result.reward == 1.0, result.error
    assert "nobody" in next(event["content"] for event in result.events if event["kind"] == "tool_result")
    bad = (
        (Path(place) / "task.toml")
        .read_text()
        .replace("test -d /data", "echo ill; false")
        .replace("0.1", "0.1\nretries = 2")
    )
    (Path(place) / "task.toml").write_text(bad)
    read_task.cache_clear()
    result = run(place)
    assert result.cause == "sandbox" and "health check fails: ill" in result.error


def test_the_demo_is_solved_in_a_container_as_in_bubblewrap():
    """Its tasks begin with an image that is not here, which is said."""
    result = run(demo_task_names()[0])
    assert result.cause == "sandbox" and not result.success
    assert "pull" in result.error or "image" in result.error


def test_what_cannot_run_in_a_container_is_said_before(tmp_path):
    make_task(tmp_path, "fine")
    make_task(
        tmp_path, "compose", **{"environment/docker-compose.yaml": "services: {db: {image: x, privileged: true}}"}
    )
    make_task(tmp_path, "windows", **{"task.toml": '[environment]\nos = "windows"\n'})
    make_task(tmp_path, "hosts", **{
        "task.toml": '[environment]\nnetwork_mode = "allowlist"\nallowed_hosts = ["a.b"]\n'
    })  # fmt: skip
    scenario = HarborScenario(str(tmp_path), environment="podman", network=True, only_plain=False)
    with pytest.raises(ScenarioError) as caught:
        scenario.get_instances("")
    for words in ("3 of 4 tasks", "services.db.privileged is refused", "for windows", "allowed hosts"):
        assert words in str(caught.value)
    found = HarborScenario(str(tmp_path), environment="podman", network=True, only_plain=True).get_instances("")
    assert [instance.id for instance in found] == ["fine"]
    args = found[0].extra_data["environment"]["args"]
    assert args["network"] is True and args["engine"] == "podman" and "pull" not in args
    with pytest.raises(
        ScenarioError, match="environment takes auto, bubblewrap, docker, podman, not 'podmann'. Did you mean"
    ):
        HarborScenario(str(tmp_path), environment="podmann")
    with pytest.raises(AgentError, match="privileged is refused"):
        create_object(ObjectSpec(CONTAINER, {"task": str(tmp_path / "compose")}))


def test_an_environment_of_ones_own(tmp_path):
    (tmp_path / "Dockerfile").write_text(f"FROM {IMAGE}\nRUN mkdir -p /srv && echo built > /srv/a\n")
    args = {"context": str(tmp_path), "files": {"/srv/b": "given"}, "workdir": "/srv", "engine": "podman"}
    request = AgentRequest(
        task="t", messages=[{"role": "user", "content": "?"}], model_deployment="x/y", environment=ObjectSpec(BOX, args),
        agent=ObjectSpec("helm.agents.agents.ReactLoop"),
        check=ObjectSpec("helm.agents.checks.AnswerCheck", {"accepted": ["built given"]}),
    )  # fmt: skip
    model = ScriptedModel(
        [call("bash", {"command": "cat a; cat b"}), call("python", {"code": "print(1)"})],
        [call("submit", {"answer": "built given"})],
    )
    result = executor(model, "exclude", retries=0).run_episode(request)
    assert result.reward == 1.0, result.error
    told = [event for event in result.events if event["kind"] == "tool_result"]
    assert told[0]["content"] == "built\ngiven" and told[1]["returncode"] == 127
    for wrong, words in (
        ({}, "either an image or a context"),
        ({"image": "a", "engine": "x"}, "engine takes auto, docker"),
    ):
        with pytest.raises(AgentError, match=words):
            create_object(ObjectSpec(BOX, wrong))


def test_a_machine_without_an_engine_is_told_before_the_first_request(monkeypatch, tmp_path):
    from helm.common.sandbox import container_engine

    container_engine._try_engine.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    request = AgentRequest(
        task="t", environment=ObjectSpec(BOX, {"image": "a"}), agent=ObjectSpec("helm.agents.agents.ReactLoop")
    )
    with pytest.raises(ConfigError, match="These tasks need containers: docker is not installed"):
        executor(ScriptedModel()).check_machine([request])
    place = make_task(tmp_path)
    with pytest.raises(ScenarioError, match="it runs a command: .* so it needs a container: docker is not installed"):
        HarborScenario(place).get_instances("")
    container_engine._try_engine.cache_clear()


COMPOSE = f"""
services:
  main:
    depends_on:
      source: {{condition: service_healthy}}
      setup: {{condition: service_completed_successfully}}
    environment: [GREETING=hello]
    volumes: ["shared:/shared"]
  setup:
    image: {IMAGE}
    command: ["sh", "-c", "echo $$WORD > /shared/word"]
    environment: {{WORD: "${{SECRET:-plum}}"}}
    volumes: ["shared:/shared"]
  source:
    build: ./source
    volumes: ["./hooks:/hooks:ro"]
    healthcheck:
      test: git ls-remote git://localhost/x
      interval: 300ms
      retries: 50
volumes:
  shared:
"""
SOURCE = f"""FROM {IMAGE}
RUN git -c init.defaultBranch=trunk init -q /srv/x && \\
    git -C /srv/x -c user.name=a -c user.email=a@b commit -q --allow-empty -m one
CMD ["sh", "-c", "[ -x /hooks/run.sh ] && exec git-daemon --export-all --base-path=/srv /srv"]
"""


def test_services_of_a_compose_file_are_beside_the_agent_and_end_with_it(tmp_path):
    place = make_task(tmp_path, **{
        "environment/docker-compose.yaml": COMPOSE,
        "environment/source/Dockerfile": SOURCE,
        "environment/hooks/run.sh": "#!/bin/sh\n",
        "tests/test.sh": "#!/bin/sh\ngit ls-remote git://source/x | grep -q trunk && grep -q 42 /work/done.txt && r=1 || r=0\n"
        "echo $r > /logs/verifier/reward.txt\n",
    })  # fmt: skip
    model = ScriptedModel(
        [call("bash", {"command": "git ls-remote git://source/x HEAD | cut -c1-0; echo $GREETING; cat /shared/word"})],
        [call("bash", {"command": "(echo > /dev/tcp/192.0.2.1/80) 2>&1 | grep -o unreachable; ls /hooks"})],
        [call("bash", {"command": "cp made.txt done.txt"})],
        [call("submit", {"answer": "ok"})],
    )
    result = run(place, "ReactLoop", model)
    assert result.reward == 1.0, (result.error, result.events)
    told = [event["content"] for event in result.events if event["kind"] == "tool_result"]
    assert told[0].split()[-2:] == ["hello", "plum"], told
    assert "unreachable" in told[1] and "run.sh" not in told[1], told
    assert result.environment["services"] == ["main", "setup", "source"]
    engine = find_engine("podman")
    assert engine.call("ps", "--all", "--quiet", "--filter", f"label={OWNER_LABEL}") == b""
    assert engine.call("volume", "ls", "--quiet", "--filter", f"label={OWNER_LABEL}") == b""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("service", "words"),
    [
        (f"{{image: {IMAGE}, command: [sh, -c, 'echo bad; exit 3']}}", "the service db has ended with status 3"),
        (f"{{image: {IMAGE}, command: sleep 50, healthcheck: {{test: exit 1, interval: 10ms}}}}", "not become healthy"),
        ("{image: localhost/helm-missing:1}", "no image 'localhost/helm-missing:1'"),
    ],
)
def test_a_service_that_does_not_come_up_is_a_failure_of_the_sandbox(tmp_path, service, words):
    health = (
        service if "healthcheck" in service or "missing" in service else service[:-1] + ", healthcheck: {test: exit 1}}"
    )
    place = make_task(tmp_path, **{
        "environment/docker-compose.yaml": f"services: {{main: {{image: {IMAGE}}}, db: {health}}}"
    })  # fmt: skip
    result = run(place)
    assert (result.outcome, result.cause) == ("infrastructure", "sandbox")
    assert words.lower() in result.error.lower()
    assert find_engine("podman").call("ps", "--all", "--quiet", "--filter", f"label={OWNER_LABEL}") == b""


def test_a_compose_file_of_ones_own(tmp_path):
    (tmp_path / "compose.yaml").write_text(f"services: {{main: {{image: {IMAGE}, working_dir: /srv}}}}")
    box = create_object(ObjectSpec(BOX, {"compose": str(tmp_path), "engine": "podman"}))
    box.start(EpisodeLimits())
    try:
        assert box.workdir == "/srv" and box.session.run(["sh", "-c", "pwd"], wall_s=60).output == b"/srv\n"
    finally:
        box.close()
