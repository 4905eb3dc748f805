"""Detectors of objects, and what their boxes say about a prompt."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helm.common.errors import MetricError


@dataclass(frozen=True)
class Box:
    """An object that a detector found."""

    label: str
    """A class of COCO, such as `dog`."""

    score: float

    corner: tuple[float, float]
    """Left and top, in pixels."""


def score_object(boxes: Sequence[Box], reference: Mapping[str, Any]) -> float:
    """Return 1.0 if the best box (the first of equal ones) is of the class `object`."""
    best = max(boxes, key=lambda box: box.score, default=None)
    return float(best is not None and best.label == reference["object"])


def score_count(boxes: Sequence[Box], reference: Mapping[str, Any]) -> float:
    """Return 1.0 if `count` boxes, of any score, are of the class `object`. Without any box, even 0 is wrong."""
    number = sum(box.label == reference["object"] for box in boxes)
    return float(bool(boxes) and number == reference["count"])


def score_spatial(boxes: Sequence[Box], reference: Mapping[str, Any]) -> float:
    """Return 1.0 if there is one box of each of the two classes in `objects`, and the `relation` is theirs.

    The corners decide: left and right if they are further apart in width than in height, else above and below.
    """
    found = [[box for box in boxes if box.label == name] for name in reference["objects"]]
    if [len(group) for group in found] != [1, 1]:
        return 0.0
    (x1, y1), (x2, y2) = (group[0].corner for group in found)
    # HELM: names and directions look reversed; published scores have them so.
    if abs(x1 - x2) > abs(y1 - y2):
        seen = "right" if x1 < x2 else "left"
    else:
        seen = "below" if y1 < y2 else "above"
    return float(seen == reference["relation"].split("_")[0])


SKILLS = {"object": score_object, "count": score_count, "spatial": score_spatial}


def score_boxes(boxes: Sequence[Box], references: Mapping[str, Any], skill: str) -> float:
    """Score the boxes of one picture. Raises: MetricError for an unknown skill."""
    if skill not in SKILLS:
        raise MetricError(f"Detection: expected the skill {', '.join(SKILLS)}, not {skill!r}.")
    return SKILLS[skill](boxes, references)


class BaseDetector(ABC):
    """Finds objects of the classes of COCO in pictures."""

    @abstractmethod
    def detect(self, image_location: str) -> list[Box]:
        """Return all boxes of a picture."""

    def compute_score(self, caption: str, image_location: str, references: dict[str, Any]) -> float:
        """Return how well a picture does what its prompt asks for (0 or 1).

        Args:
            caption: the prompt, for detectors that read it.
            references: what must be seen, with `skill` and its arguments.
        """
        return score_boxes(self.detect(image_location), references, references["skill"])
