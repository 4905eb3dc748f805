"""Decides from a run spec which form of answer its metrics need, and the sentence that asks a chat model for it."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from helm.benchmark.adaptation.adapter_spec import (
    ADAPT_GENERATION,
    ADAPT_GENERATION_MULTIMODAL,
    ADAPT_MULTIPLE_CHOICE_JOINT,
    ADAPT_MULTIPLE_CHOICE_JOINT_CHAIN_OF_THOUGHT,
    ADAPT_MULTIPLE_CHOICE_JOINT_MULTIMODAL,
)
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.specs import ExtractorSpec, MetricSpec
from helm.common.errors import ConfigError, suggest

_PACKAGE = "helm.benchmark.extraction"

EXTRACTORS: dict[str, str] = {
    "letter": f"{_PACKAGE}.letter_extractor.LetterExtractor",
    "number": f"{_PACKAGE}.number_extractor.NumberExtractor",
    "boxed": f"{_PACKAGE}.boxed_extractor.BoxedExtractor",
    "code": f"{_PACKAGE}.code_extractor.CodeExtractor",
    "json": f"{_PACKAGE}.json_extractor.JSONExtractor",
    "last_line": f"{_PACKAGE}.line_extractor.LastLineExtractor",
    "regex": f"{_PACKAGE}.regex_extractor.RegexExtractor",
}
"""Maps the values of `extraction=` in a run entry to class paths."""

INSTRUCTIONS: dict[str, str] = {
    "letter": 'End with a line of the form "Answer: X", where X is the letter of the correct choice.',
    "number": 'End with a line of the form "Answer: N", where N is the final number, without units.',
    "boxed": "Put your final answer in \\boxed{}.",
    "code": "Write the complete code in one code block.",
    "json": "Answer with one JSON value in a code block, and nothing else.",
    "last_line": 'End with a line of the form "Answer: X", where X is your final answer and nothing else.',
}
"""Maps the forms of answers to the sentences that ask for them; there is none for a pattern of the user."""

_JOINT_METHODS = frozenset(
    (
        ADAPT_MULTIPLE_CHOICE_JOINT,
        ADAPT_MULTIPLE_CHOICE_JOINT_CHAIN_OF_THOUGHT,
        ADAPT_MULTIPLE_CHOICE_JOINT_MULTIMODAL,
    )
)

_GENERATION_METHODS = frozenset((ADAPT_GENERATION, ADAPT_GENERATION_MULTIMODAL))

_NEUTRAL_METRICS = frozenset(
    ("BasicGenerationMetric", "BasicReferenceMetric", "InstancesPerSplitMetric", "BiasMetric", "ToxicityMetric")
)
"""Classes of metrics that say nothing about the form of an answer; names of functions do, see `_FUNCTIONS`."""

_CLASSES: dict[str, tuple[str, dict[str, Any]]] = {
    # These parse the answer themselves and need the words that they look for.
    "GPQAChainOfThoughtMetric": ("letter", {"form": "The correct answer is ({})"}),
    "APPSMetric": ("code", {}),
    "ProgramTestsMetric": ("code", {}),
    "FunctionTestsMetric": ("code", {"as_body": True}),
    "ClassificationMetric": ("last_line", {}),
    "MultipleChoiceClassificationMetric": ("letter", {}),
}
"""Maps classes of metrics to the form that they need, with arguments of the extractor."""

_FUNCTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "code_eval_acc": ("code", {"as_body": True}),
    "pass": ("code", {"as_body": True}),
    "final_number_exact_match": ("number", {"form": "The answer is {}."}),
    "absolute_value_difference": ("number", {}),
    "cleva_math_result_match": ("number", {}),
    "math_equiv": ("boxed", {}),
    "math_equiv_chain_of_thought": ("boxed", {"form": "\\boxed{{}}"}),
}
"""The same for the functions of `BasicGenerationMetric`."""

_SHORT_ANSWER_FUNCTIONS = frozenset(
    "exact_match quasi_exact_match quasi_leave_articles_exact_match prefix_exact_match quasi_prefix_exact_match "
    "exact_match_indicator f1_score exact_set_match iou_set_match f1_set_match".split()
)
"""Functions for a word or a short phrase. Every other function compares whole texts."""


@dataclass(frozen=True)
class Extraction:
    """A way to find the answer, and the sentence that asks a model to write it so that it is found."""

    extractor_spec: ExtractorSpec

    instruction: str


def choose_extraction(run_spec: RunSpec) -> Extraction | None:
    """Return the extraction that the metrics of a run need.

    Returns: None for free-form text: if judges or other annotators read the answer, if whole texts are compared, if
    a metric is unknown here, and for runs that do not generate text.
    """
    method = run_spec.adapter_spec.method
    if method not in _JOINT_METHODS | _GENERATION_METHODS:
        return None
    if run_spec.annotators:
        return None
    form = _choose_form(method, run_spec)
    return None if form is None else make_extraction(*form)


def make_extraction(name: str, args: dict[str, Any] | None = None) -> Extraction:
    """Return the extraction of a name in `EXTRACTORS`, with arguments for its class."""
    return Extraction(ExtractorSpec(EXTRACTORS[name], dict(args or {})), INSTRUCTIONS.get(name, ""))


AUTO, NONE = "auto", "none"

PATTERN_ARGUMENTS = {"regex": "pattern", "json": "path"}
"""Maps the forms that take `extraction_pattern=` to the argument of their class that it sets."""


def parse_extraction(value: str, run_spec: RunSpec, pattern: str | None = None) -> ExtractorSpec | None:
    """Return what `extraction=` means for a run; None for `none`, and for `auto` where the metrics read whole texts.

    Args:
        value: a name in `EXTRACTORS`, `auto` or `none`.
        pattern: the value of `extraction_pattern=`.

    Raises: ConfigError for another name, and for a pattern that is missing, or that the form does not take.
    """
    choices = [*EXTRACTORS, AUTO, NONE]
    if value not in choices:
        raise ConfigError(f"extraction takes {', '.join(choices)}, not '{value}'.{suggest(str(value), choices)}")
    if pattern is not None and value not in PATTERN_ARGUMENTS:
        raise ConfigError(f"extraction_pattern is for extraction={' and '.join(PATTERN_ARGUMENTS)}, not {value}.")
    if value == NONE:
        return None
    chosen = choose_extraction(run_spec)
    if value == AUTO:
        return None if chosen is None else chosen.extractor_spec
    # Metrics may need the answer in certain words, also when the entry itself names the form.
    is_same = chosen is not None and chosen.extractor_spec.class_name == EXTRACTORS[value]
    args = dict(chosen.extractor_spec.args) if chosen is not None and is_same else {}
    if pattern is not None:
        args[PATTERN_ARGUMENTS[value]] = str(pattern)
    return ExtractorSpec(EXTRACTORS[value], args)


def get_form(extractor_spec: ExtractorSpec) -> str:
    """Return the name in `EXTRACTORS` of an extractor, or the name of its class."""
    names = {class_name: name for name, class_name in EXTRACTORS.items()}
    return names.get(extractor_spec.class_name, extractor_spec.class_name.rpartition(".")[2])


def _choose_form(method: str, run_spec: RunSpec) -> tuple[str, dict[str, Any]] | None:
    metric_specs = list(_unwrapped(run_spec.metric_specs))
    classes = [spec.class_name.rpartition(".")[2] for spec in metric_specs]
    functions = [
        name
        for spec, class_name in zip(metric_specs, classes, strict=True)
        if class_name == "BasicGenerationMetric"
        for name in spec.args.get("names", [])
    ]
    special = [name for name in classes if name not in _NEUTRAL_METRICS]
    if method in _JOINT_METHODS:
        forms = [_CLASSES[name] for name in special if name in _CLASSES]
        return next((form for form in forms if form[0] == "letter"), ("letter", {}))
    if any(name not in _CLASSES for name in special):
        return None
    if special:
        return _CLASSES[special[0]]
    return _choose_for_functions(functions)


def _unwrapped(metric_specs: Iterable[MetricSpec]) -> Iterator[MetricSpec]:
    """Yield the metrics, and in place of one that applies others to rewritten completions, those."""
    for spec in metric_specs:
        if spec.class_name.endswith(".OutputProcessingMetric"):
            for inner in spec.args.get("metric_specs", []):
                is_spec = isinstance(inner, MetricSpec)
                yield inner if is_spec else MetricSpec(inner["class_name"], dict(inner.get("args") or {}))
        else:
            yield spec


def _choose_for_functions(functions: Collection[str]) -> tuple[str, dict[str, Any]] | None:
    for name, form in _FUNCTIONS.items():
        if name in functions:
            return form
    if functions and _SHORT_ANSWER_FUNCTIONS.issuperset(functions):
        return "last_line", {}
    return None
