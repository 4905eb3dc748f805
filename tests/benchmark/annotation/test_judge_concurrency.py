"""Judges behind endpoints that pace themselves are asked as fast as they take it; other annotators by so many threads."""

import pytest

from conformance_server import ConformanceServer
from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.annotation.annotator import AnnotatorSpec
from helm.benchmark.annotation_executor import AnnotationExecutionSpec, AnnotationExecutor
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.request import GeneratedOutput, Request, RequestResult

JUDGE = "helm.benchmark.annotation.harm_bench_annotator.HarmBenchAnnotator"


@pytest.fixture
def server(monkeypatch):
    from helm.clients.pacing.limiter import forget_limiters

    forget_limiters()
    server = ConformanceServer(text="<reasoning>r</reasoning><score>1</score>", latency_s=0.1)
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.origin}/v1")
    yield server
    server.close()
    forget_limiters()


def annotate(tmp_path, spec, max_in_flight, number=80):
    executor = AnnotationExecutor(AnnotationExecutionSpec(str(tmp_path), parallelism=3, max_in_flight=max_in_flight))
    states = [
        RequestState(
            instance=Instance(Input(f"question {i}"), [], id=f"id{i}"),
            reference_index=None,
            request_mode=None,
            train_trial_index=0,
            output_mapping=None,
            request=Request(prompt=f"question {i}"),
            result=RequestResult(True, [], [GeneratedOutput(f"answer {i}", 0, [])], cached=False),
            num_train_instances=0,
            prompt_truncated=False,
        )
        for i in range(number)
    ]
    executor.prepare([spec])
    done = executor.execute(ScenarioState(AdapterSpec(), states, [spec])).request_states
    assert [state.instance.id for state in done] == [f"id{i}" for i in range(number)]
    return done


def judge_spec():
    judge = {"model_name": "openai-compat/judge", "model_deployment": "openai-compat/judge"}
    return AnnotatorSpec(JUDGE, {"annotator_models": {"gpt": judge}})


def test_judges_are_asked_as_their_endpoint_takes_it(server, tmp_path):
    done = annotate(tmp_path, judge_spec(), max_in_flight=64)
    assert all(state.annotations["harm_bench"]["gpt_score"] == 1 for state in done)
    assert server.max_in_flight > 12


def test_a_given_number_of_threads_is_kept(server, tmp_path):
    annotate(tmp_path, judge_spec(), max_in_flight=None, number=12)
    assert server.max_in_flight == 3


def test_a_judge_that_takes_few_at_once_is_found_out(server, tmp_path, monkeypatch):
    monkeypatch.setattr("helm.clients.pacing.pace.FIRST_PAUSE_S", 0.01)
    server.limit = 8
    done = annotate(tmp_path, judge_spec(), max_in_flight=64)
    assert all(state.annotations["harm_bench"]["gpt_score"] == 1 for state in done)
    assert server.num_rejected < 40


def test_other_annotators_keep_their_threads(tmp_path):
    executor = AnnotationExecutor(AnnotationExecutionSpec(str(tmp_path), parallelism=3, max_in_flight=64))
    spec = AnnotatorSpec("helm.benchmark.annotation.annotator.DummyAnnotator", {})
    assert executor._concurrency([executor.factory.get_annotator(spec)]) == (3, None)
