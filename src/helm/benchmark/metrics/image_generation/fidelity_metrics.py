"""How near generated images are, as a set, to real ones."""

import math
import os
from collections.abc import Iterable, Sequence
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.image_generation.image_answers import get_shown_locations
from helm.benchmark.metrics.metric import MetricInterface, MetricMetadata, MetricResult
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.common.hierarchical_logger import hwarn


def _by_file_name(locations: Iterable[str]) -> list[str]:
    """Return the locations, one for each file name: HELM copies them into one folder, where the last one stays."""
    return list({os.path.basename(location): location for location in locations}.values())


def _gold_locations(request_states: Sequence[RequestState]) -> list[str]:
    found = []
    for state in request_states:
        for reference in state.instance.references:
            content = reference.output.multimedia_content
            if reference.is_correct and content and content.media_objects and content.media_objects[0].location:
                found.append(content.media_objects[0].location)
    return found


class FidelityMetric(MetricInterface):
    """Emits `fid`, `inception_score` and, from 1000 images on, `kernel_inception_distance`, stats of the whole run.

    The generated images that are not black, apart for each perturbation, are compared with the real ones of all correct
    references. All are brought to 512 x 512. FID and KID are 0 and up, lower is better; the inception score is 1 and up, higher
    is better, and 0 where it is not defined.
    """

    IMAGE_WIDTH: int = 512
    IMAGE_HEIGHT: int = 512
    MIN_IMAGES_FOR_KID: int = 1000

    def compute_fid(self, generated: Sequence[str], gold: Sequence[str]) -> float:
        """Return the FID of two lists of pictures."""
        import torch

        from helm.benchmark.metrics.image_generation.fidelity import compute_fid
        from helm.benchmark.metrics.image_generation.inception_network import get_inception, resize_by_centres

        network = get_inception("inception_v3_fid")
        with torch.inference_mode():
            return compute_fid(generated, gold, lambda batch: network.features(resize_by_centres(batch)).numpy())

    def _outputs(self, locations: Sequence[str]) -> tuple[Any, Any]:
        """Return features and logits of pictures as torch-fidelity computes them."""
        import torch

        from helm.benchmark.metrics.image_generation.fidelity import batches
        from helm.benchmark.metrics.image_generation.inception_network import get_inception, resize_by_corners

        network = get_inception("inception_v3_fid")
        features, logits = [], []
        with torch.inference_mode():
            for batch in batches(locations):
                features.append(network.features(resize_by_corners(batch)))
                logits.append(network.logits(features[-1], with_bias=False))
        return torch.cat(features).numpy(), torch.cat(logits).numpy()

    def compute_scores(
        self, generated: Sequence[str], gold: Sequence[str], with_kid: bool
    ) -> tuple[float, float | None]:
        """Return the inception score and, if asked, the KID of two lists of pictures."""
        from helm.benchmark.metrics.image_generation.fidelity import (
            SUBSET_SIZE,
            inception_score,
            kernel_inception_distance,
        )

        features, logits = self._outputs(generated)
        score = inception_score(logits)[0]
        if not with_kid or len(gold) < SUBSET_SIZE:
            return score, None
        return score, kernel_inception_distance(features, self._outputs(gold)[0])[0]

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        gold = _by_file_name(_gold_locations(scenario_state.request_states))
        groups: dict[Any, list[str]] = {}
        for state in scenario_state.request_states:
            groups.setdefault(state.instance.perturbation, []).extend(get_shown_locations(state))
        stats: list[Stat] = []
        for perturbation, locations in groups.items():
            generated = _by_file_name(locations)
            if not gold or not generated:
                hwarn(
                    f"FidelityMetric: no stats for {perturbation}: {len(generated)} generated, {len(gold)} real images"
                )
                continue
            score, kid = self.compute_scores(generated, gold, len(generated) >= self.MIN_IMAGES_FOR_KID)
            values = {
                "fid": self.compute_fid(generated, gold),
                "inception_score": 0 if math.isnan(score) else score,
                "kernel_inception_distance": kid,
            }
            stats += [
                Stat(MetricName(name, perturbation=perturbation)).add(value)
                for name, value in values.items()
                if value is not None
            ]
        return MetricResult(stats, [])

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(["fid", "inception_score", "kernel_inception_distance"])
