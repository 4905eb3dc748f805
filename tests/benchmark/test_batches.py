"""Requests through batch APIs: what comes out is what would have come one by one, whatever the provider does."""

import json

import pytest

from batch_server import NUM_QUESTIONS, BatchServer, by_prompt, entry, files, records, write_inputs
from turns_support import by_turns

DIALECTS = ["openai-compat/m", "own/chat", "own/completions", "own/responses", "own/azure", "own/anthropic"]


@pytest.fixture
def server():
    server = BatchServer()
    server.answer = by_prompt
    yield server
    server.close()


@pytest.fixture
def helm(tmp_path, server, monkeypatch):
    """Runs `helm-run` in a folder of its own; returns its exit status."""
    from helm.benchmark import run
    from helm.clients.http.http_endpoint import HTTPEndpoint
    from helm.clients.pacing.limiter import forget_limiters
    from helm.common.key_value_store import SqliteKeyValueStore

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.origin}/v1")
    monkeypatch.setenv("HELM_BATCH_POLL_S", "0.05")
    # Only what is made to hang may run into the limit: on a busy machine any answer may take more than a second.
    limit = property(lambda self: 0.5 if server.is_about_to_hang else 60.0, lambda self, value: None)
    monkeypatch.setattr(HTTPEndpoint, "timeout_s", limit, raising=False)
    forget_limiters()
    write_inputs(tmp_path, server.origin)

    def helm(*names, flags=("--batch-api",), model="openai-compat/m", suite="s"):

        entries = [entry(tmp_path, name, model) for name in names]
        try:
            run.main(["-r", *entries, "-m", str(NUM_QUESTIONS), "--suite", suite, *flags])
        except SystemExit as e:
            return e.code
        return 0

    yield helm
    forget_limiters()
    SqliteKeyValueStore.close_all()


def said(capfd):
    captured = capfd.readouterr()
    return captured.out + captured.err


def forget_cache(tmp_path):
    import shutil

    from helm.common.key_value_store import SqliteKeyValueStore

    SqliteKeyValueStore.close_all()
    shutil.rmtree(tmp_path / "prod_env/cache")


@pytest.mark.parametrize("model", DIALECTS)
def test_the_files_are_those_of_requests_one_by_one(helm, server, tmp_path, model):
    assert helm("a", "b", model=model, suite="batch") == 0
    assert len(server.batches) == 1, "the requests of both runs go together"
    assert not server.direct
    forget_cache(tmp_path)
    assert helm("a", "b", model=model, flags=(), suite="direct") == 0
    assert len(server.batches) == 1 and len(server.direct) == 2 * NUM_QUESTIONS
    for name in ("a", "b"):
        assert files(tmp_path, name, "batch") == files(tmp_path, name, "direct")
    (batch,) = server.batches.values()
    bodies = [line["body" if "body" in line else "params"] for line in batch["lines"]]
    key = lambda body: json.dumps(body, sort_keys=True)  # noqa: E731
    assert sorted(bodies, key=key) == sorted(server.direct, key=key)
    (record,) = records(tmp_path)
    assert record["stage"] == "done" and record["num_requests"] == 2 * NUM_QUESTIONS
    assert {path.suffix for path in (tmp_path / "prod_env/batches").iterdir()} == {".json"}


def test_answers_are_in_the_cache_as_if_sent_one_by_one(helm, server, tmp_path):
    assert helm("a", suite="batch") == 0
    assert helm("a", flags=(), suite="again") == 0
    assert len(server.batches) == 1 and not server.direct


# --- what goes wrong --------------------------------------------------------------------------------------------------


def check_as_undisturbed(helm, server, tmp_path, model, suite="s"):
    """The files of suite `suite` are those of requests that are sent one by one."""
    forget_cache(tmp_path)
    assert helm("a", model=model, flags=("--no-batch-api",), suite="direct") == 0
    assert files(tmp_path, "a", suite) == files(tmp_path, "a", "direct")


OPENAI_AND_ANTHROPIC = pytest.mark.parametrize("model", ["own/chat", "own/anthropic"])


@OPENAI_AND_ANTHROPIC
@pytest.mark.parametrize(
    ("line_faults", "num_batches"),
    [
        ({number: "expired" for number in range(0, NUM_QUESTIONS, 2)}, 2),
        ({0: "500", 5: "missing"}, 2),
        ({0: "twice", 3: "twice"}, 1),
    ],
    ids=["expired half", "failed and missing lines", "repeated lines"],
)
def test_what_has_no_answer_goes_into_another_batch(helm, server, tmp_path, model, line_faults, num_batches):
    server.line_faults = line_faults
    assert helm("a", model=model) == 0
    assert len(server.batches) == num_batches
    assert server.num_paid_lines == NUM_QUESTIONS
    check_as_undisturbed(helm, server, tmp_path, model)


