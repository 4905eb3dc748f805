"""Error rates, judges of sounds and pictures, and the metric of UltraSuite, against values of the original."""

import base64
from dataclasses import replace

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.basic_metrics import BasicGenerationMetric
from helm.benchmark.metrics.evaluate_reference_metrics import metric_fn_mapping
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.ultra_suite_asr_classification_metrics import UltraSuiteASRMetric
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.clients.critique_clients import ModelCritiqueClient
from helm.common.critique_request import CritiqueRequestResult, CritiqueResponse
from helm.common.errors import MetricError
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.object_spec import get_class_by_name
from helm.common.request import GeneratedOutput, Request, RequestResult
from judge_support import ScriptedJudge, make_state
from vectors_support import load_vectors

VECTORS = load_vectors("helm-vision-audio/metrics.json")


@pytest.mark.parametrize("case", VECTORS["text"], ids=lambda case: repr((case["gold"], case["pred"])))
def test_text_metrics_of_audio_vectors(case):
    for name, expected in case["values"].items():
        value = metric_fn_mapping[name](case["gold"], case["pred"])
        if isinstance(expected, dict):  # jiwer 3 fails without words in the gold text; jiwer 4 counts insertions
            assert expected["raises"] == "ValueError" and 0 <= value <= len(case["pred"]), name
        else:
            assert value == pytest.approx(expected, rel=1e-12), name


@pytest.mark.parametrize("case", VECTORS["basic_generation"], ids=lambda case: repr(case["completions"]))
def test_generation_metrics_of_audio_vectors(case):
    references = [[text, [CORRECT_TAG]] for text in case["references"]]
    state = _with_completions(make_state("", references=references), case["completions"])
    spec = AdapterSpec(method="generation", num_outputs=5)
    metric = BasicGenerationMetric(case["names"])
    stats = metric.evaluate_generation(spec, state, MetricService(None), "")
    got = {stat.name.name: (stat.count, pytest.approx(stat.sum)) for stat in stats}
    wanted = {stat["name"]: (stat["count"], stat["sum"]) for stat in case["stats"]}
    assert {name: value for name, value in got.items() if name in wanted} == wanted


def _with_completions(state, texts):
    completions = [GeneratedOutput(text=text, logprob=0, tokens=[]) for text in texts]
    return replace(state, result=replace(state.result, completions=completions))


def _with_prompt(state, prompt, folder):
    for name, content in VECTORS["media"].items():
        (folder / name).write_bytes(base64.b64decode(content["base64"]))
    parts = [
        MediaObject(**{name: value.replace("$DIR", str(folder)) for name, value in part.items()}) for part in prompt
    ]
    request = replace(state.request, prompt="", multimodal_prompt=MultimediaObject(parts))
    content = Input(multimedia_content=MultimediaObject(parts))
    return replace(state, request=request, instance=replace(state.instance, input=content))


class Judges(MetricService):
    def __init__(self, answers):
        super().__init__(None)
        self._answers = answers

    def make_critique_request(self, request):
        (question,) = request.template.questions
        responses = [CritiqueResponse(str(i), str(i), {question.name: text}) for i, text in enumerate(self._answers)]
        return CritiqueRequestResult(responses)


@pytest.mark.parametrize(
    "case", VECTORS["critique"], ids=lambda case: f"{case['class_name'].rpartition('.')[2]}-{case['answers']}"
)
def test_judges_of_sounds_and_pictures_of_vectors(case, tmp_path):
    metric = get_class_by_name(case["class_name"])(**case["args"])
    references = [[text, [CORRECT_TAG]] for text in case["references"]]
    state = make_state(case["completions"][0], question="Describe.", references=references)
    state = _with_prompt(_with_completions(state, case["completions"]), case["prompt"], tmp_path)

    def evaluate():
        return metric.evaluate_generation(AdapterSpec(), state, Judges(case["answers"] or []), "")

    if not any(stat["count"] for stat in case.get("stats", [])):
        # The original gives no score or none at all; here an answer that cannot be read is an error, never a score.
        with pytest.raises(MetricError):
            evaluate()
        return
    got = [{"name": s.name.name, "count": s.count, "sum": s.sum, "mean": s.mean} for s in evaluate()]
    assert got == case["stats"]


@pytest.mark.parametrize(
    "case", VECTORS["critique_client"], ids=lambda case: f"{case['metric'].rpartition('.')[2]}-{case['judge_answer']}"
)
def test_a_model_as_judge_of_vectors(case, tmp_path):
    """The scores and how the judge is asked; the words of its questions are this package's own."""
    metric = get_class_by_name(case["metric"])(**case["args"])
    state = make_state("my output", question="Describe.", references=[["gold", [CORRECT_TAG]]])
    picture = [{"content_type": "image/png", "location": "$DIR/rgb1.png"}]
    state = _with_prompt(state, picture, tmp_path)
    judge = ScriptedJudge(case["judge_answer"])
    service = MetricService(None)
    service.make_critique_request = ModelCritiqueClient(judge, case["judge_model"]).make_critique_request
    stats = metric.evaluate_generation(AdapterSpec(), state, service, "")
    assert [{"name": s.name.name, "count": s.count, "sum": s.sum, "mean": s.mean} for s in stats] == case["stats"]
    for request, wanted in zip(judge.requests, case["requests"], strict=True):
        assert (request.temperature, request.random) == (wanted["temperature"], wanted["random"])
        assert request.max_tokens >= wanted["max_tokens"], "HELM leaves room for the letter only"
        parts = request.multimodal_prompt.media_objects if request.multimodal_prompt else []
        wanted_parts = wanted.get("multimodal_prompt") or []
        assert [part.content_type for part in parts] == [part["content_type"] for part in wanted_parts]


@pytest.mark.parametrize("case", VECTORS["ultra_suite_asr"])
def test_metric_of_ultra_suite_of_vectors(case):
    states = []
    for i, row in enumerate(case["instances"]):
        labels = ("typically_developing", "speech_disorder")
        references = [Reference(Output(label), [CORRECT_TAG] if label == row["label"] else []) for label in labels]
        instance = Instance(
            Input(), references, "test", id=f"id{i}", extra_data={"transcription": row["transcription"]}
        )
        result = RequestResult(
            success=True,
            embedding=[],
            completions=[GeneratedOutput(text=row["completion"], logprob=0, tokens=[])],
            cached=False,
        )
        states.append(RequestState(instance, None, None, 0, None, Request(), result, 0, False))
    stats = UltraSuiteASRMetric().evaluate_instances(states, "")
    got = [{"name": s.name.name, "count": s.count, "sum": s.sum, "mean": s.mean} for s in stats]
    assert got == case["stats"]
