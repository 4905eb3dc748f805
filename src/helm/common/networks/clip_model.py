"""CLIP, in one copy for all metrics that use it: CLIPScore, aesthetics, NSFW, Q16. Needs the extra `heim`."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from helm.common.images_utils import generate_hash, open_image, to_tensor
from helm.common.networks.weights import get_row
from helm.common.optional_dependencies import needs_extra

if TYPE_CHECKING:
    from PIL.Image import Image
    from torch import Tensor

SIDE = 224
MEAN = (0.48145466, 0.4578275, 0.40821073)
STD = (0.26862954, 0.26130258, 0.27577711)
MAX_TOKENS = 77
# Features of this many pictures are kept, 3 KB each.
_MAX_KEPT = 10_000
_loading = threading.Lock()


def preprocess(image: "Image") -> "Tensor":
    """Return a tensor (3, 224, 224): the short side resized, the middle cut out, channels standardised."""
    with needs_extra("heim"):
        import torch
        from PIL.Image import Resampling
    width, height = image.size
    short = min(width, height)
    image = image.resize((int(SIDE * width / short), int(SIDE * height / short)), Resampling.BICUBIC)
    left, top = (round((length - SIDE) / 2) for length in image.size)
    pixels = to_tensor(image.crop((left, top, left + SIDE, top + SIDE)))
    mean, std = (torch.tensor(values).view(3, 1, 1) for values in (MEAN, STD))
    return (pixels - mean) / std


class ClipModel:
    """Features of pictures and texts.

    Args:
        model: a `CLIPModel` of transformers.
        tokenizer: its tokenizer; None if only pictures are needed.
    """

    def __init__(self, model: Any, tokenizer: Any = None):
        self._model = model.eval()
        self._tokenizer = tokenizer
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Tensor] = OrderedDict()

    def image_features(self, location: str) -> "Tensor":
        """Return the features of a picture, of shape (d,), not normalised. They are computed once per content."""
        import torch

        image = open_image(location)
        key = f"{image.size}{generate_hash(image)}"
        with self._lock:
            if key not in self._kept:
                with torch.inference_mode():
                    pixels = preprocess(image).unsqueeze(0).to(self._model.device, self._model.dtype)
                    self._kept[key] = _pooled(self._model.get_image_features(pixel_values=pixels))[0].float().cpu()
                while len(self._kept) > _MAX_KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]

    def text_features(self, texts: Sequence[str]) -> "Tensor":
        """Return the features of texts, of shape (n, d), not normalised; texts are cut after 77 tokens."""
        import torch

        inputs = self._tokenizer(
            list(texts), padding=True, truncation=True, max_length=MAX_TOKENS, return_tensors="pt"
        ).to(self._model.device)
        with self._lock, torch.inference_mode():
            return _pooled(self._model.get_text_features(**inputs)).float().cpu()


def _pooled(output: Any) -> "Tensor":
    """Return the projected features; some versions of transformers wrap them."""
    return getattr(output, "pooler_output", output)


def unit(features: "Tensor") -> "Tensor":
    """Return vectors of length 1 in the same directions."""
    return features / features.norm(dim=-1, keepdim=True)


@cache
def _load() -> ClipModel:
    with needs_extra("heim"):
        import torch
        from transformers import CLIPModel, CLIPTokenizer
    row = get_row("clip")
    model: Any = CLIPModel.from_pretrained(row["hub"], revision=row["revision"])
    tokenizer = CLIPTokenizer.from_pretrained(row["hub"], revision=row["revision"])
    return ClipModel(model.to("cuda" if torch.cuda.is_available() else "cpu"), tokenizer)


def get_clip() -> ClipModel:
    """Return the shared model with its published weights, loaded once."""
    with _loading:
        return _load()
