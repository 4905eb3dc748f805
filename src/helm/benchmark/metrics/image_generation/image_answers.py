"""The images of a result and of a reference, and the bases of metrics over them."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.images_utils import filter_blacked_out_images
from helm.common.multimodal_request_utils import gather_generated_image_locations, get_gold_image_location
from helm.common.request import RequestResult


def get_image_locations(request_state: RequestState) -> list[str]:
    """Return the path or URL of the first image of each completion; none if the model refused one."""
    result = request_state.result
    return gather_generated_image_locations(result) if isinstance(result, RequestResult) else []


def get_shown_locations(request_state: RequestState) -> list[str]:
    """Return the locations of a result's images without the black ones, which stand for what a filter withheld."""
    return filter_blacked_out_images(get_image_locations(request_state))


def mean(values: Sequence[float]) -> float:
    """Return the mean of at least one number."""
    return sum(values) / len(values)


class ReferenceImageMetric(StateMetric):
    """Compares the images of a result, as one batch, with the one reference image.

    All are resized to 256 x 256. Emits the only name in `described_stats`; nothing without images, or when the measure is
    not defined for them. Raises: MissingImageError (an AssertionError) without a reference image.
    """

    def score_state(self, request_state: RequestState) -> NamedValues:
        paths = get_image_locations(request_state)
        if not paths:
            return []
        from helm.benchmark.metrics.image_generation.similarity import load_batch

        gold = load_batch([get_gold_image_location(request_state)]).expand(len(paths), -1, -1, -1)
        value = self.compare(load_batch(paths), gold)
        return [] if value is None else [(self.described_stats[0], value)]

    @abstractmethod
    def compare(self, images: Any, references: Any) -> float | None:
        """Compare two tensors of shape (n, 3, 256, 256) with values from 0 to 1; None if there is no number."""
