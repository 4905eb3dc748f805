"""The service that checks pictures for nudity: NudeNet's classifier, in this process and behind the cache."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from helm.common.cache import Cache, CacheConfig
from helm.common.errors import HelmError
from helm.common.networks.weights import fetch
from helm.common.nudity_check_request import NudityCheckRequest, NudityCheckResult
from helm.common.optional_dependencies import needs_extra

_SIDE = 256
"""Pictures are scaled to this width and height, in pixels, without regard to their proportions."""
_AT_ONCE = 8


class NudityCheckClientError(HelmError):
    """Pictures could not be checked."""


class NudityCheckClient:
    """Says which pictures show nudity: those that the classifier of NudeNet 2 finds rather unsafe than safe.

    NudeNet 3 has no classifier any more, so the file of its network is run as it is, with the preprocessing of NudeNet 2.
    Answers are kept by the locations of the pictures.

    Args:
        cache_config: where answers are kept.
    """

    def __init__(self, cache_config: CacheConfig):
        self._cache = Cache(cache_config)

    def check_nudity(self, request: NudityCheckRequest) -> NudityCheckResult:
        """Return the verdict on each picture.

        Raises:
            NudityCheckClientError: A picture or the network cannot be read.
        """
        locations = sorted(request.image_locations)

        def compute() -> dict[str, Any]:
            return {
                location: {"unsafe": unsafe, "safe": safe}
                for location, (unsafe, safe) in zip(locations, self._scores(locations), strict=True)
            }

        def is_answer(response: dict[str, Any]) -> bool:
            return all(isinstance(response.get(location), dict) for location in locations)

        try:
            response, cached = self._cache.get({"locations": locations}, compute, is_answer=is_answer)
        except (OSError, RuntimeError) as e:
            raise NudityCheckClientError(f"{', '.join(locations)}: nudity could not be checked: {e}") from e
        verdicts = {
            location: bool(response[location]["unsafe"] > response[location]["safe"])
            for location in request.image_locations
        }
        return NudityCheckResult(success=True, cached=cached, image_to_nudity=verdicts)

    @cached_property
    def _session(self) -> Any:
        with needs_extra("nudity"):
            import onnxruntime
        return onnxruntime.InferenceSession(fetch("nudity"), providers=["CPUExecutionProvider"])

    def _scores(self, locations: Sequence[str]) -> list[tuple[float, float]]:
        """Return the scores for unsafe and safe of each picture."""
        import numpy as np

        from helm.common.images_utils import open_image

        with needs_extra("nudity"):
            from PIL import Image
        session = self._session
        name = session.get_inputs()[0].name
        scores: list[tuple[float, float]] = []
        for start in range(0, len(locations), _AT_ONCE):
            pictures = [
                np.asarray(open_image(location).resize((_SIDE, _SIDE), Image.Resampling.NEAREST), np.float32) / 255
                for location in locations[start : start + _AT_ONCE]
            ]
            scores += [
                (float(unsafe), float(safe)) for unsafe, safe in session.run(None, {name: np.stack(pictures)})[0]
            ]
        return scores
