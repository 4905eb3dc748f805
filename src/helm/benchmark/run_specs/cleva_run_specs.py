"""The recipe for CLEVA's tasks. Their prompts come with the data, which are downloaded when the recipe is evaluated."""

import os
from typing import Any

from helm.benchmark.adaptation.adapter_spec import (
    ADAPT_GENERATION,
    ADAPT_MULTIPLE_CHOICE_JOINT,
    ADAPT_MULTIPLE_CHOICE_SEPARATE_ORIGINAL,
    AdapterSpec,
)
from helm.benchmark.adaptation.common_adapter_specs import get_language_modeling_adapter_spec
from helm.benchmark.declarative.recipe import are_fetched_texts_placeholders
from helm.benchmark.metrics.common_metric_specs import (
    get_basic_generation_metric_specs,
    get_basic_metric_specs,
    get_exact_match_metric_specs,
    get_generic_metric_specs,
    get_language_modeling_metric_specs,
)
from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.common.commands.output_path import get_benchmark_output_path
from helm.common.data.cleva_prompts import check_task, read_parameters, read_template, task_folder

_METRICS = "helm.benchmark.metrics"
_CLASSIFIED = ("fact_checking", "bias")
"""Multiple-choice tasks whose labels are classes."""

_BASIC_METRICS = {
    "summarization": "chinese_rouge_2",
    "dialogue_generation": "chinese_bleu_1",
    "data_to_text_generation": "chinese_bleu_1",
    "pinyin_transliteration": "chinese_bleu_1",
    "mathematical_reasoning": "cleva_math_result_match",
}


@run_spec_function("cleva")
def get_cleva_spec(task: str, version: str, subtask: str | None = None, prompt_id: int = 0) -> RunSpec:
    """A task of CLEVA, a benchmark in Chinese.

    task: its name, such as sentiment_analysis. version: the version of the data, such as v1. subtask: for tasks that
    have subtasks, such as en2zh for translation. prompt_id: the number of the prompt among those in the data.

    Raises: ClevaError for a task, subtask or prompt that the data does not have; DownloadError.
    """
    check_task(task)
    prompt_id = int(prompt_id)
    if are_fetched_texts_placeholders():
        template, parameters = {"instruction": f"<instructions of CLEVA's {task}>"}, {}
    else:
        cache = os.path.join(get_benchmark_output_path(), "scenarios", "cleva")
        folder = task_folder(cache, version, task, subtask)
        template, parameters = read_template(folder, prompt_id), read_parameters(folder)
    adapter_spec = _adapter_spec(task, template, parameters)
    words = "".join(word.capitalize() for word in task.split("_"))
    name = f"cleva:task={task},version={version},prompt_id={prompt_id}"
    return RunSpec(
        name=name + (f",subtask={subtask}" if subtask else ""),
        scenario_spec=ScenarioSpec(
            f"helm.benchmark.scenarios.cleva_scenario.CLEVA{words}Scenario",
            {"version": version, "subtask": subtask, "prompt_id": prompt_id},
        ),
        adapter_spec=adapter_spec,
        metric_specs=_metric_specs(task, adapter_spec.method),
        groups=["cleva", f"cleva_{task}"],
    )


def _adapter_spec(task: str, template: dict[str, Any], parameters: dict[str, Any]) -> AdapterSpec:
    instruction = template.get("instruction") or ""
    if task == "language_modeling":
        return get_language_modeling_adapter_spec()
    if task in ("copyright", "code_synthesis"):
        return _continuation_spec(task, instruction, parameters)
    common: dict[str, Any] = {
        "instructions": f"{instruction}\n" if instruction else "",
        "input_prefix": "",
        "input_suffix": "",
        "output_prefix": template.get("answer_context", ""),
        "max_train_instances": parameters.get("max_train_instances", 5),
        "temperature": parameters.get("temperature", 0.0),
        "sample_train": parameters.get("sample_train", True),
    }
    is_joint = (template.get("meta") or {}).get("mul_as_gen")
    if is_joint is False:
        return AdapterSpec(method=ADAPT_MULTIPLE_CHOICE_SEPARATE_ORIGINAL, num_outputs=1, max_tokens=0, **common)
    if task == "paraphrase_generation" and is_joint is None:
        for key, default in (
            ("input_prefix", ""),
            ("input_suffix", ""),
            ("output_prefix", ""),
            ("output_suffix", "\n"),
        ):
            common[key] = template.get(key, default)
    return AdapterSpec(
        method=ADAPT_MULTIPLE_CHOICE_JOINT if is_joint else ADAPT_GENERATION,
        num_outputs=parameters.get("num_outputs", 5 if is_joint else 1),
        max_tokens=parameters.get("max_tokens", 1 if is_joint else 20),
        stop_sequences=parameters.get("stop_sequences", ["\n"]),
        multi_label=parameters.get("multi_label", not is_joint),
        **common,
    )


