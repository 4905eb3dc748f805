"""Runs of one command share endpoints: they overlap, stop at a budget, and say what a failed request means."""

import json

import pytest

import conformance_server as faults
from conformance_server import ConformanceServer

QUESTIONS = [
    {
        "input": {"text": f"Question {i}?"},
        "references": [
            {"output": {"text": "hi there"}, "tags": ["correct"]},
            {"output": {"text": "no"}, "tags": []},
        ],
        "split": "test" if i > 4 else "train",
    }
    for i in range(25)
]


@pytest.fixture
def server():
    server = ConformanceServer()
    yield server
    server.close()


@pytest.fixture
def helm(tmp_path, server, monkeypatch):
    """Runs `helm-run` in a folder of its own; returns its exit status."""
    from helm.benchmark import run
    from helm.clients.pacing.limiter import forget_limiters

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.origin}/v1")
    monkeypatch.setenv("HELM_RETRIES", "0")
    forget_limiters()
    for name in ("a", "b", "c", "d"):
        lines = [{**q, "input": {"text": f"{name}: {q['input']['text']}"}} for q in QUESTIONS]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    def helm(*names, flags=(), model="openai-compat/m", cached=False):
        entries = [f"custom_mcqa:path={tmp_path}/{name}.jsonl,num_train_instances=1,model={model}" for name in names]
        try:
            run.main(["-r", *entries, "-m", "20", *([] if cached else ["--disable-cache"]), *flags])
        except SystemExit as e:
            return e.code
        return 0

    yield helm
    forget_limiters()


def files(tmp_path, name):
    """The run of questions `name`: file name -> content."""
    (folder,) = [p for p in (tmp_path / "benchmark_output/runs/default").iterdir() if f"{name}.jsonl" in p.name]
    return {path.name: json.loads(path.read_text()) for path in folder.iterdir() if path.suffix == ".json"}


def value(tmp_path, name, stat):
    stats = [
        s for s in files(tmp_path, name)["stats.json"] if s["name"]["name"] == stat and s["name"]["split"] == "test"
    ]
    return stats[0]["mean"]


def test_runs_overlap_while_they_wait(helm, server, tmp_path):
    server.latency_s = 0.3
    assert helm("a", "b", "c", "d") == 0
    assert server.max_in_flight > 20, "more than one run was waiting"
    assert [len(files(tmp_path, name)["scenario_state.json"]["request_states"]) for name in "abcd"] == [20] * 4


def test_the_number_of_threads_is_a_limit_for_all_runs_together(helm, server):
    server.latency_s = 0.02
    assert helm("a", "b", "c", flags=["-n", "3"]) == 0
    assert server.max_in_flight == 3


def test_a_failed_run_leaves_the_others_alone(helm, server, tmp_path):
    server.faults = [faults.OK] * 5 + [faults.TOO_LONG] + [faults.OK]
    assert helm("a", "b", flags=["-n", "1"]) == 1
    done = [name for name in "ab" if "stats.json" in files(tmp_path, name)]
    (failed,) = [name for name in "ab" if name not in done]
    error = files(tmp_path, failed)["error.json"]
    assert error["stage"] == "execution" and "maximum context length" in error["message"]


def test_a_key_that_is_not_accepted_stops_all_runs_of_the_endpoint_at_once(helm, server):
    server.faults = [faults.AUTH]
    assert helm("a", "b", "c", "d", flags=["-n", "1"]) == 1
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "policy, status, num_scored, accuracy",
    [("helm", 1, None, None), ("fail", 1, None, None), ("exclude", 0, 15, 1.0), ("count-as-wrong", 0, 20, 0.75)],
)
def test_what_a_failed_request_means(helm, server, tmp_path, policy, status, num_scored, accuracy):
    server.text = "A"
    server.faults = [faults.SERVER_ERROR] * 5 + [faults.OK]
    assert helm("a", flags=["--on-failure", policy, "-n", "1"]) == status
    if status:
        return
    answers = {"A": 1, "B": 0}
    found = files(tmp_path, "a")
    scored = [
        entry
        for entry in found["per_instance_stats.json"]
        if any(s["name"]["name"] == "exact_match" for s in entry["stats"])
    ]
    assert len(scored) == num_scored
    assert len(found["scenario_state.json"]["request_states"]) == 20, "what failed is in the file all the same"
    coverage = found["coverage.json"]
    assert coverage["requests"]["failed"] == 5 and coverage["coverage"] == 0.75
    assert value(tmp_path, "a", "exact_match") == pytest.approx(accuracy * sum(answers.values()), abs=0.5)


@pytest.mark.parametrize("policy", ["helm", "fail"])
def test_a_withheld_answer(helm, server, tmp_path, policy):
    server.faults = [faults.FILTERED, faults.OK]
    assert helm("a", flags=["--on-failure", policy, "-n", "1"]) == (0 if policy == "helm" else 1)
    if policy == "helm":
        assert files(tmp_path, "a")["coverage.json"]["requests"]["filtered"] == 1


def test_a_budget_of_tokens_stops_cleanly_and_the_same_command_goes_on(helm, server, tmp_path, capsys):
    assert helm("a", "b", flags=["--max-tokens-total", "100", "-n", "2"]) == 3
    assert "--max-tokens-total is 100" in capsys.readouterr().err
    num_sent = len(server.requests)
    assert num_sent == 10, "ten tokens each"
    assert helm("a", "b", flags=["-n", "2"]) == 0
    assert len(server.requests) == 40, "nothing is sent twice"
    assert "error.json" not in files(tmp_path, "a")


