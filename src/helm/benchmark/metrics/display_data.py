"""How tables show the metrics of this package."""

import os
from collections.abc import Iterable
from functools import cache

from helm.benchmark.metrics.metric import MetricMetadata
from helm.common.formats.json_lines_yaml import read_items

REQUEST_STATE_METRICS = [
    "num_references",
    "num_train_trials",
    "num_prompt_tokens",
    "num_completion_tokens",
    "num_output_tokens",
    "training_co2_cost",
    "training_energy_cost",
    "inference_runtime",
    "batch_size",
    "inference_denoised_runtime",
    "inference_idealized_runtime",
    "finish_reason_length",
    "finish_reason_stop",
    "finish_reason_endoftext",
    "finish_reason_unknown",
    "num_train_instances",
    "prompt_truncated",
]
LANGUAGE_MODELING_METRICS = ["logprob", "num_perplexity_tokens", "num_bytes"]
PERPLEXITY_METRICS = ["perplexity", "bits_per_byte", "logprob_per_byte"]
CALIBRATION_METRICS = [
    "ece_10_bin",
    "ece_1_bin",
    "selective_cov_acc_area",
    "selective_acc@10",
    "platt_coef",
    "platt_intercept",
    "platt_ece_10_bin",
    "platt_ece_1_bin",
]


_FILE = os.path.join(os.path.dirname(__file__), "display_data.yaml")


def get_display_data(names: Iterable[str], path: str = _FILE) -> list[MetricMetadata]:
    """Return the display data of these metrics, in their order; names that the file lacks are left out."""
    known = read_display_data(path)
    return [known[name] for name in names if name in known]


@cache
def read_display_data(path: str = _FILE) -> dict[str, MetricMetadata]:
    """Map the names of all metrics in a file to their display data; by default, of the metrics in this package."""
    items = read_items(path, "metrics", MetricMetadata, lambda raw, where: MetricMetadata(**raw))
    return {item.name: item for item in items}
