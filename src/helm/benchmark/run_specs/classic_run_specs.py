"""Recipes of HELM Classic that are not data: generated scenarios, and two that depend on arguments or files."""

import os
from typing import Any

from helm.benchmark.adaptation.adapter_spec import ADAPT_GENERATION, ADAPT_MULTIPLE_CHOICE_JOINT, AdapterSpec
from helm.benchmark.adaptation.common_adapter_specs import (
    get_completion_adapter_spec,
    get_generation_adapter_spec,
    get_language_modeling_adapter_spec,
    get_multiple_choice_adapter_spec,
)
from helm.benchmark.metrics.common_metric_specs import (
    get_basic_generation_metric_specs,
    get_basic_metric_specs,
    get_exact_match_metric_specs,
    get_generative_harms_metric_specs,
    get_generic_metric_specs,
    get_language_modeling_metric_specs,
)
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.run_spec_modules import find_function

_SCENARIOS = "helm.benchmark.scenarios"


@run_spec_function("synthetic_reasoning")
def get_synthetic_reasoning_spec(mode: str) -> RunSpec:
    """`mode`: pattern_match, variable_substitution or induction."""
    return RunSpec(
        name=f"synthetic_reasoning:mode={mode}",
        scenario_spec=ScenarioSpec(
            class_name=f"{_SCENARIOS}.synthetic_reasoning_scenario.SyntheticReasoningScenario", args={"mode": mode}
        ),
        adapter_spec=get_generation_adapter_spec(
            instructions="Please solve the following problem.",
            output_noun="Target",
            max_train_instances=5,
            stop_sequences=["\n"],
            max_tokens=50,  # answers have about 30 tokens
        ),
        metric_specs=get_exact_match_metric_specs() + get_generative_harms_metric_specs(),
        groups=["synthetic_reasoning", f"synthetic_reasoning_{mode}"],
    )


@run_spec_function("synthetic_reasoning_natural")
def get_synthetic_reasoning_natural_spec(difficulty: str) -> RunSpec:
    """`difficulty`: easy, medium or hard."""
    return RunSpec(
        name=f"synthetic_reasoning_natural:difficulty={difficulty}",
        scenario_spec=ScenarioSpec(
            class_name=f"{_SCENARIOS}.synthetic_reasoning_natural_scenario.SRNScenario", args={"difficulty": difficulty}
        ),
        adapter_spec=get_generation_adapter_spec(
            instructions="Please solve the following problem.",
            input_noun="Rules",
            newline_after_input_noun=True,
            output_noun=None,
            max_train_instances=3,  # more do not fit into a window of 2048 tokens
            max_tokens=20,
        ),
        metric_specs=get_basic_metric_specs(["f1_set_match", "iou_set_match", "exact_set_match"])
        + get_generative_harms_metric_specs(),
        groups=["synthetic_reasoning", "synthetic_reasoning_natural"],
    )


@run_spec_function("dyck_language")
def get_dyck_language_spec(num_parenthesis_pairs: int) -> RunSpec:
    """`num_parenthesis_pairs`: 1 to 4 kinds of parentheses."""
    return RunSpec(
        name=f"dyck_language_np={int(num_parenthesis_pairs)}",  # HELM: not `dyck_language:num_parenthesis_pairs=`.
        scenario_spec=ScenarioSpec(
            class_name=f"{_SCENARIOS}.dyck_language_scenario.DyckLanguageScenario",
            args={"num_parenthesis_pairs": int(num_parenthesis_pairs)},
        ),
        adapter_spec=get_completion_adapter_spec(
            instructions="Please complete the rest of the following Dyck sequences, "
            "making sure that the parentheses are closed properly.",
            input_prefix="Input: ",
            max_tokens=5,
            max_train_instances=3,
            stop_sequences=["\n"],
        ),
        metric_specs=get_basic_generation_metric_specs(["exact_match_indicator"])
        + get_generic_metric_specs()
        + get_generative_harms_metric_specs(),
        groups=["dyck_language"],
    )


