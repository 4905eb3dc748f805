"""What each outcome of a request means under each policy, up to coverage.json; and the same when a run is scored again."""

import json

import pytest

import conformance_server as faults
from conformance_server import ConformanceServer
from helm.benchmark import run
from helm.benchmark.commands import rescore
from helm.benchmark.executing.execution import COUNT_AS_WRONG, EXCLUDE, FAIL, FAILURE_POLICIES, HELM
from helm.common.errors import ConfigError
from helm.common.local_context import LocalContext
from helm.common.request import OUTCOMES
from helm.common.sending import nothing_sent

QUESTIONS = [
    {
        "input": {"text": f"Question {i}?"},
        "references": [
            {"output": {"text": "hi there"}, "tags": ["correct"]},
            {"output": {"text": "no"}, "tags": []},
        ],
        "split": "test",
    }
    for i in range(4)
]

FAULTS = {
    "ok": faults.OK,
    "truncated": faults.LENGTH,
    "refused": faults.BAD_REQUEST,
    "filtered": faults.FILTERED,
    "rate-limited": faults.RATE_LIMIT,
    "timed-out": faults.HANG,
    "malformed": faults.BROKEN_JSON,
    "server": faults.SERVER_ERROR,
    "auth": faults.AUTH,
}

ENDS_RUN = {
    HELM: {"refused", "rate-limited", "timed-out", "malformed", "server", "auth", "cancelled"},
    FAIL: {"refused", "filtered", "rate-limited", "timed-out", "malformed", "server", "auth", "cancelled"},
    EXCLUDE: {"auth", "cancelled"},
    COUNT_AS_WRONG: {"auth", "cancelled"},
}


@pytest.fixture(scope="module")
def one_server():
    server = ConformanceServer()
    yield server
    server.close()


@pytest.fixture
def server(one_server, tmp_path, monkeypatch):
    from helm.clients.pacing.limiter import forget_limiters

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HELM_RETRIES", "0")
    monkeypatch.setenv("HELM_REQUEST_TIMEOUT_S", "0.5")
    monkeypatch.setenv("OPENAI_BASE_URL", f"{one_server.origin}/v1")
    forget_limiters()
    one_server.released.set()
    one_server.reset()
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(line) + "\n" for line in QUESTIONS))
    yield one_server
    forget_limiters()


def helm(tmp_path, policy):
    """Four questions, one after the other; returns the exit status and the files of the run."""
    entry = f"custom_mcqa:path={tmp_path}/q.jsonl,model=openai-compat/m"
    try:
        run.main(["-r", entry, "-m", "9", "-n", "1", "--disable-cache", "--on-failure", policy])
        status = 0
    except SystemExit as e:
        status = e.code
    return status, read_files(tmp_path)


def read_files(tmp_path):
    return {path.name: json.loads(path.read_text()) for path in tmp_path.glob("benchmark_output/runs/default/*/*.json")}


def mean(files, name):
    values = [s for s in files["stats.json"] if s["name"]["name"] == name and s["name"]["split"] == "test"]
    return values[0]["mean"] if values else None


@pytest.mark.parametrize("policy", FAILURE_POLICIES)
@pytest.mark.parametrize("outcome", [*FAULTS, "cancelled"])
def test_an_outcome_and_a_policy(server, tmp_path, outcome, policy):
    assert outcome in OUTCOMES and set(OUTCOMES) == {*FAULTS, "cancelled"}
    if outcome == "cancelled":
        with nothing_sent():
            status, files = helm(tmp_path, policy)
    else:
        server.faults = [faults.OK, FAULTS[outcome], faults.OK]
        status, files = helm(tmp_path, policy)
    server.released.set()
    if outcome in ENDS_RUN[policy]:
        assert status == 1 and "stats.json" not in files and "coverage.json" not in files
        assert files["error.json"]["stage"] == "execution" and "127.0.0.1" in files["error.json"]["message"]
        return
    assert status == 0
    coverage, states = files["coverage.json"], files["scenario_state.json"]["request_states"]
    assert coverage.get("on_failure") == (None if policy == HELM else policy)
    requests = coverage["requests"]
    assert requests["asked"] == 4 == len(states), "nothing is left out of the file of requests"
    if outcome in ("ok", "truncated"):
        assert (coverage["coverage"], requests["outcomes"], requests["excluded"]) == (1.0, {}, 0)
        assert requests["cut_at_max_tokens"] == (outcome == "truncated")
        assert mean(files, "exact_match") == 0.0 and mean(files, "num_instances") in (4, None)
        return
    assert coverage["coverage"] == 0.75 and requests["outcomes"] == {outcome: 1}
    assert (requests["filtered"], requests["failed"]) == ((1, 0) if outcome == "filtered" else (0, 1))
    assert requests["excluded"] == (1 if policy == EXCLUDE else 0)
    (failed,) = [state["result"] for state in states if not state["result"]["success"]]
    assert failed["outcome"] == outcome and failed["error"]
    (exact_match,) = [
        s for s in files["stats.json"] if s["name"]["name"] == "exact_match" and "perturbation" not in s["name"]
    ]
    scored = {entry["instance_id"] for entry in files["per_instance_stats.json"]}
    assert len(scored) == (3 if policy == EXCLUDE else 4) and exact_match["count"] == 1


