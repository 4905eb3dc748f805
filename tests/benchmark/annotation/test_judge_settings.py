"""`judges.yaml`: whose place its judges take."""

import logging

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.annotation.judge_models import AnnotatorModelInfo
from helm.benchmark.metrics.metric import create_metric
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.running.judge_settings import apply_judges, judge_deployments
from helm.benchmark.specs import AnnotatorSpec, MetricSpec, ScenarioSpec
from helm.common.critique_request import CritiqueQuestionTemplate, CritiqueRequest, CritiqueTaskTemplate
from helm.common.errors import ConfigError
from judge_support import make_state

ANNOTATION = "helm.benchmark.annotation"
JURY = {name: {"model_name": f"a/{name}", "model_deployment": f"h/{name}"} for name in ("gpt", "llama")}
MINE = {"model_name": "my/judge", "model_deployment": "my/judge"}
INCLUDES = [f"include_{name}" for name in ("alignment", "aesthetics", "subject", "originality", "copyright")]
LLM_JURY_METRIC = "helm.benchmark.metrics.llm_jury_metrics.LLMJuryMetric"


def make_run_spec(*annotators, metrics=()):
    return RunSpec("r", ScenarioSpec("s"), AdapterSpec(), list(metrics), annotators=list(annotators))


def judges(**names):
    return {name.replace("others", "*"): AnnotatorModelInfo(model, model) for name, model in names.items()}


@pytest.mark.parametrize(
    "path", ["harm_bench_annotator.HarmBench", "wildbench_annotator.WildBench", "live_qa_annotator.LiveQA"]
)
def test_default_judges_are_replaced(path):
    (run_spec,) = apply_judges([make_run_spec(AnnotatorSpec(f"{ANNOTATION}.{path}Annotator"))], judges(gpt="my/judge"))
    assert run_spec.annotators[0].args == {"annotator_models": {"gpt": MINE}}


def test_a_jury_and_its_metric_change_together():
    annotator = AnnotatorSpec(f"{ANNOTATION}.medi_qa_annotator.MediQAAnnotator", {"annotator_models": JURY})
    arguments = {"metric_name": "m", "scenario_name": "medi_qa", "annotator_models": JURY}
    before = make_run_spec(annotator, metrics=[MetricSpec(LLM_JURY_METRIC, arguments)])
    (one,) = apply_judges([before], judges(gpt="my/judge"))
    assert one.annotators[0].args["annotator_models"] == {"gpt": MINE, "llama": JURY["llama"]}
    assert one.metric_specs[0].args == {**arguments, "annotator_models": {"gpt": MINE, "llama": JURY["llama"]}}
    (both,) = apply_judges([before], judges(others="my/judge"))
    assert both.annotators[0].args["annotator_models"] == {"gpt": MINE, "llama": MINE}
    assert before.annotators[0].args["annotator_models"] == JURY


def test_what_has_no_judge_or_names_its_own_stays_as_it_is():
    air_bench = f"{ANNOTATION}.air_bench_annotator.AIRBench2024Annotator"
    run_specs = [
        make_run_spec(),
        make_run_spec(AnnotatorSpec("helm.benchmark.annotation.annotator.DummyAnnotator")),
        make_run_spec(AnnotatorSpec("no.such.Annotator")),
        make_run_spec(AnnotatorSpec(air_bench, {"model": "a/b", "model_deployment": "a/b"})),
    ]
    assert apply_judges(run_specs, judges(others="my/judge")) == run_specs


CRITIQUES = [
    ("prometheus_vision_critique_metrics.PrometheusVisionCritiqueMetric", {"num_respondents": 1, "max_tokens": 9}),
    ("gpt4_audio_critique_metrics.GPT4AudioCritiqueMetric", {"num_respondents": 1, "max_tokens": 9}),
    ("gpt4_audio_refusal_metrics.GPT4AudioRefusalCritiqueMetric", {"num_respondents": 1, "max_tokens": 9}),
    ("reka_vibe_critique_metrics.RekaVibeCritiqueMetric", {"num_respondents": 1, "max_tokens": 9}),
    ("gpt4v_originality_critique_metrics.GPT4VCritiqueMetric", {"num_respondents": 1}),
    ("instruction_following_critique_metrics.InstructionFollowingCritiqueMetric", {"num_respondents": 1}),
    ("summarization_critique_metrics.SummarizationCritiqueMetric", {"num_respondents": 1}),
    (
        "image_generation.photorealism_critique_metrics.PhotorealismCritiqueMetric",
        {"num_examples": 1, "num_respondents": 1},
    ),
    (
        "image_generation.image_critique_metrics.ImageCritiqueMetric",
        {**dict.fromkeys(INCLUDES, True), "num_examples": 1, "num_respondents": 1},
    ),
]


class Asked(Exception):
    """Has the request."""


class Service(MetricService):
    def __init__(self):
        super().__init__(None)

    def make_critique_request(self, request):
        raise Asked(request)


@pytest.mark.parametrize("path, args", CRITIQUES, ids=lambda value: str(value)[:30])
def test_critiques_ask_the_model_that_judges_yaml_names(path, args):
    before = make_run_spec(metrics=[MetricSpec(f"helm.benchmark.metrics.{path}", args)])
    assert apply_judges([before], judges(gpt="my/judge", others="my/judge")) == [before]  # people may answer
    (run_spec,) = apply_judges([before], judges(critique="my/judge"))
    assert run_spec.metric_specs[0].args == {**args, "critic": "my/judge"}
    assert judge_deployments(run_spec) == {"my/judge"} and not judge_deployments(before)
    assert apply_judges([run_spec], judges(critique="another/judge")) == [run_spec]
    metric = create_metric(run_spec.metric_specs[0])
    with pytest.raises(Asked) as asked:
        if hasattr(metric, "request"):
            metric.request("name", "", [], {}, Service())
        else:
            metric.evaluate_generation(AdapterSpec(), make_state("x", references=[["y", ["correct"]]]), Service(), "")
    assert asked.value.args[0].model == "my/judge"


def test_the_model_of_a_critique_needs_no_credential(local_context, built_in_catalogue):
    question = CritiqueQuestionTemplate("q", "multiple_choice", "Which?", ["one", "two"])
    template = CritiqueTaskTemplate("t", "Look.", 1, [question])
    with pytest.raises(ConfigError, match="critiqueType"):
        local_context.make_critique_request(CritiqueRequest(template, {}))
    result = local_context.make_critique_request(CritiqueRequest(template, {}, "simple/model1"))
    assert result.is_by_model and result.responses[0].respondent_id == "simple/model1:0"


def test_a_name_that_no_run_has_is_warned_of(caplog):
    run_spec = make_run_spec(AnnotatorSpec(f"{ANNOTATION}.harm_bench_annotator.HarmBenchAnnotator"))
    with caplog.at_level(logging.WARNING, logger="helm"):
        logging.getLogger("helm").propagate = True
        assert apply_judges([run_spec], judges(gtp="my/judge")) == [run_spec]
    assert "no run has a judge 'gtp'. Did you mean 'gpt'?" in caplog.text
