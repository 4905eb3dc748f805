"""DETR, a detector that transformers runs without further packages."""

from functools import cached_property
from typing import Any

from helm.benchmark.metrics.image_generation.detectors.base_detector import BaseDetector, Box
from helm.common.images_utils import open_image
from helm.common.networks.weights import get_row
from helm.common.optional_dependencies import needs_extra

MIN_SCORE = 0.05
"""Boxes below it are left out, as detectron2 does: DETR always gives a hundred."""


class DETRDetector(BaseDetector):
    """Needs the extra `heim`; the network is fetched with the first picture. Scores are not those of ViTDet."""

    @cached_property
    def _parts(self) -> tuple[Any, Any]:
        with needs_extra("heim"):
            from transformers import AutoImageProcessor, AutoModelForObjectDetection
        row = get_row("detr")
        processor: Any = AutoImageProcessor.from_pretrained(row["hub"], revision=row["revision"])
        model: Any = AutoModelForObjectDetection.from_pretrained(row["hub"], revision=row["revision"])
        return processor, model.eval()

    def detect(self, image_location: str) -> list[Box]:
        processor, model = self._parts
        import torch

        image = open_image(image_location)
        with torch.inference_mode():
            output = model(**processor(images=image, return_tensors="pt"))
        found = processor.post_process_object_detection(
            output, threshold=MIN_SCORE, target_sizes=[(image.height, image.width)]
        )[0]
        columns = (found["labels"].tolist(), found["scores"].tolist(), found["boxes"].tolist())
        names = model.config.id2label
        return [Box(names[kind], score, (box[0], box[1])) for kind, score, box in zip(*columns, strict=True)]