@run_spec_function("custom_mcqa")
def get_custom_mcqa_spec(path: str, num_train_instances: int = 0, method: str = ADAPT_MULTIPLE_CHOICE_JOINT) -> RunSpec:
    """Your own questions from the JSON-lines file `path`, with `num_train_instances` in-context examples."""
    return RunSpec(
        name=f"custom_mcqa,path={path},method={method}",  # HELM: a comma after the name.
        scenario_spec=ScenarioSpec(
            class_name=f"{_SCENARIOS}.custom_mcqa_scenario.CustomMCQAScenario",
            args={"path": path, "num_train_instances": int(num_train_instances)},
        ),
        adapter_spec=get_multiple_choice_adapter_spec(
            method=method,
            instructions="The following are multiple choice questions (with answers).",
            input_noun="Question",
            output_noun="Answer",
            max_train_instances=int(num_train_instances),
        ),
        metric_specs=get_exact_match_metric_specs(),
        groups=["custom"],
    )


@run_spec_function("ice")
def get_ice_spec(subset: str | None = None, gender: str | None = None, category: str | None = None) -> RunSpec:
    """English of different countries, for language modeling. The corpus may not be redistributed.

    `subset`: a country; `gender`: male or female; `category`: S, W, S1, S2, W1, W2.
    """
    given = {"subset": subset, "gender": gender, "category": category}
    args = {name: value for name, value in given.items() if value is not None}
    arguments = ",".join(f"{name}={args[name]}" for name in sorted(args))
    return RunSpec(
        name=f"ice:{arguments}" if args else "ice",
        scenario_spec=ScenarioSpec(class_name=f"{_SCENARIOS}.ice_scenario.ICEScenario", args=args),
        adapter_spec=get_language_modeling_adapter_spec(),
        metric_specs=get_language_modeling_metric_specs([]),
        groups=["ice"],
    )


_BIG_BENCH_CLASS = f"{_SCENARIOS}.big_bench_scenario.BIGBenchScenario"
_BIG_BENCH_METRICS = {
    "exact_str_match": ["exact_match", "quasi_exact_match"],
    "bleu": ["bleu_1", "bleu_4"],
    "rouge": ["rouge_1", "rouge_2", "rouge_l"],
}
_BIG_BENCH_CHOICE = "multiple_choice_grade"


@run_spec_function("big_bench")
def get_big_bench_spec(task: str, subtask: str = "") -> RunSpec:
    """A task of BIG-bench. Its file is fetched when the run spec is made, because it holds the prompt and the metrics."""
    definition = _big_bench_definition(task, subtask)
    metrics = definition["metrics"]
    is_choice = _BIG_BENCH_CHOICE in metrics
    names = [name for metric in sorted(set(metrics)) for name in _BIG_BENCH_METRICS.get(metric, [])]
    stop = definition.get("stop_string", "")
    instructions = definition.get("task_prefix", "")
    return RunSpec(
        name=f"big_bench:task={task},subtask={subtask}" if subtask else f"big_bench:task={task}",
        scenario_spec=ScenarioSpec(class_name=_BIG_BENCH_CLASS, args={"task": task, "subtask": subtask}),
        adapter_spec=AdapterSpec(
            method=ADAPT_MULTIPLE_CHOICE_JOINT if is_choice else ADAPT_GENERATION,
            instructions=instructions,
            input_prefix=definition.get("example_input_prefix", "Question: "),
            output_prefix=definition.get("example_output_prefix", "Answer: "),
            max_train_instances=5,
            num_outputs=1,
            max_tokens=64,
            temperature=0,
            stop_sequences=[stop] if stop else [],
        ),
        metric_specs=get_exact_match_metric_specs() if is_choice else get_basic_metric_specs(names),
        groups=[f"big_bench_{task}"],
    )


def _big_bench_definition(task: str, subtask: str) -> dict[str, Any]:
    """Return the definition in the task's file; in a listing, only what is known without the file."""
    from helm.benchmark.declarative.recipe import are_fetched_texts_placeholders
    from helm.common.commands.output_path import get_benchmark_output_path
    from helm.common.object_spec import get_class_by_name

    if are_fetched_texts_placeholders():
        return {"metrics": []}
    scenario_class = get_class_by_name(_BIG_BENCH_CLASS)
    folder = os.path.join(get_benchmark_output_path(), "scenarios", scenario_class.name)
    definition = scenario_class.download_and_get_task(folder, task, subtask)
    metrics: list[str] = definition.get("metrics", [])
    return {**definition, "metrics": metrics}


def __getattr__(name: str) -> Any:
    """Return HELM's other functions, which are entries of the catalogue."""
    return find_function("classic_run_specs", name)
