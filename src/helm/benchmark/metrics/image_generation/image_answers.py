"""The images of a result and of a reference, and the bases of metrics over them."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance
from helm.common.errors import MetricError
from helm.common.media_object import IMAGE_TYPE, MultimediaObject
from helm.common.optional_dependencies import needs_extra

if TYPE_CHECKING:
    from PIL.Image import Image


def _get_locations(content: MultimediaObject | None) -> list[str]:
    objects = content.media_objects if content else []
    return [item.location for item in objects if item.is_type(IMAGE_TYPE) and item.location]


def get_image_locations(request_state: RequestState) -> list[str]:
    """Return the paths or URLs of all images of all completions; none if the model refused."""
    completions = request_state.result.completions if request_state.result else []  # type: ignore[union-attr]
    return [path for completion in completions for path in _get_locations(completion.multimodal_content)]


def get_reference_location(instance: Instance) -> str | None:
    """Return the path or URL of the references' first image, or None."""
    paths = (path for reference in instance.references for path in _get_locations(reference.output.multimedia_content))
    return next(paths, None)


def open_rgb_image(path: str) -> "Image":
    """Open the picture in a file as RGB. Needs the extra `images`."""
    with needs_extra("images"):
        from PIL import Image
    with Image.open(path) as image:
        return image.convert("RGB")


class ImageMetric(StateMetric):
    """Scores every image of a result; emits the mean under the only name in `described_stats`, or nothing without images."""

    def score_state(self, request_state: RequestState) -> NamedValues:
        paths = get_image_locations(request_state)
        scores = [self.score_image(path, request_state.instance) for path in paths]
        known = [score for score in scores if score is not None]
        return [(self.described_stats[0], sum(known) / len(known))] if known else []

    @abstractmethod
    def score_image(self, path: str, instance: Instance) -> float | None:
        """Score one image; None if there is nothing to compare it with."""


class ReferenceImageMetric(ImageMetric):
    """Compares every image of a result with the reference image, at the reference's size."""

    def score_image(self, path: str, instance: Instance) -> float | None:
        reference_path = get_reference_location(instance)
        if reference_path is None:
            return None
        import numpy as np

        reference, image = open_rgb_image(reference_path), open_rgb_image(path)
        if image.size != reference.size:
            from PIL.Image import Resampling

            image = image.resize(reference.size, Resampling.BILINEAR)
        return self.compare(np.asarray(image) / 255, np.asarray(reference) / 255)

    @abstractmethod
    def compare(self, image: Any, reference: Any) -> float:
        """Compare two arrays of shape (height, width, 3) with values from 0 to 1."""


def compare_with_torchmetrics(name: str, image: Any, reference: Any) -> float:
    """Return the value of the measure `torchmetrics.image.NAME` with its defaults. Needs the extra `heim`."""
    with needs_extra("heim"):
        import torch
        import torchmetrics.image
    first, second = (torch.from_numpy(array.transpose(2, 0, 1)).float()[None] for array in (image, reference))
    return float(getattr(torchmetrics.image, name)()(first, second))


class ModelMetric(StateMetric):
    """A metric whose values come from a model that this package does not run.

    The class path resolves, so that run specs naming it can be read. Creating one raises MetricError, which names the
    model, before a request is sent; no number is reported for what was not measured.
    """

    model: ClassVar[str]

    stat_names: ClassVar[Sequence[str]]

    def __init__(self, *args: Any, **kwargs: Any):
        raise MetricError(
            f"Metric {type(self).__name__} ({', '.join(self.stat_names)}) needs {self.model}, which this package does "
            "not run. Leave the metric out of the run spec, or name a class of a plugin that runs the model."
        )
