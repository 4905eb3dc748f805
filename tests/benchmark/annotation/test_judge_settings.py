"""`judges.yaml`: whose place its judges take."""

import logging

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.annotation.judge_models import AnnotatorModelInfo
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.running.judge_settings import apply_judges
from helm.benchmark.specs import AnnotatorSpec, MetricSpec, ScenarioSpec

ANNOTATION = "helm.benchmark.annotation"
JURY = {name: {"model_name": f"a/{name}", "model_deployment": f"h/{name}"} for name in ("gpt", "llama")}
MINE = {"model_name": "my/judge", "model_deployment": "my/judge"}
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


def test_a_name_that_no_run_has_is_warned_of(caplog):
    run_spec = make_run_spec(AnnotatorSpec(f"{ANNOTATION}.harm_bench_annotator.HarmBenchAnnotator"))
    with caplog.at_level(logging.WARNING, logger="helm"):
        logging.getLogger("helm").propagate = True
        assert apply_judges([run_spec], judges(gtp="my/judge")) == [run_spec]
    assert "no run has a judge 'gtp'. Did you mean 'gpt'?" in caplog.text
