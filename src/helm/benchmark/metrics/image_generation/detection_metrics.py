"""Whether a detector finds in generated images what the prompt asks for."""

import json
from functools import cached_property

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.image_generation.detectors.base_detector import BaseDetector
from helm.benchmark.metrics.image_generation.image_answers import get_image_locations, mean
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.errors import MetricError, suggest

DETECTORS = {"vitdet": "detectors.vitdet.ViTDetDetector", "detr": "detectors.detr.DETRDetector"}


class DetectionMetric(StateMetric):
    """Emits `detection_correct_frac`, the share of a result's images with the right objects (higher is better).

    The first reference is what must be seen, as JSON; the instance's sub-split names the skill: `object`, `count` or
    `spatial`. Nothing without images.

    Args:
        detector: `vitdet`, HELM's, or `detr`, which needs no compiled package.

    Raises: MetricError for an unknown detector.
    """

    described_stats = ["detection_correct_frac"]

    def __init__(self, detector: str = "vitdet"):
        if detector not in DETECTORS:
            raise MetricError(
                f"DetectionMetric: there is no detector {detector!r}.{suggest(detector, list(DETECTORS))}"
            )
        self._name = detector

    @cached_property
    def _detector(self) -> BaseDetector:
        from helm.common.object_spec import get_class_by_name

        package = __name__.rpartition(".")[0]
        return get_class_by_name(f"{package}.{DETECTORS[self._name]}")()

    def score_state(self, request_state: RequestState) -> NamedValues:
        paths = get_image_locations(request_state)
        if not paths:
            return []
        instance = request_state.instance
        try:
            reference = {**json.loads(instance.references[0].output.text), "skill": instance.sub_split}
        except (IndexError, ValueError, TypeError) as e:
            raise MetricError(
                f"instance {instance.id}: detection expects a first reference with a JSON object: {e}"
            ) from e
        prompt = request_state.request.prompt  # type: ignore[union-attr]
        scores = [self._detector.compute_score(prompt, path, reference) for path in paths]
        return [("detection_correct_frac", mean(scores))]
