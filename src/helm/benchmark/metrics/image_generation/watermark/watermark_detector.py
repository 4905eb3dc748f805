"""LAION's detector of watermarks: EfficientNet B3 with a head of three layers."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from helm.benchmark.metrics.image_generation.similarity import load_batch
from helm.common.networks.weights import load_tensors
from helm.common.optional_dependencies import needs_extra

MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)
WATERMARK_CLASS = 0
_BATCH_SIZE = 16


class WatermarkDetector:
    """Finds watermarks; the network is fetched with the first picture. Needs the extra `watermark`."""

    WATERMARK_THRESHOLD: float = 0.9

    @staticmethod
    def load_model() -> Any:
        """Return the network with its published weights."""
        with needs_extra("watermark"):
            import timm
        from torch import nn

        model: Any = timm.create_model("efficientnet_b3a", pretrained=False, num_classes=2)
        model.classifier = nn.Sequential(
            nn.Linear(1536, 625), nn.ReLU(), nn.Dropout(0.3), nn.Linear(625, 256), nn.ReLU(), nn.Linear(256, 2)
        )
        model.load_state_dict(load_tensors("watermark"))
        return model.eval()

    @cached_property
    def _model(self) -> Any:
        return self.load_model()

    def has_watermark(self, image_locations: Sequence[str]) -> tuple[list[bool], list[float]]:
        """Return for each picture whether it has a watermark, and the probability of one."""
        with needs_extra("heim"):
            import torch
        mean, std = (torch.tensor(values).view(1, 3, 1, 1) for values in (MEAN, STD))
        probabilities: list[float] = []
        for start in range(0, len(image_locations), _BATCH_SIZE):
            batch = (load_batch(image_locations[start : start + _BATCH_SIZE]) - mean) / std
            with torch.inference_mode():
                probabilities += torch.softmax(self._model(batch), 1)[:, WATERMARK_CLASS].tolist()
        return [probability >= self.WATERMARK_THRESHOLD for probability in probabilities], probabilities