def test_lines_of_nobody_are_left_out(helm, server, tmp_path, capfd):
    server.line_faults = {2: "unknown"}
    assert helm("a") == 0
    assert "1 lines of the results belong to no request" in said(capfd)
    check_as_undisturbed(helm, server, tmp_path, "openai-compat/m")


@pytest.mark.parametrize(
    ("fault", "model"), by_turns(["429", "500", "500 after all", "hang"], ["own/chat", "own/anthropic"])
)
def test_a_batch_whose_making_fails_is_made_once(helm, server, tmp_path, model, fault):
    server.faults = {"create": [fault], "upload": ["500"] if fault == "500" else []}
    assert helm("a", model=model) == 0
    assert len(server.batches) == 1 and server.num_paid_lines == NUM_QUESTIONS
    check_as_undisturbed(helm, server, tmp_path, model)


@pytest.mark.parametrize(
    ("fault", "model"), by_turns(["poll 500", "poll hang", "truncated", "results 500"], ["own/chat", "own/anthropic"])
)
def test_looking_at_a_batch_may_fail(helm, server, tmp_path, model, fault, monkeypatch):
    monkeypatch.setenv("HELM_RETRIES", "0")
    stage, _, what = fault.rpartition(" ")
    server.faults = {stage or "results": [what, what]}
    assert helm("a", model=model) == 0
    assert len(server.batches) == 1 and server.num_paid_lines == NUM_QUESTIONS
    check_as_undisturbed(helm, server, tmp_path, model)


@OPENAI_AND_ANTHROPIC
def test_results_that_stay_truncated_are_completed_by_another_batch(helm, server, tmp_path, model):
    server.faults = {"results": ["truncated"] * 3}
    assert helm("a", model=model) == 0
    assert [len(batch["lines"]) for batch in server.batches.values()] == [NUM_QUESTIONS, 1]
    check_as_undisturbed(helm, server, tmp_path, model)


@OPENAI_AND_ANTHROPIC
def test_results_that_are_gone_are_not_paid_again_unasked(helm, server, tmp_path, model, capfd):
    from helm.benchmark.commands import manage_batches

    server.faults = {"results": ["404"] * 2}
    assert helm("a", model=model) == 1
    (record,) = records(tmp_path)
    assert record["stage"] == "submitted"
    assert f"helm-batch forget {record['key']}" in said(capfd)
    assert helm("a", model=model) == 1, "still gone"
    assert len(server.batches) == 1
    manage_batches.main(["forget", record["key"]])
    assert helm("a", model=model) == 0
    assert len(server.batches) == 2
    check_as_undisturbed(helm, server, tmp_path, model)


@OPENAI_AND_ANTHROPIC
def test_refused_requests_fail_as_always(helm, server, tmp_path, model, capfd):
    server.line_faults = {3: "400"}
    assert helm("a", model=model) == 1
    assert "HTTP status 400. it failed" in said(capfd)
    assert len(server.batches) == 1
    server.line_faults = {0: "400"}  # the run goes on from its journal and the cache, with the one that failed
    assert helm("a", model=model, flags=("--batch-api", "--on-failure", "exclude")) == 0
    assert [len(batch["lines"]) for batch in server.batches.values()] == [NUM_QUESTIONS, 1]
    coverage = json.loads(files(tmp_path, "a")["coverage.json"])
    assert coverage["requests"]["failed"] == 1, coverage


def test_a_filter_counts_as_always(helm, server, tmp_path):
    server.line_faults = {3: "filter"}
    assert helm("a") == 0
    states = json.loads(files(tmp_path, "a")["scenario_state.json"].replace("TIME", "0"))["request_states"]
    assert [state["result"].get("outcome") for state in states].count("filtered") == 1


@pytest.mark.parametrize(("fault", "message"), [("400", "this model has no batches"), ("401", "Incorrect API key")])
def test_a_batch_that_is_refused_fails_its_requests(helm, server, tmp_path, capfd, fault, message):
    server.faults = {"create": [fault]}
    assert helm("a") == 1
    assert message in said(capfd)
    assert not records(tmp_path)


