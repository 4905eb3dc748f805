"""Whether simple drawings have the colours and shapes that a prompt asks for, at their places."""

import json
from collections import Counter
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.image_generation.image_answers import get_image_locations, mean
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.errors import MetricError
from helm.common.formats.colours import nearest_colour
from helm.common.formats.png import PNGError, read_png
from helm.common.multimodal_request_utils import get_contents_as_bytes

_MIN_SHARE = 0.15
"""A thing fills at least this share of its part of the picture."""


class DrawingMetric(StateMetric):
    """Emits `drawing_correct`: the share of images that show the right colours at the right places, 0 to 1.

    The reference is JSON with the names of colours: `{"ground": "white", "things": ["red", "blue"]}`. Things lie side by side,
    from left to right. An image is right if the corners have the colour of the ground and the colour that is most frequent
    in each part, apart from that of the ground, is that of its thing; what counts is the nearest of `NAMED_COLOURS`.
    A refusal is 0.
    """

    metadata = (
        MetricMetadata(
            name="drawing_correct",
            display_name="Drawings correct",
            short_display_name="Correct",
            description="Share of images with the right colours at the right places.",
            lower_is_better=False,
            group=None,
        ),
    )

    def score_state(self, request_state: RequestState) -> NamedValues:
        instance = request_state.instance
        reference = instance.first_correct_reference
        if reference is None:
            raise MetricError(f"Instance {instance.id}: a drawing needs a reference that says what it shows.")
        expected = json.loads(reference.output.text)
        images = get_image_locations(request_state)
        scores = [self.is_correct(_pixels(location), expected) for location in images]
        return [("drawing_correct", mean(scores) if scores else 0.0)]

    def is_correct(self, rows: Any, expected: dict[str, Any]) -> bool:
        """Return whether a picture shows what is expected."""
        ground, things = expected["ground"], expected["things"]
        corners = [rows[0][0], rows[0][-1], rows[-1][0], rows[-1][-1]]
        if any(_nearest(pixel) != ground for pixel in corners):
            return False
        width = len(rows[0])
        for number, thing in enumerate(things):
            begin, end = width * number // len(things), width * (number + 1) // len(things)
            seen = Counter(_nearest(pixel) for row in rows for pixel in row[begin:end])
            total = seen.total()
            seen.pop(ground, None)
            if not seen or seen.most_common(1)[0][0] != thing or seen[thing] < _MIN_SHARE * total:
                return False
        return True


def _nearest(pixel: Any) -> str:
    red, green, blue = (int(value) for value in pixel)
    return nearest_colour(red, green, blue)


def _pixels(location: str) -> Any:
    """Return the rows of pixels; pictures other than plain PNG files need Pillow."""
    try:
        return read_png(get_contents_as_bytes(location))
    except PNGError:
        import numpy as np

        from helm.common.images_utils import open_image

        return np.asarray(open_image(location))
