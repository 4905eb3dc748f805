"""Error rates, judges of sounds and the metric of UltraSuite, against values of the original."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.evaluate_reference_metrics import metric_fn_mapping
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.ultra_suite_asr_classification_metrics import UltraSuiteASRMetric
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.common.critique_request import CritiqueRequestResult, CritiqueResponse
from helm.common.errors import MetricError
from helm.common.object_spec import get_class_by_name
from helm.common.request import GeneratedOutput, Request, RequestResult
from judge_support import make_state

VECTORS = json.loads((Path(__file__).parents[2] / "vectors/helm-vision-audio/metrics.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", VECTORS["text"], ids=lambda case: repr((case["gold"], case["pred"])))
def test_text_metrics_of_audio_vectors(case):
    for name, expected in case["values"].items():
        value = metric_fn_mapping[name](case["gold"], case["pred"])
        if isinstance(expected, dict):  # jiwer 3 fails without words in the gold text; jiwer 4 counts insertions
            assert expected["raises"] == "ValueError" and 0 <= value <= len(case["pred"]), name
        else:
            assert value == pytest.approx(expected, rel=1e-12), name


AUDIO_CRITIQUES = [case for case in VECTORS["critique"] if "gpt4_audio" in case["class_name"]]


class Judges(MetricService):
    def __init__(self, answers):
        super().__init__(None)
        self._answers = answers

    def make_critique_request(self, request):
        (question,) = request.template.questions
        responses = [CritiqueResponse(str(i), str(i), {question.name: text}) for i, text in enumerate(self._answers)]
        return CritiqueRequestResult(responses)


@pytest.mark.parametrize("case", AUDIO_CRITIQUES, ids=lambda case: repr(case["answers"]))
def test_judges_of_sounds_of_vectors(case):
    metric = get_class_by_name(case["class_name"])(**case["args"])
    references = [[text, [CORRECT_TAG]] for text in case["references"]]
    state = make_state(case["completions"][0], question="Describe.", references=references)
    more = [GeneratedOutput(text=text, logprob=0, tokens=[]) for text in case["completions"]]
    state = replace(state, result=replace(state.result, completions=more))

    def evaluate():
        return metric.evaluate_generation(AdapterSpec(), state, Judges(case["answers"] or []), "")

    if not any(stat["count"] for stat in case["stats"]):
        # The original gives no score or none at all; here an answer that cannot be read is an error, never a score.
        with pytest.raises(MetricError):
            evaluate()
        return
    got = [{"name": s.name.name, "count": s.count, "sum": s.sum, "mean": s.mean} for s in evaluate()]
    assert got == case["stats"]


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