def test_lines_that_the_provider_does_not_take(helm, server, tmp_path):
    server.line_faults = {1: "bad line", 4: "bad line"}
    assert helm("a", flags=("--batch-api", "--on-failure", "exclude")) == 0
    assert [len(batch["lines"]) for batch in server.batches.values()] == [NUM_QUESTIONS, NUM_QUESTIONS - 2]
    assert server.num_paid_lines == NUM_QUESTIONS - 2


def test_batches_become_smaller_when_they_are_too_much(helm, server, tmp_path):
    server.max_lines = 7
    assert helm("a", "b") == 0
    assert [len(batch["lines"]) for batch in server.batches.values()] == [24, 12, 12, 6, 6, 6, 6]
    assert server.num_paid_lines == 2 * NUM_QUESTIONS


def test_no_credit_is_not_a_limit_that_passes(helm, server, tmp_path, capfd):
    server.max_lines, server.limit_code = 7, "billing_hard_limit_reached"
    assert helm("a") == 1
    assert "billing_hard_limit_reached" in said(capfd) and len(server.batches) == 1


def test_a_server_without_batches_is_asked_one_by_one(helm, server, tmp_path, capfd):
    server.has_api = False
    assert helm("a", "b") == 0
    assert len(server.direct) == 2 * NUM_QUESTIONS
    assert said(capfd).count("has no batch API; requests are sent one by one") == 1


def test_a_cancelled_batch_keeps_what_it_has(helm, server, tmp_path):
    server.faults = {"poll": ["cancel"]}
    server._simple = lambda fault: [b.update(status="cancelled") for b in server.batches.values()] and None
    assert helm("a") == 1
    del server._simple
    assert helm("a") == 0
    assert [len(batch["lines"]) for batch in server.batches.values()] == [NUM_QUESTIONS, NUM_QUESTIONS // 2]
    assert server.num_paid_lines == NUM_QUESTIONS


def test_a_request_with_several_completions_takes_several_rounds(server, tmp_path, monkeypatch):
    """The server gives one completion at a time, so what is missing is asked for again."""
    from helm.clients.batch.batch_queue import BatchQueue
    from helm.clients.batch.run_deferral import RunDeferral
    from helm.clients.openai_client import OpenAIClient
    from helm.common.cache import SqliteCacheConfig
    from helm.common.key_value_store import SqliteKeyValueStore
    from helm.common.request import Request
    from helm.common.sending import Deferred, deferring

    server.answer = lambda route, body: "hi"
    client = OpenAIClient(SqliteCacheConfig(str(tmp_path / "c.sqlite")), api_key="k", base_url=f"{server.origin}/v1")
    queue = BatchQueue(str(tmp_path), poll_s=0.05)
    deferral = RunDeferral(queue)
    request = Request(model="own/m", model_deployment="own/chat", prompt="Hello", num_completions=3)
    result = None
    while result is None:
        with deferring(deferral):
            try:
                result = client.make_request(request)
            except Deferred:
                deferral.wait()
    queue.close()
    assert [completion.text for completion in result.completions] == ["hi"] * 3 and not result.cached
    assert [len(batch["lines"]) for batch in server.batches.values()] == [1, 1, 1]
    assert [batch["lines"][0]["body"]["n"] for batch in server.batches.values()] == [3, 2, 1]
    assert client.make_request(request).cached
    SqliteKeyValueStore.close_all()


# --- judges -----------------------------------------------------------------------------------------------------------

JUDGED = """
from dataclasses import replace

from helm.benchmark.annotation.annotator import AnnotatorSpec
from helm.benchmark.annotation.judge_annotator import JudgeAnnotator
from helm.benchmark.annotation.judge_models import AnnotatorModelInfo
from helm.benchmark.run_spec import get_run_spec_function, run_spec_function
from helm.common.sending import all_asked


class TwoJudges(JudgeAnnotator):
    name = "two_judges"
    max_tokens = 9
    default_judges = {name: AnnotatorModelInfo(f"own/{name}", f"own/{name}") for name in ("anthropic", "never")}

    def annotate(self, request_state):
        answers = {}
        with all_asked() as each:
            for name, judge in self._judges.items():
                with each():
                    answers[name] = self._ask(judge, f"{request_state.instance.input.text} Is it so?")
        return answers


@run_spec_function("judged")
def get_judged_spec(path: str):
    spec = get_run_spec_function("custom_mcqa")(path=path, num_train_instances="1")
    return replace(spec, annotators=[AnnotatorSpec("judged.TwoJudges")])
"""


def test_judges_of_all_runs_go_together(helm, server, tmp_path, monkeypatch):
    from helm.benchmark import run

    (tmp_path / "judged.py").write_text(JUDGED)
    monkeypatch.syspath_prepend(str(tmp_path))
    annotations = []
    for flags in (["--batch-api"], []):
        entries = [f"judged:path={tmp_path}/{name}.jsonl,model=own/chat" for name in ("a", "b")]
        run.main(["-r", *entries, "-m", "9", "--suite", "s", "--plugins", "judged", *flags])
        states = json.loads(files(tmp_path, "a")["scenario_state.json"].replace("TIME", "0"))["request_states"]
        annotations.append([state["annotations"] for state in states])
        if flags:
            sizes = {name: len(batch["lines"]) for name, batch in server.batches.items()}
            assert sizes == {"batch_0": 18, "msgbatch_1": 18}
            assert len(server.direct) == 18, "the deployment of the other judge takes no part in batches"
            assert {record["stage"] for record in records(tmp_path)} == {"done"}
            forget_cache(tmp_path)
    assert annotations[0] == annotations[1] and len(server.batches) == 2


# --- which requests go into batches -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "flags", "num_batches"),
    [
        ("own/always", (), 1),
        ("own/always", ("--no-batch-api",), 0),
        ("own/never", ("--batch-api",), 0),
        ("own/chat", (), 0),
    ],
)
def test_command_and_deployment_say_what_goes_into_batches(helm, server, model, flags, num_batches):
    assert helm("a", model=model, flags=flags) == 0
    assert len(server.batches) == num_batches
    assert len(server.direct) == (0 if num_batches else NUM_QUESTIONS)


