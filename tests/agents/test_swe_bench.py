"""SWE-bench: scores of logs, compared with the vectors, and issues that are resolved in a container."""

import json

import pytest

from agent_support import ScriptedModel, call, executor
from container_support import IMAGE, _podman, podman  # noqa: F401
from helm.agents.swe_bench.logs import parse_log, read_log
from helm.agents.swe_bench.patches import changed_files, split_patch, submitted_patch
from helm.agents.swe_bench.reports import make_report
from helm.agents.swe_bench.swe_bench_scenario import SweBenchScenario
from helm.common.agent_request import AgentRequest
from helm.common.errors import ConfigError, ScenarioError
from helm.common.object_spec import ObjectSpec
from helm.common.sandbox.container_engine import ContainerEngine
from vectors_support import vector_cases


@pytest.mark.parametrize("case", vector_cases("agents/swebench_logs.json"), ids=lambda case: case["id"])
def test_logs(case):
    if case.get("whole"):
        states, is_usable = read_log(case["log"], case["parser"])
        assert {"status": states, "found": is_usable} == case["expected"]
    else:
        assert parse_log(case["log"], case["parser"]) == case["expected"]


def test_an_unknown_parser_is_named():
    with pytest.raises(ConfigError, match="parse_log_pytst.*pytest"):
        parse_log("", "parse_log_pytst")


@pytest.mark.parametrize("case", vector_cases("agents/swebench_report.json"), ids=lambda case: case["id"])
def test_reports(case):
    report = make_report(case["status"], case["FAIL_TO_PASS"], case["PASS_TO_PASS"], case["eval_type"])
    expected = case["expected"]
    assert vars(report.fail_to_pass) == expected["FAIL_TO_PASS"]
    assert vars(report.pass_to_pass) == expected["PASS_TO_PASS"]
    assert report.fail_to_pass.share == expected["fail_to_pass_share"]
    assert report.pass_to_pass.share == expected["pass_to_pass_share"]
    assert report.resolution == expected["resolution"]


PATCH = (
    "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    "diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\n"
    'diff --git "a/tests/t\\303\\251.py" "b/tests/t\\303\\251.py"\nnew file mode 100644\n'
    "diff --git a/tests/test_a.py b/tests/test_a.py\n--- a/tests/test_a.py\n+++ b/tests/test_a.py\n@@ -1 +1 @@\n-a\n+b"
)


def test_what_counts_of_a_patch():
    assert len(split_patch(PATCH)) == 4 and split_patch("no patch") == []
    assert {"a.py", "logo.png", "tests/test_a.py"} < changed_files(PATCH)
    tests = "diff --git a/tests/test_a.py b/tests/test_a.py\n"
    kept = submitted_patch(PATCH, tests)
    assert "x = 2" in kept and "logo" not in kept and "test_a" not in kept and kept.endswith("\n")
    assert submitted_patch(PATCH, "").count("diff --git") == 3


ROW = {
    "instance_id": "acme__shop-1", "repo": "acme/shop", "base_commit": "base", "problem_statement": "x should be 2.",
    "test_patch": "diff --git a/test_x.sh b/test_x.sh\n", "FAIL_TO_PASS": '["test_x"]', "PASS_TO_PASS": ["test_old"],
    "patch": "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n",
    "eval_script": (
        "echo '>>>>> Start Test Output'\n"
        "if grep -q 'x = 2' a.py; then echo PASSED test_x; else echo FAILED test_x; fi\n"
        "if grep -q broken a.py; then echo FAILED test_old; else echo PASSED test_old; fi\n"
        "[ -e hang ] && sleep 60; [ -e silent ] && exit 1\n"
        "echo '>>>>> End Test Output'\n"
    ),
    "log_parser": "parse_log_pytest", "image": "localhost/helm-swe:1",
}  # fmt: skip


def read_rows(tmp_path, *rows, **args):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return SweBenchScenario(path=str(path), **args).get_instances(str(tmp_path))


def test_rows_become_tasks(tmp_path):
    (found,) = read_rows(tmp_path, ROW, {**ROW, "instance_id": "Acme__shop-2"}, instances=["acme__shop-1"])
    assert (found.id, found.sub_split) == ("acme__shop-1", "acme/shop")
    assert found.extra_data["check"]["args"]["fail_to_pass"] == ["test_x"]
    assert "PASSED" not in json.dumps(found.extra_data["messages"])
    assert found.extra_data["environment"]["args"]["image"] == "localhost/helm-swe:1"
    (found,) = read_rows(tmp_path, {**ROW, "instance_id": "Acme__shop-2", "image": None})
    image = "docker.io/swebench/sweb.eval.x86_64.acme_1776_shop-2:latest"
    assert found.extra_data["environment"]["args"]["image"] == image
    with pytest.raises(ScenarioError, match="lacks 'eval_script'. Rows of SWE-bench 5 have it"):
        read_rows(tmp_path, {name: value for name, value in ROW.items() if name != "eval_script"})
    with pytest.raises(ScenarioError, match="has no acme__shop-9. Did you mean"):
        read_rows(tmp_path, ROW, instances=["acme__shop-9"])


@pytest.mark.slow
def test_an_issue_is_resolved_in_a_container(tmp_path, podman):  # noqa: F811
    """By the data set's patch, by a model, and not by what breaks, hangs, or changes the tests only."""
    context = tmp_path / "image"
    context.mkdir()
    git = "git -c user.name=a -c user.email=a@b"
    (context / "Dockerfile").write_text(
        f"FROM {IMAGE}\nWORKDIR /testbed\n"
        f"RUN git init -q && echo 'x = 1' > a.py && git add a.py && {git} commit -qm base && git tag base\n"
    )
    ContainerEngine("podman").build_image("localhost/helm-swe:1", str(context), False, 120)
    (found,) = read_rows(tmp_path, ROW, engine="podman")
    data = found.extra_data

    def resolve(*commands, seconds=30):
        check = {**data["check"]["args"], "seconds": seconds}
        request = AgentRequest(
            task="t", messages=data["messages"], model_deployment="x/y",
            environment=ObjectSpec(data["environment"]["class_name"], data["environment"]["args"]),
            check=ObjectSpec(data["check"]["class_name"], check),
            agent=ObjectSpec("helm.agents.agents.OracleAgent", {"solution": data["solution"]})
            if not commands else ObjectSpec("helm.agents.agents.ReactLoop"),
        )  # fmt: skip
        calls = [call("bash", {"command": command}) for command in commands]
        model = ScriptedModel(calls, [call("submit", {"answer": "done"})])
        result = executor(model, "exclude", retries=0).run_episode(request)
        assert result.success, result.error
        return result.reward, result.checks.get("why") or result.checks["resolution"]

    assert resolve() == (1.0, "RESOLVED_FULL")
    assert resolve("echo 'x = 2 # broken' > a.py") == (0.0, "RESOLVED_NO")
    assert resolve("echo 'exit 0' > test_x.sh") == (0.0, "empty_patch")
    assert resolve("echo 'x = 2' > a.py; touch hang; echo 1 > hang", seconds=2) == (0.0, "tests_timed_out")
    assert resolve("echo 'x = 2' > a.py; echo 1 > silent") == (0.0, "log_unusable")
    assert resolve("rm -rf .git") == (0.0, "empty_patch")
