"""What people say about generated images, against HELM: what is asked about which image, and what the answers mean."""

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.metric import create_metric
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.benchmark.specs import MetricSpec
from helm.clients.critique_clients import ModelCritiqueClient, RandomCritiqueClient
from helm.clients.gcs_client import NoBucketError
from helm.common.codec import asdict_without_nones
from helm.common.critique_request import CritiqueRequestResult, CritiqueResponse
from helm.common.errors import MetricError
from helm.common.file_upload_request import FileUploadResult
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import GeneratedOutput, Request, RequestResult
from judge_support import ScriptedJudge
from metrics_support import make_perturbation
from vectors_support import vector_cases

CLASSES = {
    "image_critique": "image_critique_metrics.ImageCritiqueMetric",
    "image_critique_random_client": "image_critique_metrics.ImageCritiqueMetric",
    "photorealism_critique": "photorealism_critique_metrics.PhotorealismCritiqueMetric",
}
CASES = [case for case in vector_cases("helm-heim/metrics.json") if case["kind"] in CLASSES]
NUM_STATES = 8
"""Five prompts, the perturbed ones of the first two, and one whose images the model refused."""


class Service:
    """Stands for the services of a metric, and writes down what is asked."""

    def __init__(self, answers=None, client=None, has_bucket=True):
        self.answers, self.client, self.has_bucket, self.calls = answers, client, has_bucket, []

    def upload(self, request):
        if not self.has_bucket:
            raise NoBucketError("none")
        name = request.path.rpartition("/")[2]
        self.calls.append({"upload": name})
        return FileUploadResult(True, False, f"https://files.example/{name}")

    def make_critique_request(self, request):
        if self.client:
            return self.client.make_critique_request(request)
        template = asdict_without_nones(request.template)
        self.calls.append({"template": template, "fields": request.fields})
        return CritiqueRequestResult(
            [CritiqueResponse(str(i), str(i), answers) for i, answers in enumerate(self.answers or [])]
        )


@pytest.fixture
def picture(tmp_path):
    def make(name):
        path = tmp_path / name
        if not path.exists():
            from PIL import Image

            Image.new("RGB", (4, 4), (200, 10, 10)).save(path)
        return MultimediaObject([MediaObject(f"image/{'jpeg' if name.endswith('jpg') else 'png'}", location=str(path))])

    pytest.importorskip("PIL")
    return make


def make_states(picture, shown):
    """The states of the vectors; `shown` maps the numbers of states to names of an image and of its reference."""
    mix = make_perturbation({"name": "mild_mix", "robustness": True, "fairness": False, "computed_on": "perturbed"})
    states = []
    for i in range(NUM_STATES):
        image, gold = shown.get(i, ("white.png", "white.png"))
        number, is_perturbed = (i - 5, True) if i in (5, 6) else (9 if i == 7 else i, False)
        prompt = f"prompt {number}"
        instance = Instance(
            Input(f"prmpt {number}" if is_perturbed else prompt),
            [Reference(Output("", picture(gold)), [CORRECT_TAG])],
            split="test",
            id=f"id{number}",
            perturbation=mix if is_perturbed else None,
            contrast_inputs=[Input(prompt)] if is_perturbed else None,
        )
        content = MultimediaObject() if i == 7 else picture(image)
        result = RequestResult(True, [], [GeneratedOutput("", 0, [], multimodal_content=content)], False)
        states.append(new_request_state(instance, Request("a/b", "a/b", prompt=instance.input.text), result=result))
    return states


def chosen(args):
    """The numbers of the states that are asked about, in order; numpy draws 6, 2, 1 of eight with the seed 0."""
    if args.get("use_perturbed"):
        return [5, 6]
    return list(range(7)) if args["num_examples"] >= NUM_STATES else [6, 2, 1][: args["num_examples"]]


def evaluate(picture, case, service, args=None):
    uploads = [call["upload"] for call in case.get("service_calls", []) if "upload" in call]
    pairs = case["kind"] == "photorealism_critique"
    images = list(zip(uploads[::2], uploads[1::2], strict=True)) if pairs else [(name, name) for name in uploads]
    shown = dict(zip(chosen(case["args"]), images, strict=False))
    metric = create_metric(
        MetricSpec(f"helm.benchmark.metrics.image_generation.{CLASSES[case['kind']]}", args or case["args"])
    )
    return metric.evaluate(ScenarioState(AdapterSpec(), make_states(picture, shown)), service, "", 1)


def plain(stats):
    """Stats as the vectors write them."""
    kept = ("name", "split", "perturbation", "count", "sum", "sum_squared", "min", "max", "mean")
    found = []
    for stat in stats:
        data = asdict_without_nones(stat)
        data.update(data.pop("name"))
        found.append({key: data[key] for key in kept if key in data})
    return found


def without_nones(value):
    if isinstance(value, dict):
        return {key: without_nones(item) for key, item in value.items() if item is not None}
    return [without_nones(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kind']}-{CASES.index(case)}")
def test_questions_and_numbers_are_those_of_helm(case, picture):
    is_random = case["kind"] == "image_critique_random_client"
    service = Service(case.get("answers"), RandomCritiqueClient() if is_random else None)
    result = evaluate(picture, case, service)
    assert plain(result.aggregated_stats) == without_nones(case["aggregated"])
    if is_random:
        return
    assert service.calls == without_nones(case["service_calls"])
    assert [(one.instance_id, plain(one.stats)) for one in result.per_instance_stats] == [
        (one["instance_id"], without_nones(one["stats"])) for one in case["per_instance"]
    ]


CASE = next(case for case in CASES if case["args"].get("include_copyright"))


def test_answers_of_a_model_have_names_of_their_own_and_need_no_upload(picture):
    service = Service(client=ModelCritiqueClient(ScriptedJudge("B"), "a/b"), has_bucket=False)
    args = {**CASE["args"], "include_copyright": False, "num_examples": 1, "num_respondents": 1}
    stats = {stat.name.name: stat.mean for stat in evaluate(picture, CASE, service, args).aggregated_stats}
    names = ("image_text_alignment_model", "originality_model", "clear_subject_model", "aesthetics_model")
    assert stats == dict.fromkeys(names, 2)


def test_answers_that_are_no_options_have_no_value(picture):
    service = Service([{"image_text_alignment_human": "Superb"}, {}, {"image_text_alignment_human": ["x"]}])
    args = {**CASE["args"], "include_copyright": False, "num_examples": 1}
    result = evaluate(picture, CASE, service, args)
    assert {stat.count for stat in result.aggregated_stats} == {0}


def test_a_failed_upload_is_an_error(picture):
    service = Service([])
    service.upload = lambda request: FileUploadResult(False, False, "", "the bucket is full")
    with pytest.raises(MetricError, match="the bucket is full"):
        evaluate(picture, CASE, service)
