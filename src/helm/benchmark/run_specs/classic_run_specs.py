"""Recipes of the HELM Classic scenarios that need no download."""

from helm.benchmark.adaptation.adapter_spec import ADAPT_MULTIPLE_CHOICE_JOINT
from helm.benchmark.adaptation.common_adapter_specs import (
    get_completion_adapter_spec,
    get_generation_adapter_spec,
    get_multiple_choice_adapter_spec,
)
from helm.benchmark.metrics.common_metric_specs import (
    get_basic_generation_metric_specs,
    get_basic_metric_specs,
    get_exact_match_metric_specs,
    get_generative_harms_metric_specs,
    get_generic_metric_specs,
)
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import ScenarioSpec

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
    """Questions of one's own from the JSON-lines file `path`, with `num_train_instances` in-context examples."""
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
