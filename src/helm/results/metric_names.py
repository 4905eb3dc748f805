"""Properties of metrics that follow from their names; a light module, because `helm-run` uses it in every command."""

import re

CUSTOMARY_METRICS = (
    "exact_match", "quasi_exact_match", "chain_of_thought_correctness", "prefix_exact_match", "classification_micro_f1",
    "f1_score", "ifeval_strict_accuracy", "math_equiv", "final_number_exact_match", "rouge_2", "solved",
    "wer_score", "detection_correct_frac", "expected_clip_score",
)  # fmt: skip
"""The candidates, in this order, for the main metric of runs whose groups no schema describes."""

IMPORTED_SCENARIO = "helm.benchmark.scenarios.imported_scenario.ImportedScenario"

_RATIO_NAME = re.compile(
    r"_time(_\w+)?_s$|_elapsed_s$|_reduction_|_over_primal$|^instruction_count|_size_bytes$|runtime$"
)
_BOOKKEEPING = re.compile(
    r"num_(?!mismatches)|logprob$|batch_size$|finish_reason_|training_|.*_(co2|energy)_cost$|.*\[epoch=\d+\]$"
)
_COUNT_NAME = re.compile(r"^num_|_count$")


def is_score(name: str) -> bool:
    """Return whether a metric measures quality, rather than properties of the requests, or of a single epoch."""
    return not _BOOKKEEPING.match(name)


def is_ratio_metric(name: str) -> bool:
    """Return whether a metric is a time, a size or a quotient, for which ratios are more meaningful than differences."""
    return bool(_RATIO_NAME.search(name))


def may_be_share(name: str) -> bool:
    """Return whether values that are all 0 or 1 mean successes, rather than small numbers or quotients."""
    return not (_RATIO_NAME.search(name) or _COUNT_NAME.search(name))


_EPOCH_VALUE = re.compile(r"(?P<name>.+)\[epoch=(?P<epoch>[1-9]\d{0,8})\]")


def epoch_value_name(name: str, epoch: int) -> str:
    """Return the name under which `per_instance_stats.json` has the value of a metric in one epoch."""
    return f"{name}[epoch={epoch}]"


def reduced_value_name(name: str, reducer: str) -> str:
    """Return the name of a metric's value by a further reducer; that by the first one has the metric's own name."""
    return f"{name}[{reducer}]"


def split_epoch_value_name(name: str) -> tuple[str, int] | None:
    """Return the metric and the epoch of a name from `epoch_value_name`; None for any other name."""
    match = _EPOCH_VALUE.fullmatch(name)
    return None if match is None else (match["name"], int(match["epoch"]))