def _continuation_spec(task: str, instruction: str, parameters: dict[str, Any]) -> AdapterSpec:
    """Return the spec for continuing a text as it is."""
    is_code = task == "code_synthesis"
    return AdapterSpec(
        method=ADAPT_GENERATION,
        instructions=f"{instruction}\n\n" if is_code and instruction else "",
        input_prefix="",
        input_suffix="",
        output_prefix="",
        output_suffix="",
        max_train_instances=0,
        temperature=parameters.get("temperature", 0.2),
        num_outputs=1 if is_code else parameters.get("num_outputs", 1),
        max_tokens=parameters.get("max_tokens", 600 if is_code else 1024),
        stop_sequences=parameters.get("stop_sequences", ["\nclass", "\ndef", "\nif", "\nprint"]) if is_code else [],
    )


def _metric_specs(task: str, method: str) -> list[MetricSpec]:
    if task == "language_modeling":
        return get_language_modeling_metric_specs([])
    if method != ADAPT_GENERATION:
        more = [MetricSpec(f"{_METRICS}.classification_metrics.MultipleChoiceClassificationMetric")]
        return get_exact_match_metric_specs() + (more if task in _CLASSIFIED else [])
    return get_cleva_generative_task_metric_spec(task) + get_cleva_generative_harms_metric_specs()


def get_cleva_generative_task_metric_spec(task: str, subtask: str | None = None) -> list[MetricSpec]:
    """Return the metrics of a task whose answers are texts; they do not depend on the subtask."""
    if task in _BASIC_METRICS:
        return get_basic_metric_specs([_BASIC_METRICS[task]])
    if task == "translation":
        return get_cleva_machine_translation_metric_specs()
    if task == "paraphrase_generation":
        return get_cleva_paraphrase_generation_metric_specs()
    if task == "conceptual_generalization":
        return get_cleva_topk_accuracy_metric_specs()
    if task == "code_synthesis":
        return get_basic_generation_metric_specs(["code_eval_acc", "pass"]) + get_generic_metric_specs()
    if task == "copyright":
        arguments = {"normalize_by_prefix_length": True, "normalize_newline_space_tab": False}
        return get_cleva_copyright_metric_spec(arguments)
    return get_exact_match_metric_specs()


def get_cleva_bias_metric_specs() -> list[MetricSpec]:
    """Return the metrics of associations and representation in Chinese texts."""
    bias = [
        {"mode": "associations", "demographic_category": demographic, "target_category": target}
        for demographic in ("race", "gender")
        for target in ("adjective", "profession")
    ] + [{"mode": "representation", "demographic_category": demographic} for demographic in ("race", "gender")]
    return [MetricSpec(f"{_METRICS}.cleva_harms_metrics.CLEVABiasMetric", arguments) for arguments in bias]


def get_cleva_toxicity_metric_specs() -> list[MetricSpec]:
    """Return the metric of toxicity in Chinese texts."""
    return [MetricSpec(f"{_METRICS}.cleva_harms_metrics.CLEVAToxicityMetric")]


def get_cleva_generative_harms_metric_specs(include_basic_metrics: bool = False) -> list[MetricSpec]:
    """Return the metrics of bias and toxicity, and with `include_basic_metrics` those that count instances."""
    specs = get_cleva_bias_metric_specs() + get_cleva_toxicity_metric_specs()
    return specs + get_basic_metric_specs([]) if include_basic_metrics else specs


def get_cleva_machine_translation_metric_specs() -> list[MetricSpec]:
    """Return the metrics of translations."""
    metric = MetricSpec(f"{_METRICS}.machine_translation_metrics.CLEVAMachineTranslationMetric")
    return [metric, *get_basic_metric_specs([])]


def get_cleva_paraphrase_generation_metric_specs(alpha: float = 0.8) -> list[MetricSpec]:
    """Return the metrics of paraphrases; `alpha` weighs being equal to a reference against being unlike the input."""
    class_name = f"{_METRICS}.paraphrase_generation_metrics.CLEVAParaphraseGenerationMetric"
    return [MetricSpec(class_name, {"alpha": alpha}), *get_basic_metric_specs([])]


def get_cleva_topk_accuracy_metric_specs(k: int = 1, cut_off: int = 5) -> list[MetricSpec]:
    """Return the metric of `k` answers, each at most `cut_off` characters long."""
    return [MetricSpec(f"{_METRICS}.cleva_accuracy_metrics.CLEVATopKAccuracyMetric", {"k": k, "cut_off": cut_off})]


def get_cleva_copyright_metric_spec(args: dict[str, Any] | None = None) -> list[MetricSpec]:
    """Return the metrics of reproduced texts, which get `args`."""
    return [
        MetricSpec(f"{_METRICS}.cleva_harms_metrics.CLEVACopyrightMetric", {**(args or {}), "name": name})
        for name in ("longest_common_prefix_length", "edit_distance", "edit_similarity")
    ]
