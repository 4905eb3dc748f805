"""`gradbench repo` and Docker: which commands are run, by a program of that name that takes them down."""

import json
import os
import shlex
import sys
from pathlib import Path

import pytest
import yaml

from helm.gradbench import main as gradbench

DOCKER = """#!{python} -IS
import json, os, sys
with open(os.environ["DOCKER_CALLS"], "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
if sys.argv[1] == "build":
    if any("broken" in word for word in sys.argv):
        print("#3 0.1 no such base")
        sys.exit(17)
    print("#2 CACHED")
elif sys.argv[1] == "run":
    image = next(word for word in sys.argv if "/gradbench/" in word)
    side = {{"eval": "print('{{\\"id\\": 0, \\"kind\\": \\"start\\", \\"eval\\": \\"toy\\"}}', flush=True); input()",
            "tool": "input(); print('{{\\"id\\": 0}}', flush=True)"}}[image.rpartition("/")[2].partition("-")[0]]
    exec(side)
"""


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Run `gradbench repo` in a repository; returns its exit code, its output, and the words given to docker."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "docker").write_text(DOCKER.format(python=sys.executable))
    (programs / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("DOCKER_CALLS", str(tmp_path / "calls"))
    monkeypatch.setenv("GRADBENCH_REGISTRY", "registry.example")
    repository = tmp_path / "repository"
    for folder in (".git", "evals/toy", "evals/game", "tools/fast", "tools/broken"):
        (repository / folder).mkdir(parents=True)
    monkeypatch.chdir(repository)

    def call_(*arguments):
        calls = tmp_path / "calls"
        calls.unlink(missing_ok=True)
        with pytest.raises(SystemExit) as exit_:
            gradbench.main(["repo", *arguments])
        out, err = capfd.readouterr()
        words = [json.loads(line) for line in calls.read_text().splitlines()] if calls.exists() else []
        return exit_.value.code, out, err, words

    return call_


def built(kind, name, *options, tag="latest"):
    image = f"registry.example/gradbench/{kind}-{name}:{tag}"
    return ["build", ".", *options, "--file", f"{kind}s/{name}/Dockerfile", "--tag", image]


@pytest.mark.parametrize(
    ("flags", "options", "tag", "rest"),
    [
        ("", [], "latest", []),
        ("-t v2", [], "v2", []),
        ("--platform linux/arm64 -- -n 3 --platform x", ["--platform", "linux/arm64"], "latest", "-n 3 --platform x"),
        ("--tag=v2 -n 3", [], "v2", "-n 3"),
    ],
)
def test_an_eval_is_built_and_run(call, flags, options, tag, rest):
    code, out, _, words = call("eval", "toy", *shlex.split(flags))
    rest = rest.split() if rest else []
    run = ["run", *options, "--rm", "--interactive", f"registry.example/gradbench/eval-toy:{tag}", *rest]
    assert words == [[*built("eval", "toy", *options, tag=tag), "--progress=plain"], run]
    assert '"kind": "start"' in out and "CACHED" not in out
    assert code == 1  # of the program itself: its input ends


def test_options_may_stand_before_the_name(call):
    _, _, _, words = call("eval", "-t", "v2", "--platform", "linux/arm64", "toy", "-n", "3")
    options = ["--platform", "linux/arm64"]
    run = ["run", *options, "--rm", "--interactive", "registry.example/gradbench/eval-toy:v2", "-n", "3"]
    assert words == [[*built("eval", "toy", *options, tag="v2"), "--progress=plain"], run]


def test_images_are_built_with_dockers_own_output_and_exit_code(call):
    code, out, _, words = call("build-tool", "fast", "--platform", "linux/amd64", "-t", "v1")
    assert (code, words) == (0, [built("tool", "fast", "--platform", "linux/amd64", tag="v1")])
    assert "#2 CACHED" in out
    assert call("build-tool", "broken")[0] == 17


def test_build_takes_several_names_or_all_and_stops_at_the_first_failure(call):
    code, out, _, words = call("build", "fast", "toy", "--platform", "linux/amd64")
    options = ["--platform", "linux/amd64"]
    assert (code, words) == (0, [built("eval", "toy", *options), built("tool", "fast", *options)])
    assert [line for line in out.splitlines() if line.startswith("building")] == [
        "building eval toy",
        "building tool fast",
    ]
    code, _, _, words = call("build")
    assert (code, words) == (17, [built("eval", "game"), built("eval", "toy"), built("tool", "broken")])
    code, _, err, words = call("build", "tyo")
    assert (code, words) == (1, [])
    assert err == "can't find eval or tool to build: \"tyo\". Did you mean 'toy'?\n"


def test_a_run_builds_each_image_once_and_starts_both_sides_in_theirs(call):
    code, out, _, words = call("run", "-e", "toy", "-e", "toy -n 3", "-t", "fast", "-o", "logs")
    images = [f"registry.example/gradbench/{name}:latest" for name in ("eval-toy", "tool-fast")]
    assert words[:2] == [[*built("eval", "toy"), "--progress=plain"], [*built("tool", "fast"), "--progress=plain"]]
    starts = [["run", "--rm", "--interactive", image, *more] for image in images for more in ([], ["-n", "3"])]
    assert sorted(words[2:]) == sorted([starts[0], starts[1], starts[2], starts[2]])
    assert code == 0 and out.count(" outcome success") == 2
    assert sorted(path.as_posix() for path in Path("logs").rglob("*.jsonl")) == [
        "logs/toy-n-3/fast.jsonl",
        "logs/toy/fast.jsonl",
    ]


def test_nothing_is_built_when_a_name_is_wrong_and_nothing_run_when_a_build_fails(call):
    code, out, err, words = call("run", "-e", "toy", "-t", "fsat")
    assert (code, out, words) == (1, "", [])
    assert err == "can't find tool to build: \"fsat\". Did you mean 'fast'?\n"
    code, _, err, words = call("run", "-e", "toy", "-t", "broken")
    assert code == 1 and [word[0] for word in words] == ["build", "build"]
    assert "no such base" in err and "failed to build tool broken: docker ended with exit code 17" in err


def test_the_workflow_of_init_uses_commands_and_outputs_that_exist(call):
    assert call("init")[0] == 0
    file = Path(".github/workflows/nightly.yml")
    workflow = yaml.safe_load(file.read_text())
    jobs = workflow["jobs"]
    code, out, _, _ = call("matrix")
    printed = {line.partition("=")[0] for line in out.splitlines()}
    assert code == 0 and set(jobs["matrix"]["outputs"]) <= printed
    check = yaml.safe_load(file.with_name("check.yml").read_text())["jobs"]
    steps = [step for job in [*jobs.values(), *check.values()] for step in job["steps"]]
    commands = [step["run"] for step in steps if "run" in step]
    assert not any("${{" in command for command in commands)  # the text of a matrix is no part of a shell's command
    parser = gradbench.build_parser()
    for command in commands:
        words = shlex.split(command.partition("<<<")[0].partition(">>")[0].removeprefix("xargs "))
        if words[0] == "gradbench":
            parser.parse_args(words[1:])
    file.write_text("mine")
    assert call("init")[0] == 0 and file.read_text() == "mine"