@pytest.mark.parametrize("error_type", [RuntimeError, ConfigError])
@pytest.mark.parametrize("policy", FAILURE_POLICIES)
def test_an_exception_that_nobody_expected(server, tmp_path, monkeypatch, policy, error_type):
    """It is a failed request like others, and named; unless it says that the settings are wrong, which ends the run."""
    make_request = LocalContext.make_request

    def make_request_or_break(self, request):
        if "Question 1?" in request.prompt:
            raise error_type("a bug in a plugin")
        return make_request(self, request)

    monkeypatch.setattr(LocalContext, "make_request", make_request_or_break)
    status, files = helm(tmp_path, policy)
    if policy in (HELM, FAIL) or error_type is ConfigError:
        assert status == 1 and "stats.json" not in files
        assert (files["error.json"]["stage"], files["error.json"]["instance_id"]) == ("execution", "id1")
        named = "RuntimeError: a bug" if error_type is RuntimeError else "a bug"
        assert files["error.json"]["message"].startswith(named)
        return
    assert status == 0
    results = [state["result"] for state in files["scenario_state.json"]["request_states"]]
    assert [result["success"] for result in results] == [True, False, True, True]
    assert results[1]["error"] == "RuntimeError: a bug in a plugin" and not results[1]["cached"]
    assert [completion["text"] for completion in results[1]["completions"]] == [""]
    requests = files["coverage.json"]["requests"]
    assert files["coverage.json"]["coverage"] == 0.75 and requests["failed"] == 1
    assert requests["excluded"] == (1 if policy == EXCLUDE else 0)
    scored = {entry["instance_id"] for entry in files["per_instance_stats.json"]}
    assert scored == ({"id0", "id2", "id3"} if policy == EXCLUDE else {"id0", "id1", "id2", "id3"})


@pytest.fixture
def excluding_run(server, tmp_path):
    server.text = "A"
    server.faults = [faults.OK, faults.SERVER_ERROR, faults.OK]
    status, files = helm(tmp_path, EXCLUDE)
    assert status == 0
    return files


def rescored(tmp_path, *flags):
    try:
        rescore.main(["--suite", "default", *flags])
        status = 0
    except SystemExit as e:
        status = e.code
    return status, read_files(tmp_path)


def test_scores_made_with_exclude_stay_so(excluding_run, tmp_path):
    assert rescored(tmp_path) == (0, excluding_run)


def test_another_policy_for_the_scores(excluding_run, tmp_path):
    status, wrong = rescored(tmp_path, "--on-failure", COUNT_AS_WRONG)
    assert status == 0
    assert (
        wrong["coverage.json"]["on_failure"] == COUNT_AS_WRONG and wrong["coverage.json"]["requests"]["excluded"] == 0
    )
    assert mean(wrong, "exact_match") < mean(excluding_run, "exact_match") or mean(wrong, "exact_match") == 0
    assert {entry["instance_id"] for entry in wrong["per_instance_stats.json"]} == {"id0", "id1", "id2", "id3"}
    status, again = rescored(tmp_path, "--on-failure", EXCLUDE)
    assert status == 0 and again == excluding_run, "and back"
    status, plain = rescored(tmp_path, "--on-failure", HELM)
    assert status == 0 and "on_failure" not in plain["coverage.json"]


def test_a_policy_that_forbids_the_run(excluding_run, tmp_path, capsys):
    status, files = rescored(tmp_path, "--on-failure", FAIL)
    assert status == 1 and files == excluding_run
    status, _ = rescored(tmp_path, "--on-failure", "ignore")
    assert status == 1 and "--on-failure takes helm, fail, exclude, count-as-wrong" in capsys.readouterr().err


# --- tokens across the boundary of prompt and reference -------------------------------------------------------------------


@pytest.mark.parametrize(
    "tokens, expected",
    [
        (["Answer:", " yes"], 0),
        (["Answer: ", "yes"], 0),
        (["Answer: ", "y", "es"], 0),
        (["Answer", ": yes"], 1),
        (["Answer", ": y", "es"], 1),
        (["Answer: no"], 0),
        ([], 0),
    ],
)
def test_tokens_that_hold_prompt_and_reference_are_counted(tokens, expected):
    from helm.benchmark.adaptation.request_state import RequestState
    from helm.benchmark.scenarios.scenario import Input, Instance, Output, Reference
    from helm.common.request import GeneratedOutput, Request, RequestResult, Token
    from helm.results.coverage import count_coverage

    completion = GeneratedOutput("".join(tokens), 0.0, [Token(text, -1.0) for text in tokens])
    state = RequestState(
        instance=Instance(Input("?"), [Reference(Output("no"), []), Reference(Output("yes"), ["correct"])], id="id0"),
        reference_index=1,
        request_mode="original",
        train_trial_index=0,
        output_mapping=None,
        request=Request(prompt="Answer: yes", echo_prompt=True, max_tokens=0),
        result=RequestResult(True, [], [completion], cached=False),
        num_train_instances=0,
        prompt_truncated=False,
    )
    assert count_coverage([state], [], [], []).requests.across_token_boundary == expected


def test_a_run_with_such_tokens_says_so(server, tmp_path, monkeypatch):
    """The server of these tests cuts prompts into pieces of four characters; of four lengths two do not fit."""
    lines = [{**question, "input": {"text": "?" * (i + 1)}} for i, question in enumerate(QUESTIONS)]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    entry = f"custom_mcqa:path={tmp_path}/q.jsonl,method=multiple_choice_separate_original,model=openai-compat/m"
    said = []
    monkeypatch.setattr("helm.benchmark.runner.hwarn", said.append)
    run.main(["-r", entry, "-m", "9", "--disable-cache"])
    number = read_files(tmp_path)["coverage.json"]["requests"]["across_token_boundary"]
    assert number == 4
    assert any("in 4 of 8 requests the first token of the reference" in text for text in said)