def test_models_without_batches_are_asked_beside(helm, server, tmp_path, capfd):
    from helm.benchmark import run

    entries = [entry(tmp_path, "a", model) for model in ("simple/model1", "own/chat")]
    run.main(["-r", *entries, "-m", "9", "--batch-api"])
    assert [len(batch["lines"]) for batch in server.batches.values()] == [9]
    assert said(capfd).count("simple/model1 has no batch API (SimpleClient)") == 1


def test_exit_on_error_does_not_wait_for_batches_of_other_runs(helm, server, tmp_path, capfd):
    from helm.benchmark import run

    server.polls_until_end = 10**6
    entries = [entry(tmp_path, "a", "own/chat"), entry(tmp_path, "missing", "own/chat")]
    with pytest.raises(SystemExit):
        run.main(["-r", *entries, "-m", "9", "--batch-api", "--exit-on-error"])
    assert "missing.jsonl" in said(capfd)


def test_equal_requests_of_several_runs_are_sent_once(helm, server, tmp_path):
    from helm.benchmark import run

    entries = [entry(tmp_path, "a", model) for model in ("own/chat", "own/always")]
    run.main(["-r", *entries, "-m", "9", "--batch-api", "--suite", "s"])
    assert [len(batch["lines"]) for batch in server.batches.values()] == [9]


def test_batches_and_a_proxy_server_do_not_go_together(helm, capfd):
    assert helm("a", flags=("--batch-api", "--server-url", "http://127.0.0.1:1")) == 1
    assert "leave out --server-url" in said(capfd)


def test_a_damaged_record_is_named_and_can_be_forgotten(helm, server, tmp_path, capfd):
    from helm.benchmark.commands import manage_batches

    server.polls_until_end = 10**6
    assert helm("a", flags=("--batch-api", "--max-time", "6s")) == 3
    (record,) = records(tmp_path)
    (tmp_path / f"prod_env/batches/{record['key']}.json").write_text('{"version": 1, "ke')
    assert helm("a") == 1
    assert f"{record['key']}.json is damaged" in said(capfd)
    manage_batches.main(["forget", record["key"]])
    server.polls_until_end = 1
    assert helm("a") == 0


def test_a_folder_that_cannot_be_written(helm, server, tmp_path, capfd, monkeypatch):
    """After the batch is made the disk is full; the next command finds it."""
    from helm.clients.batch import batch_folder

    write = batch_folder.write_text_atomically

    def full(path, text):
        if '"stage": "submitted"' in text:
            raise OSError(28, "No space left on device")
        write(path, text)

    monkeypatch.setattr(batch_folder, "write_text_atomically", full)
    assert helm("a") == 1
    assert "No space left on device. Once that is fixed, the same command resumes" in said(capfd)
    monkeypatch.setattr(batch_folder, "write_text_atomically", write)
    assert helm("a") == 0
    assert len(server.batches) == 1 and server.num_paid_lines == NUM_QUESTIONS


