"""CLIPScore for captions in many languages: M-CLIP reads the caption, CLIP ViT-L/14 sees the picture."""

import threading
from functools import cached_property
from typing import TYPE_CHECKING, Any

from helm.clients.clip_scorers.base_clip_scorer import BaseCLIPScorer
from helm.common.errors import MetricError
from helm.common.networks import clip_model
from helm.common.networks.weights import get_row
from helm.common.optional_dependencies import needs_extra

if TYPE_CHECKING:
    from torch import Tensor


class MultilingualCLIPScorer(BaseCLIPScorer):
    """Scores from -100 to 100: negative cosines are kept, as HELM keeps them. Needs the extra `heim`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @cached_property
    def _parts(self) -> tuple[Any, Any, Any]:
        with needs_extra("heim"):
            import torch
            from huggingface_hub import hf_hub_download
            from transformers import AutoTokenizer, XLMRobertaConfig, XLMRobertaModel
        row = get_row("multilingual_clip_text")
        path = hf_hub_download(row["hub"], "pytorch_model.bin", revision=row["revision"])
        weights = torch.load(path, map_location="cpu", weights_only=True)
        tokenizer: Any = AutoTokenizer.from_pretrained(row["hub"], revision=row["revision"])
        model: Any = XLMRobertaModel(XLMRobertaConfig.from_pretrained("xlm-roberta-large"))
        prefix = "transformer."
        inner = {key[len(prefix) :]: value for key, value in weights.items() if key.startswith(prefix)}
        missing = model.load_state_dict(inner, strict=False).missing_keys  # older files have further keys
        if any(not key.startswith("pooler.") for key in missing):  # the pooler is not used
            raise MetricError(f"{path} lacks weights of the text encoder: {', '.join(missing[:3])}.")
        return tokenizer, model.eval(), (weights["LinearTransformation.weight"], weights["LinearTransformation.bias"])

    def text_features(self, caption: str) -> "Tensor":
        """Return the features (768) of a caption: the mean of its tokens' states, through a linear layer."""
        import torch

        with self._lock, torch.inference_mode():
            tokenizer, model, (weight, bias) = self._parts
            inputs = tokenizer([caption], padding=True, return_tensors="pt")
            mask = inputs["attention_mask"].unsqueeze(2)
            mean = (model(**inputs)[0] * mask).sum(1) / mask.sum(1)
            return (mean @ weight.T + bias)[0]

    def compute_score(self, caption: str, image_location: str) -> float:
        image = clip_model.unit(clip_model.get_clip().image_features(image_location))
        return 100 * float(clip_model.unit(self.text_features(caption)) @ image)
