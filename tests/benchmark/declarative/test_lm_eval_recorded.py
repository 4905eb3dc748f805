"""Prompts and scores equal to those that lm-evaluation-harness itself gave for the same tasks, rows and answers."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.adapters.adapter_factory import AdapterFactory
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.lm_eval.method_run_spec import make_lm_eval_run_spec
from helm.benchmark.metrics.metric import create_metric
from helm.benchmark.scenarios.scenario import create_scenario, with_instance_ids
from helm.common.request import GeneratedOutput, Request, RequestResult, Token
from metrics_support import CharacterWindowService, make_metric_service

yaml = pytest.importorskip("yaml")
pytest.importorskip("jinja2")

RECORDED = json.loads((Path(__file__).parents[2] / "recorded" / "lm_eval_tasks.json").read_text(encoding="utf-8"))
CASES = RECORDED["cases"]
SCORED = [case for case in CASES if "scores" in case]


@pytest.fixture
def run(tmp_path):
    """Run spec and instances of a case."""
    for split, rows in RECORDED["rows"].items():
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{split}.jsonl").write_text(text, encoding="utf-8")

    def make(case):
        path = tmp_path / f"{case['id']}.yaml"
        path.write_text(yaml.safe_dump({**RECORDED["common"], **case["task"]}), encoding="utf-8")
        spec = make_lm_eval_run_spec(str(path))
        return spec, with_instance_ids(create_scenario(spec.scenario_spec).get_instances(str(tmp_path)))

    return make


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_prompts_equal_the_recorded_ones(case, run):
    spec, instances = run(case)
    spec = replace(spec.adapter_spec, model="simple/model1", model_deployment="simple/model1")
    adapter = AdapterFactory.get_adapter(spec, None)
    adapter.__dict__["window_service"] = CharacterWindowService()
    prompts = [state.request.prompt for state in adapter.adapt(instances, 1)]
    wanted = ["".join(request) for request in case["requests"]]
    assert prompts[: len(wanted)] == wanted


def make_state(instance, text, tokens, reference_index):
    result = RequestResult(
        success=True, cached=False, embedding=[], completions=[GeneratedOutput(text, 0, tokens)], request_time=0
    )
    mode = None if reference_index is None else "original"
    return RequestState(instance, reference_index, mode, 0, None, Request(), result, 0, False)


@pytest.mark.parametrize("case", SCORED, ids=[case["id"] for case in SCORED])
def test_scores_equal_the_recorded_ones(case, run):
    spec, instances = run(case)
    states = []
    for number, instance in enumerate(instances):
        if spec.adapter_spec.method == "generation":
            states.append(make_state(instance, RECORDED["completions"][number], [], None))
            continue
        for index, reference in enumerate(instance.references):
            logprob = RECORDED["loglikelihoods"][number][index]
            tokens = [Token("a prompt", -99), Token(" " + reference.output.text, logprob)]
            states.append(make_state(instance, "", tokens, index))
    state = ScenarioState(AdapterSpec(num_train_trials=1), states)
    got = {}
    for metric_spec in spec.metric_specs:
        if "lm_eval" in metric_spec.class_name:
            result = create_metric(metric_spec).evaluate(state, make_metric_service(), "", 1)
            got.update({stat.name.name: stat.mean for stat in result.aggregated_stats if not stat.name.perturbation})
    for name, wanted in case["scores"].items():
        metric, filter_name = name.split(",")
        suffix = "_" + filter_name.replace("-", "_")
        assert got[metric + suffix if metric + suffix in got else metric] == pytest.approx(wanted), name