def test_batches_need_a_cache(helm, server, capfd):
    assert helm("a", flags=("--batch-api", "--disable-cache")) == 1
    assert "Batches need the response cache" in said(capfd)


def test_batches_hold_no_more_than_the_provider_takes(helm, server, monkeypatch):
    from helm.clients.batch.openai_batches import OpenAIBatches

    monkeypatch.setattr(OpenAIBatches, "max_requests", 10)
    assert helm("a", "b") == 0
    assert [len(batch["lines"]) for batch in server.batches.values()] == [10, 10, 4]


def test_batches_are_no_larger_than_the_provider_takes(helm, server, monkeypatch):
    from helm.clients.batch.openai_batches import OpenAIBatches

    monkeypatch.setattr(OpenAIBatches, "max_bytes", 2000)
    assert helm("a") == 0
    assert len(server.batches) > 1 and server.num_paid_lines == NUM_QUESTIONS
    monkeypatch.setattr(OpenAIBatches, "max_bytes", 20)
    assert helm("b") == 1


# --- money ------------------------------------------------------------------------------------------------------------

PRICES = """
prices:
  - {deployment: own/chat, input: 1000000, output: 1000000, date: 2026-01-01, source: "-"}
  - {deployment: own/anthropic, input: 1000000, output: 1000000, date: 2026-01-01, source: "-", batch_share: 0.5}
"""
ANSWER_COST = 10  # seven and three tokens


@pytest.fixture
def prices(tmp_path, helm):
    (tmp_path / "prod_env/prices.yaml").write_text(PRICES)


def test_batches_cost_what_they_cost(helm, server, prices, capfd):
    assert helm("a", model="own/anthropic") == 0
    assert f"${NUM_QUESTIONS * ANSWER_COST / 2:.4f}" in said(capfd)
    assert helm("b", model="own/chat") == 0, "at an address of its own the price of batches is not known"
    assert f"${NUM_QUESTIONS * ANSWER_COST:.4f}" in said(capfd)


def test_dry_run_knows_the_price_of_batches(helm, server, tmp_path, prices):
    costs = {}
    for flags in ((), ("--batch-api",)):
        assert helm("a", model="own/anthropic", flags=("--dry-run", *flags)) == 0
        estimate = json.loads((tmp_path / "benchmark_output/runs/s/estimate.json").read_text())
        costs[flags] = estimate["total"]["cost"]["expected"]
        assert estimate["total"].get("in_batches") == (NUM_QUESTIONS if flags else None)
        assert estimate["runs"][0].get("in_batches") == (NUM_QUESTIONS if flags else None)
    assert costs["--batch-api",] == costs[()] / 2 > 0
    assert not server.log


def test_a_budget_lets_through_what_it_is_enough_for(helm, server, tmp_path, prices, capfd):
    costs = []
    for budget in (1, 100, 10**6):
        server.log.clear()
        status = helm("a", model="own/chat", flags=("--batch-api", "--max-cost", str(budget)))
        assert status == (0 if budget == 10**6 else 3), said(capfd)
        costs.append(server.num_paid_lines)
    assert costs[0] == 0 < costs[1] < costs[2] == NUM_QUESTIONS
    sizes = [len(batch["lines"]) for batch in server.batches.values()]
    assert sum(sizes) == NUM_QUESTIONS, "nothing is paid twice"
    check_as_undisturbed(helm, server, tmp_path, "own/chat")


def test_a_token_budget_counts_before(helm, server, capfd):
    assert helm("a", flags=("--batch-api", "--max-tokens-total", "10")) == 3
    assert not server.batches
    assert "The next batch would bring the tokens to roughly" in said(capfd)


@OPENAI_AND_ANTHROPIC
def test_a_batch_outlives_the_time_of_its_command(helm, server, tmp_path, model, capfd):
    server.polls_until_end = 10**6
    assert helm("a", model=model, flags=("--batch-api", "--max-time", "6s")) == 3
    (record,) = records(tmp_path)
    assert f"Batch {record['key']} (12 requests, {record['batch_id']}) continues" in said(capfd)
    server.polls_until_end = 1
    assert helm("a", model=model) == 0
    assert len(server.batches) == 1 and server.num_paid_lines == NUM_QUESTIONS
    check_as_undisturbed(helm, server, tmp_path, model)
