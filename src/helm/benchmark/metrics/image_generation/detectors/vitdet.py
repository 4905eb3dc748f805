"""ViTDet-B with a Mask R-CNN head, the detector of HEIM's published scores, through detectron2."""

from functools import cached_property
from typing import Any

from helm.benchmark.metrics.image_generation.detectors.base_detector import BaseDetector, Box
from helm.common.errors import MetricError
from helm.common.images_utils import open_image
from helm.common.networks.weights import fetch

CONFIGURATION = "COCO/mask_rcnn_vitdet_b_100ep.py"
DATA_SET = "coco_2017_val"
SHORT_SIDE = 1024
"""Length to which the longer side is brought."""


class ViTDetDetector(BaseDetector):
    """Needs detectron2, which its authors publish as source only, and a GPU; the network is fetched with the first picture."""

    @cached_property
    def _model(self) -> Any:
        try:
            from detectron2 import model_zoo
            from detectron2.checkpoint import DetectionCheckpointer
            from detectron2.config import instantiate
        except ModuleNotFoundError as e:
            raise MetricError(
                f"ViTDet needs the package {e.name}: install detectron2 from the source that its authors publish, or set "
                "detector=detr of DetectionMetric."
            ) from e
        model = instantiate(model_zoo.get_config(f"projects/ViTDet/configs/{CONFIGURATION}").model).cuda().eval()
        DetectionCheckpointer(model).load(fetch("vitdet"))
        return model

    def forward_model(self, image_location: str) -> Any:
        """Return detectron2's instances of a picture."""
        import numpy as np
        import torch

        image = open_image(image_location)
        scale = SHORT_SIDE / max(image.size)
        resized = image.resize((round(image.width * scale), round(image.height * scale)))
        # Its configurations read blue before red.
        pixels = torch.from_numpy(np.asarray(resized)[..., ::-1].copy()).permute(2, 0, 1)
        with torch.inference_mode():
            output = self._model([{"image": pixels, "height": image.height, "width": image.width}])
        return output[0]["instances"]

    def detect(self, image_location: str) -> list[Box]:
        found = self.forward_model(image_location)
        from detectron2.data import MetadataCatalog

        names = MetadataCatalog.get(DATA_SET).thing_classes
        columns = (found.pred_classes.tolist(), found.scores.tolist(), found.pred_boxes.tensor.tolist())
        return [Box(names[kind], score, (box[0], box[1])) for kind, score, box in zip(*columns, strict=True)]
