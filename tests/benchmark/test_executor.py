"""The executor of language models: what becomes of a failure, how many requests are sent at once, and what is scored."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from helm.benchmark import executor as executor_module
from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.executing.execution import COUNT_AS_WRONG, EXCLUDE, FAIL, FAILURE_POLICIES, HELM
from helm.benchmark.executor import ExecutionSpec, Executor, ExecutorError, scored_part, without_failures
from helm.benchmark.model_deployment_registry import (
    DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT,
    ClientSpec,
    ModelDeployment,
)
from helm.benchmark.run_settings import RunSettings
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.clients.batch.run_deferral import RunDeferral
from helm.common.authentication import Authentication
from helm.common.budgets.spending import BudgetExceeded
from helm.common.cache_backend_config import SqliteCacheBackendConfig
from helm.common.errors import HelmError
from helm.common.local_context import LocalContext
from helm.common.remote_context import RemoteContext
from helm.common.request import AUTH, CANCELLED, ErrorFlags, GeneratedOutput, Request, RequestResult
from helm.common.sending import current_deferral

ANSWER = RequestResult(True, [], [GeneratedOutput("yes", 0, [])], False)
NOT_FATAL, FATAL = (ErrorFlags(is_retriable=False, is_fatal=is_fatal) for is_fatal in (False, True))
SIMPLE = "simple/model1"


def state_of(number=0, text="What is it?", **instance):
    made = Instance(Input(text), [], split="test", id=f"id{number}", **instance)
    return new_request_state(made, Request(model_deployment=SIMPLE, prompt=f"p{number}"))


class Context:
    """Gives every request the same answer, or raises it."""

    def __init__(self, answer=ANSWER, client=None):
        self.answer, self.client, self.deferrals = answer, client, []

    def make_request(self, request):
        self.deferrals.append(current_deferral())
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def get_client(self, deployment):
        if isinstance(self.client, Exception):
            raise self.client
        return self.client


@pytest.fixture
def make(tmp_path):
    def make(answer=ANSWER, client=None, **spec):
        named = {"url": None, "auth": Authentication(""), "local_path": str(tmp_path), "parallelism": 4}
        named |= {name: spec.pop(name) for name in list(spec) if name in ExecutionSpec.__dataclass_fields__}
        settings = RunSettings(**{"max_in_flight": named["parallelism"], **spec})
        made = Executor(ExecutionSpec(**named, settings=settings))
        made.context = Context(answer, client)
        return made

    return make


def failure(error="refused", **more):
    return RequestResult(False, [], [], False, error=error, **more)


def test_a_policy_that_does_not_exist_is_refused(make):
    with pytest.raises(ExecutorError, match="on_failure takes helm, fail, exclude, count-as-wrong, not 'never'"):
        make(on_failure="never")


def test_an_answer_is_the_result_whatever_the_policy(make):
    for policy in FAILURE_POLICIES:
        state = make(on_failure=policy).process(state_of())
        assert state.result is ANSWER and state.instance.id == "id0"


@pytest.mark.parametrize(
    "policies, answer",
    [
        ({HELM, EXCLUDE, COUNT_AS_WRONG}, failure(error_flags=NOT_FATAL)),
        ({EXCLUDE, COUNT_AS_WRONG}, failure(error_flags=FATAL)),
        ({HELM, EXCLUDE, COUNT_AS_WRONG}, failure(error_flags=ErrorFlags(is_retriable=None, is_fatal=None))),
        ({EXCLUDE, COUNT_AS_WRONG}, failure()),
        (set(), failure(error_flags=NOT_FATAL, outcome=AUTH)),
        (set(), failure(error_flags=NOT_FATAL, outcome=CANCELLED)),
        ({EXCLUDE, COUNT_AS_WRONG}, RuntimeError("refused")),
        (set(), HelmError("refused")),
    ],
)
def test_which_failures_a_policy_keeps(make, caplog, policies, answer):
    for policy in FAILURE_POLICIES:
        caplog.clear()
        tried = make(answer, on_failure=policy)
        if policy not in policies:
            with pytest.raises(ExecutorError, match="refused"):
                tried.process(state_of())
            continue
        result = tried.process(state_of()).result
        assert (result.success, result.cached, result.embedding) == (False, False, [])
        assert result.completions == [GeneratedOutput(text="", logprob=0, tokens=[])]
        assert result.error == ("RuntimeError: refused" if isinstance(answer, Exception) else "refused")
        assert ("left out of the scores" in caplog.text) == (policy == EXCLUDE)
        assert "Instance id0: " in caplog.text and caplog.text.count("WARNING") == 1


@pytest.mark.parametrize(
    "text, quoted",
    [
        ("What\n is  it?", ' ("What is it?")'),
        ("x" * 60, f' ("{"x" * 60}")'),
        ("x" * 61, f' ("{"x" * 60}…")'),
        ("", ""),
        (None, ""),
    ],
)
def test_an_error_names_the_instance_and_shows_the_request(make, text, quoted):
    with pytest.raises(ExecutorError) as found:
        make(failure("no answer"), on_failure=FAIL).process(state_of(7, text))
    assert found.value.short == f"no answer Request: instance id7{quoted}." and found.value.instance_id == "id7"
    assert str(found.value).startswith("no answer Request: Request(") and "p7" in str(found.value)


def test_a_used_up_budget_stays_one(make):
    for policy in FAILURE_POLICIES:
        with pytest.raises(BudgetExceeded, match="^10 USD are spent$") as found:
            make(BudgetExceeded("10 USD are spent"), on_failure=policy).process(state_of())
        assert found.value.instance_id == "id0"


def test_an_exception_is_told_with_its_type_and_is_the_cause(make):
    error = RuntimeError("broken")
    with pytest.raises(ExecutorError, match="^RuntimeError: broken Request: ") as found:
        make(error).process(state_of())
    assert found.value.__cause__ is error


# --- how they are sent ------------------------------------------------------------------------------------------------


def scenario_state(*states, deployment=SIMPLE):
    return ScenarioState(AdapterSpec(model_deployment=deployment, model=deployment), list(states))


def test_requests_are_answered_in_order_and_a_dry_run_sends_none(make):
    state = scenario_state(*map(state_of, range(6)))
    done = make().execute(state)
    assert [found.instance.id for found in done.request_states] == [f"id{i}" for i in range(6)]
    assert all(found.result is ANSWER for found in done.request_states) and done.adapter_spec == state.adapter_spec
    assert make(dry_run=True, answer=HelmError("sent")).execute(state) is state


def client(limiter=None, useful_concurrency=None, caches_prompts=False, batches=None):
    return SimpleNamespace(
        limiter=limiter, useful_concurrency=useful_concurrency, caches_prompts=caches_prompts, batches=batches
    )


@pytest.fixture
def sent(monkeypatch):
    """How the requests were sent."""
    sent = {}

    def run_journaled(states, run_one, parallelism, journal, **more):
        sent.update(more, parallelism=parallelism, deferral=current_deferral())
        return states

    monkeypatch.setattr(executor_module, "run_journaled", run_journaled)
    return sent


LIMITER = SimpleNamespace(useful_window=20, num_retrying=3)


@pytest.mark.parametrize(
    "found, spec, parallelism, wanted",
    [
        (None, {}, 4, None),
        (HelmError("no such client"), {}, 4, None),
        (client(), {"max_in_flight": 50}, 4, None),
        (client(useful_concurrency=3), {"max_in_flight": 50}, 3, None),
        (client(useful_concurrency=99), {"max_in_flight": 50}, 50, None),
        (client(useful_concurrency=99), {}, 4, None),
        (client(LIMITER), {"max_in_flight": 50}, 50 + executor_module._MAX_RETRYING, 23),
        (client(LIMITER), {"max_in_flight": 10}, 10 + executor_module._MAX_RETRYING, 13),
        (client(LIMITER, useful_concurrency=3), {"max_in_flight": 1}, 1, 4),
    ],
)
def test_how_many_are_sent_at_once(make, sent, found, spec, parallelism, wanted):
    make(client=found, **spec).execute(scenario_state())
    assert sent["parallelism"] == parallelism
    assert (sent["wanted"] and sent["wanted"]()) == wanted
    assert sent["send_equal_once"] is True and sent["deferral"] is sent["wait"] is None
    assert sent["leaders_first"] is False


def test_a_state_without_a_deployment_has_no_client(make, sent):
    make(client=client(useful_concurrency=2)).execute(scenario_state(deployment=""))
    assert sent["parallelism"] == 4


@pytest.fixture
def deployment(monkeypatch):
    """Replaces the deployment that the requests go to."""

    def replace_it(**fields):
        made = ModelDeployment(SIMPLE, ClientSpec("none"), model_name=SIMPLE, tokenizer_name="t", max_sequence_length=9)
        monkeypatch.setitem(DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT, SIMPLE, replace(made, **fields))

    return replace_it


@pytest.mark.parametrize(
    "found, fields, leaders_first",
    [
        (None, {}, False),
        (None, {"prefix_cache": True}, True),
        (client(), {"prefix_cache": False}, False),
        (client(caches_prompts=True), {}, True),
    ],
)
def test_the_first_of_equal_beginnings_goes_ahead_where_they_are_remembered(
    make, sent, deployment, found, fields, leaders_first
):
    deployment(**fields)
    make(client=found).execute(scenario_state())
    assert sent["leaders_first"] is leaders_first


BATCHES = SimpleNamespace(price_share=0.5)


@pytest.mark.parametrize(
    "found, spec, share",
    [
        (client(batches=BATCHES), {"batch_api": True}, 0.5),
        (client(batches=BATCHES), {"batch_api": False}, None),
        (client(batches=BATCHES), {}, None),
        (client(batches=BATCHES), {"batch_api": True, "url": "http://127.0.0.1:9"}, None),
        (client(), {"batch_api": True}, None),
        (None, {"batch_api": True}, None),
    ],
)
def test_what_requests_cost_as_batches(make, caplog, found, spec, share):
    tried = make(client=found, **spec)
    for _ in range(2):
        assert tried.batch_share(SIMPLE) == share
    is_wanted = found is not None and spec == {"batch_api": True} and share is None
    assert (
        caplog.text.count(f"{SIMPLE} has no batch API (SimpleNamespace); its requests are sent one by one.")
        == is_wanted
    )


def test_batches_are_collected_while_requests_are_sent(make, sent, tmp_path):
    cache = SqliteCacheBackendConfig(str(tmp_path / "cache"))
    tried = make(client=client(batches=BATCHES), batch_api=True, sqlite_cache_backend_config=cache)
    finished = []
    tried.batch_queue = SimpleNamespace(finish=lambda: finished.append(dict(sent)), takes=lambda batches: True)
    tried.execute(scenario_state())
    assert isinstance(sent["deferral"], RunDeferral) and sent["wait"] == sent["deferral"].wait
    assert finished == [sent], "once, when all are sent"
    assert current_deferral() is None
    assert sent["deferral"].is_taking(BATCHES, SIMPLE)


def test_batches_need_the_response_cache(make, tmp_path):
    cache = SqliteCacheBackendConfig(str(tmp_path / "cache"))
    for spec in ({}, {"url": "http://127.0.0.1:9", "local_path": None, "sqlite_cache_backend_config": cache}):
        with pytest.raises(ExecutorError, match="Batches need the response cache"):
            make(**spec).batch_queue  # noqa: B018
    assert make(sqlite_cache_backend_config=cache).batch_queue is not None


def test_where_requests_go(tmp_path):
    spec = ExecutionSpec(None, Authentication("key"), str(tmp_path), 1)
    assert type(Executor(spec).context) is LocalContext
    assert type(Executor(replace(spec, url="http://127.0.0.1:9")).context) is RemoteContext
    with pytest.raises(ValueError, match="Either the proxy server URL or the local path must be set"):
        Executor(replace(spec, local_path=None))


# --- what is scored ---------------------------------------------------------------------------------------------------


def test_an_instance_of_which_one_request_failed_is_left_out_whole():
    typos = PerturbationDescription("typos", robustness=True)
    right = [state_of(number).with_result(ANSWER) for number in (0, 0, 1)]
    of_others = [
        state_of(0, perturbation=typos).with_result(ANSWER),
        replace(state_of(0), train_trial_index=1).with_result(ANSWER),
        state_of(2),
    ]
    failed = state_of(0).with_result(failure())
    whole = scenario_state(*right, *of_others, failed)
    assert without_failures(whole).request_states == [right[2], *of_others]
    assert scored_part(whole, EXCLUDE).request_states == [right[2], *of_others]
    for policy in (HELM, FAIL, COUNT_AS_WRONG):
        assert scored_part(whole, policy) is whole
    good = scenario_state(*right, *of_others)
    assert without_failures(good) is good
