"""Annotators: what is filled in, what is kept, and what is said when one fails."""

import json

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.annotation.annotator import Annotator, AnnotatorSpec, UnjudgedError
from helm.benchmark.annotation.annotator_factory import AnnotatorFactory
from helm.benchmark.annotation.model_as_judge import (
    AnnotatorModelInfo,
    AnnotatorResponseParseFailure,
    JudgeError,
    LLMAsJuryAnnotator,
    parse_score_with_reasoning,
    score_with_reasoning,
    score_with_reasoning_with_gpt_and_llama,
)
from helm.benchmark.annotation_executor import AnnotationExecutionSpec, AnnotationExecutor, AnnotationExecutorError
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.common.cache import SqliteCacheConfig
from helm.common.cache_backend_config import SqliteCacheBackendConfig
from helm.common.request import GeneratedOutput, Request, RequestResult
from vectors_support import vector_cases


class UpperAnnotator(Annotator):
    name = "upper"

    def annotate(self, request_state):
        return request_state.result.completions[0].text.upper()


class PickyAnnotator(Annotator):
    name = "picky"

    def annotate(self, request_state):
        if request_state.instance.id == "id1":
            raise KeyError("colour")
        return 1


class FancyJudgeAnnotator(Annotator):
    name = "fancy"

    def __init__(self, cache_config, api_key, endpoint, file_storage_path, auto_client, level=1):
        self.arguments = (cache_config, api_key, endpoint, file_storage_path, type(auto_client).__name__, level)

    def annotate(self, request_state):
        return None


class GlobalAnnotator(Annotator):
    name = "global"
    use_global_metric = True

    def __init__(self, offset=0):
        self.offset = offset

    def annotate(self, request_state):
        raise NotImplementedError

    def annotate_all(self, request_states):
        return [{"rank": i + self.offset} for i in range(len(request_states))]


@pytest.fixture
def here(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "annotators_of_this_test", sys.modules[__name__])
    return lambda name, **args: AnnotatorSpec(f"annotators_of_this_test.{name}", args)


def state_of(text, number=0, question="", references=()):
    instance = Instance(Input(text=question), list(references), split="test", id=f"id{number}")
    result = RequestResult(True, [], [GeneratedOutput(text, 0, [])], cached=False)
    return new_request_state(instance, Request(prompt="p"), result=result)


def execute(tmp_path, specs, texts=("a", "b"), **kwargs):
    states = [state_of(text, i) for i, text in enumerate(texts)]
    scenario_state = ScenarioState(AdapterSpec(), states, annotator_specs=specs)
    executor = AnnotationExecutor(AnnotationExecutionSpec(str(tmp_path), parallelism=2, **kwargs))
    result = executor.execute(scenario_state)
    return scenario_state, result


def test_each_annotator_has_its_key(tmp_path, here):
    before, after = execute(tmp_path, [here("UpperAnnotator"), here("PickyAnnotator")], texts=("a",))
    assert [state.annotations for state in after.request_states] == [{"upper": "A", "picky": 1}]
    assert before.request_states[0].annotations is None


def test_nothing_is_done_in_a_dry_run_or_without_annotators(tmp_path, here):
    for specs, kwargs in ([here("UpperAnnotator")], {"dry_run": True}), ([], {}), (None, {}):
        before, after = execute(tmp_path, specs, **kwargs)
        assert after is before


def test_a_failure_names_annotator_instance_and_cause(tmp_path, here):
    with pytest.raises(AnnotationExecutorError) as caught:
        execute(tmp_path, [here("UpperAnnotator"), here("PickyAnnotator")])
    message = str(caught.value)
    assert "'picky'" in message and "id1" in message and "KeyError: 'colour'" in message and "Request(" in message
    assert caught.value.instance_id == "id1"


@pytest.mark.parametrize("name, cause", [("AbsentAnnotator", "AbsentAnnotator"), ("UpperAnnotator", "colour")])
def test_an_annotator_that_cannot_be_made_is_named(tmp_path, here, name, cause):
    args = {} if name.startswith("Absent") else {"colour": "red"}
    with pytest.raises(AnnotationExecutorError, match="Could not initialize annotator for spec: ") as caught:
        execute(tmp_path, [here(name, **args)])
    assert cause in str(caught.value) or "takes no arguments" in str(caught.value)


def test_global_annotators_see_all_states_and_the_last_one_counts(tmp_path, here):
    _, after = execute(tmp_path, [here("GlobalAnnotator"), here("GlobalAnnotator", offset=5)])
    assert [state.annotations for state in after.request_states] == [{"rank": 5}, {"rank": 6}]


def test_the_factory_fills_in_what_the_constructor_names(tmp_path, here):
    backend = SqliteCacheBackendConfig(str(tmp_path))
    factory = AnnotatorFactory({"fancyjudgeApiKey": "k", "fancyjudgeEndpoint": "e"}, str(tmp_path), backend)
    annotator = factory.get_annotator(here("FancyJudgeAnnotator", level=2))
    assert annotator.arguments == (
        SqliteCacheConfig(str(tmp_path / "fancyjudge.sqlite")),
        "k",
        "e",
        str(tmp_path / "output" / "fancyjudge"),
        "AutoClient",
        2,
    )


