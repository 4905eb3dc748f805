"""COMET: a learned score for translations."""

from functools import lru_cache
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.metric import MetricMetadata, get_completions
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.optional_dependencies import needs_extra


class CometMetric(StateMetric):
    """Emits `comet`: the quality of the first completion as a translation of the input, about 0 to 1, higher is better.

    Args:
        task: name of the translation task; does not affect the score.
        model_name: a regression model of COMET on the Hugging Face Hub that uses references.
        device: `cpu`, or anything else for one GPU.

    Raises: ValueError without a completion, or unless there is exactly one reference.
    """

    METRIC_NAME = "comet"

    def __init__(self, task: str, model_name: str = "Unbabel/wmt22-comet-da", device: str = "cpu"):
        self.task = task
        self.model_name = model_name
        self.num_gpus = 0 if device == "cpu" else 1

    def score_state(self, request_state: RequestState) -> NamedValues:
        instance = request_state.instance
        completions = get_completions(request_state)
        if len(instance.references) != 1:
            raise ValueError(f"COMET needs exactly one reference, got {len(instance.references)}.")
        if not completions:
            raise ValueError("COMET needs a completion, but there is none.")
        row = {
            "src": instance.input.text,
            "mt": completions[0].text.strip(),
            "ref": instance.references[0].output.text,
        }
        output = load_comet(self.model_name).predict([row], batch_size=1, gpus=self.num_gpus, progress_bar=False)
        return [(self.METRIC_NAME, float(output["scores"][0]))]

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data([self.METRIC_NAME])


@lru_cache(maxsize=1)
def load_comet(model_name: str) -> Any:
    """Return the model, downloaded on first use. Raises: OptionalDependencyNotInstalled without its package."""
    with needs_extra("comet"):
        from comet import download_model, load_from_checkpoint
    return load_from_checkpoint(download_model(model_name))
