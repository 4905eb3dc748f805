"""Run specs for `test_chat_answers.py`: questions like those of GPQA, and a task with a judge."""

from dataclasses import replace

from helm.benchmark.annotation.annotator import AnnotatorSpec
from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.run_spec import get_run_spec_function, run_spec_function
from helm.benchmark.scenarios.scenario import ScenarioSpec

JUDGES = {"gpt": {"model_name": "openai-compat/judge", "model_deployment": "openai-compat/judge"}}
PROMPT = "Rate this. {QUESTION} ANSWER {RESPONSE} END Reply with JSON."


@run_spec_function("gpqa_like")
def get_gpqa_like_spec():
    spec = get_run_spec_function("gpqa")(subset="gpqa_main")
    scenario = ScenarioSpec(
        "helm.benchmark.scenarios.custom_mcqa_scenario.CustomMCQAScenario",
        {"path": "q.jsonl", "num_train_instances": 0},
    )
    return replace(spec, name="gpqa_like", scenario_spec=scenario)


@run_spec_function("judged_chat")
def get_judged_spec():
    spec = get_gpqa_like_spec()
    args = {"name": "judged_chat", "prompt_template": PROMPT, "annotation_criteria": {"tone": ["score", "explanation"]}}
    annotator = AnnotatorSpec(
        "helm.benchmark.annotation.model_as_judge.LLMAsJuryAnnotator", {**args, "annotator_models": JUDGES}
    )
    metric = MetricSpec(
        "helm.benchmark.metrics.llm_jury_metrics.LLMJuryMetric",
        {"metric_name": "rating", "scenario_name": "judged_chat", "annotator_models": JUDGES, "default_score": 1.0},
    )
    adapter_spec = replace(spec.adapter_spec, method="generation")
    return replace(spec, name="judged_chat", adapter_spec=adapter_spec, annotators=[annotator], metric_specs=[metric])