def test_a_budget_of_money(helm, server, tmp_path, capsys):
    flags = ["--max-cost", "0.0005", "-n", "1"]
    (tmp_path / "prod_env").mkdir(exist_ok=True)
    model = "mine/model"
    spec = {"class_name": "helm.clients.openai_client.OpenAIClient", "args": {"base_url": "https://models.invalid/v1"}}
    deployment = {"name": model, "client_spec": spec}
    (tmp_path / "prod_env/model_deployments.yaml").write_text(json.dumps({"model_deployments": [deployment]}))
    assert helm("a", flags=flags, model=model) == 1
    assert "no price is known for 'mine/model'" in capsys.readouterr().err
    price = {"deployment": "openai-compat/m", "input": 10, "output": 10, "source": "x"}
    text = "prices:\n  - " + json.dumps(price)[:-1] + ', "date": 2026-01-01}\n'
    (tmp_path / "prod_env/prices.yaml").write_text(text)
    assert helm("a", flags=flags) == 3
    assert "$0.0005 are spent" in capsys.readouterr().err
    assert len(server.requests) == 5


def test_a_budget_of_time(helm, server, capsys):
    server.latency_s = 0.2
    assert helm("a", flags=["--max-time", "1s", "-n", "1"]) == 3
    assert "--max-time is 1 s" in capsys.readouterr().err
    assert len(server.requests) < 10


@pytest.mark.parametrize(
    "flags, message",
    [
        (["--max-time", "soon"], "--max-time takes a time such as"),
        (["--max-cost", "-1"], "--max-cost takes 0 or more"),
        (["--on-failure", "cry"], "--on-failure takes helm, fail, exclude, count-as-wrong"),
    ],
)
def test_wrong_settings_are_named(helm, capsys, flags, message):
    assert helm("a", flags=flags) == 1
    assert message in capsys.readouterr().err


def test_a_dry_run_tells_what_would_be_sent_and_what_it_costs(helm, server, tmp_path, capsys):
    (tmp_path / "prod_env").mkdir()
    price = '{"deployment": "openai-compat/m", "input": 2, "output": 10, "source": "x", "date": 2026-01-01}'
    (tmp_path / "prod_env/prices.yaml").write_text(f"prices:\n  - {price}\n")

    def estimate():
        assert helm("a", "b", flags=["--dry-run"]) == 0
        return json.loads((tmp_path / "benchmark_output/runs/default/estimate.json").read_text())

    before = estimate()
    assert server.requests == []
    assert "$ worst" in capsys.readouterr().out
    total = before["total"]
    assert (total["runs"], total["instances"], total["requests"], total["cached"]) == (2, 40, 40, 0)
    assert 40 * 10 < total["prompt_tokens"] < 40 * 100 and total["max_completion_tokens"] == 40
    tokens, cost = total["prompt_tokens"], total["cost"]
    assert cost["worst"] == pytest.approx((tokens * 2 + 40 * 10) / 1e6)
    assert (
        cost["low"] == pytest.approx((tokens * 2 + 40 * 10) / 1e6) and cost["low"] <= cost["expected"] <= cost["worst"]
    )

    helm("a", cached=True)
    num_sent = len(server.requests)
    assert helm("a", "b", flags=["--dry-run"], cached=True) == 0
    after = json.loads((tmp_path / "benchmark_output/runs/default/estimate.json").read_text())
    assert len(server.requests) == num_sent == 20
    assert [run["cached"] for run in after["runs"]] == [20, 0]
    assert after["total"]["cost"]["worst"] == pytest.approx(cost["worst"] / 2, rel=0.1)


def test_a_dry_run_lists_runs_that_would_fail_and_missing_data(helm, server, tmp_path, capsys):
    missing = "https://data.invalid/rows.jsonl"
    (tmp_path / "data.py").write_text(
        f"""
from helm.benchmark.adaptation.common_adapter_specs import get_generation_adapter_spec
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import Scenario, ScenarioSpec
from helm.common.general import ensure_file_downloaded

class RowsScenario(Scenario):
    name, description, tags = "rows", "Rows.", []
    def get_instances(self, output_path):
        ensure_file_downloaded("{missing}", output_path + "/rows.jsonl")
        return []

@run_spec_function("rows")
def get_rows_spec():
    spec = ScenarioSpec(RowsScenario.__module__ + ".RowsScenario", {{}})
    return RunSpec("rows", spec, get_generation_adapter_spec(), [], groups=[])
"""
    )
    arguments = ["-r", "rows:model=openai-compat/m", f"custom_mcqa:path={tmp_path}/a.jsonl,model=openai-compat/m"]
    from helm.benchmark import run

    with pytest.raises(SystemExit) as caught:
        run.main([*arguments, "-m", "5", "--dry-run", "--offline", "--plugins", "data.py"])
    assert caught.value.code == 1
    found = json.loads((tmp_path / "benchmark_output/runs/default/estimate.json").read_text())
    assert [entry["requests"] for entry in found["runs"]] == [0, 5]
    assert found["total"]["missing_data"] == [missing] == found["runs"][0]["missing_data"]
    (problem,) = found["total"]["problems"]
    assert problem.startswith("rows") and missing in problem
    assert not server.requests
    assert f"Missing data: {missing}" in capsys.readouterr().err