def test_the_key_of_a_service_is_not_for_an_endpoint_that_an_entry_names(tmp_path, here, caplog):
    caplog.set_level("INFO", "helm")
    backend = SqliteCacheBackendConfig(str(tmp_path))
    factory = AnnotatorFactory({"fancyjudgeApiKey": "k", "fancyjudgeEndpoint": "e"}, str(tmp_path), backend)
    keys = [
        factory.get_annotator(here("FancyJudgeAnnotator", endpoint=e)).arguments[1:3] for e in ("e", "http://other")
    ]
    assert keys == [("k", "e"), (None, "http://other")]
    assert "fancyjudgeApiKey is not sent to http://other" in caplog.text


# --- judges -----------------------------------------------------------------------------------------------------------


class Judge:
    """Stands in for AutoClient: gives one text, or fails for None."""

    def __init__(self, text):
        self.text, self.requests = text, []

    def make_request(self, request):
        self.requests.append(request)
        if self.text is None:
            return RequestResult(False, [], [], cached=False, error="tired")
        return RequestResult(True, [], [GeneratedOutput(self.text, 0, [])], cached=False)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("<reasoning>\nfine\n</reasoning>\n<score>\n1\n</score>", ("fine", 1.0)),
        ("<REASONING> loud </REASONING> <Score> 0.25 </Score>", ("loud", 0.25)),
        ("<reasoning>no slash<reasoning><score>0.75<score>", ("no slash", 0.75)),
        ("<score>1</score> <reasoning>swapped</reasoning> <score>0</score>", ("swapped", 1.0)),
    ],
)
def test_scores_are_found_in_tags(text, expected):
    answer = score_with_reasoning(Judge(text), "How?", "a/b", "c/b")
    assert (answer["reasoning"], answer["score"]) == expected


@pytest.mark.parametrize("text", ["", "<score>1</score>", "<reasoning>x</reasoning><score>one</score>"])
def test_an_answer_without_score_and_reasoning_is_a_parse_failure(text):
    with pytest.raises(AnnotatorResponseParseFailure) as caught:
        parse_score_with_reasoning(text)
    assert caught.value.response_text == text


def test_a_judge_that_fails_is_named():
    with pytest.raises(JudgeError, match="Judge c/b failed: tired"):
        score_with_reasoning(Judge(None), "How?", "a/b", "c/b")


def test_two_judges_are_asked_at_temperature_zero():
    judge = Judge("<reasoning>r</reasoning><score>2</score>")
    assert score_with_reasoning_with_gpt_and_llama(judge, "How?") == {
        "prompt_text": "How?",
        "gpt_reasoning": "r",
        "gpt_score": 2.0,
        "llama_reasoning": "r",
        "llama_score": 2.0,
    }
    assert [(request.temperature, request.max_tokens, request.prompt) for request in judge.requests] == [
        (0.0, 256, "How?")
    ] * 2
    assert len({request.model_deployment for request in judge.requests}) == 2


def jury(judge, template="{QUESTION}", criteria=None, names=("m1",), preprocessor=None):
    models = {name: AnnotatorModelInfo(f"a/{name}", f"a/{name}") for name in names}
    return LLMAsJuryAnnotator("jury", judge, template, criteria or {"accuracy": {"score"}}, models, preprocessor)


def test_jury_annotation_vectors():
    for case in vector_cases("helm-metrics/judge_jury.json"):
        if "template" not in case:
            continue  # about the metric
        criteria = {key: set(values) for key, values in case["criteria"].items()}
        annotator = jury(Judge(case["judge_text"]), case["template"], criteria, case["judges"])
        gold = [] if case["gold"] is None else [Reference(Output(text=case["gold"]), tags=[CORRECT_TAG])]
        annotation = annotator.annotate(state_of(case["response"], question=case["question"], references=gold))
        assert json.dumps(annotation) == json.dumps(case["annotation"]), case


def test_an_empty_response_asks_no_judge():
    judge = Judge("{}")
    assert jury(judge).annotate(state_of(" \n")) == {"prompt_text": None, "empty_output_equivalence_judgement": False}
    assert judge.requests == []


def test_a_brace_that_the_judge_forgot_is_added():
    annotation = jury(Judge('{"accuracy": {"score": 3}')).annotate(state_of("x"))
    assert annotation["m1"] == {"accuracy": {"score": 3}}


def test_the_preprocessor_sees_the_completion_first():
    judge = Judge("{}")
    jury(judge, "R: {RESPONSE}", preprocessor=str.upper).annotate(state_of("x"))
    assert judge.requests[0].prompt == "R: X"


def test_an_unknown_name_in_the_template_is_named():
    with pytest.raises(ValueError, match="jury.*unknown name .COLOUR"):
        jury(Judge("{}"), "$COLOUR").annotate(state_of("x"))


class UndecidedAnnotator(Annotator):
    name = "undecided"

    def annotate(self, request_state):
        raise UnjudgedError("no idea", {"score": None, "error": "no idea"})


def test_a_request_that_could_not_be_judged_is_recorded_as_such(tmp_path, here):
    _, after = execute(tmp_path, [here("UpperAnnotator"), here("UndecidedAnnotator")])
    assert [state.annotations for state in after.request_states] == [
        {"upper": text, "undecided": {"score": None, "error": "no idea"}} for text in ("A", "B")
    ]
