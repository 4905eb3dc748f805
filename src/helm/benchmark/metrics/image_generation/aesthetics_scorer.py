"""The predictor of aesthetics of LAION: a linear layer on the features of CLIP ViT-L/14."""

from functools import cached_property
from typing import TYPE_CHECKING

from helm.common.networks import clip_model
from helm.common.networks.weights import load_tensors

if TYPE_CHECKING:
    from torch import Tensor


class AestheticsScorer:
    """Scores how pleasing people find a picture, about 0 to 10. Weights are fetched with the first picture."""

    @cached_property
    def _linear(self) -> "tuple[Tensor, Tensor]":
        weights = load_tensors("aesthetics")
        return weights["weight"], weights["bias"]

    def compute_aesthetics_score(self, image_location: str) -> float:
        """Score a picture by path or URL."""
        weight, bias = self._linear
        features = clip_model.unit(clip_model.get_clip().image_features(image_location))
        return float(weight[0] @ features + bias[0])
