"""CLIPScore: captions and pictures by the same CLIP."""

from helm.clients.clip_scorers.base_clip_scorer import BaseCLIPScorer
from helm.common.clip_score_request import DEFAULT_CLIP_SCORE_MODEL
from helm.common.errors import ConfigError
from helm.common.networks import clip_model


class CLIPModelError(ConfigError, AssertionError):
    """Scores of another network are asked for. HELM raises AssertionError."""


class CLIPScorer(BaseCLIPScorer):
    """Scores from 0 to 100; negative cosines count as 0. Needs the extra `heim`.

    Raises: CLIPModelError for another model than `openai/clip-vit-large-patch14`.
    """

    def __init__(self, model_name: str = DEFAULT_CLIP_SCORE_MODEL):
        if model_name != DEFAULT_CLIP_SCORE_MODEL:
            raise CLIPModelError(f"CLIP scores come from {DEFAULT_CLIP_SCORE_MODEL}, not from {model_name!r}.")

    def compute_score(self, caption: str, image_location: str) -> float:
        clip = clip_model.get_clip()
        text = clip_model.unit(clip.text_features([caption])[0])
        return max(0.0, 100 * float(text @ clip_model.unit(clip.image_features(image_location))))
