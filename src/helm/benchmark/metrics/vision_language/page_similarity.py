"""Measures of similarity between two pictures of pages of the same size, as Image2Struct defines them.

Needs the extra `image2struct`. A measure that is not defined for two pictures, such as SSIM for pictures smaller than its window,
is 0, as in HELM.
"""

import math
from typing import TYPE_CHECKING, Any

from helm.common.optional_dependencies import needs_extra

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image

    Array = np.ndarray[Any, Any]

SAME_ROW = 0.02
"""The largest distance of rows that match."""

FREQUENT = 0.25
"""Rows with a content of a larger share of all rows do not count as matches: they are the paper."""

WINDOW = 7
K1, K2 = 0.01, 0.03
MAX_DISTANCE = 70
"""The largest Hamming distance of descriptors that match."""

PATCH = 8
MAX_PATCHES = 100
BACKGROUND_WEIGHT = 0.001
GREY = (0.299, 0.587, 0.114)


def fit_sizes(picture: "Image", reference: "Image", method: str) -> "tuple[Image, Image]":
    """Return both pictures in the same size.

    Args:
        picture: the picture to compare.
        reference: what it should look like.
        method: `resize` changes the picture to the size of the reference; `padding` adds white at the right and at the bottom
            of both; `none` refuses different sizes.

    Raises: ValueError for different sizes with `none`.
    """
    from PIL import Image

    if picture.size == reference.size:
        return picture, reference
    if method == "resize":
        return picture.resize(reference.size), reference
    if method == "none":
        raise ValueError(
            "Compiled image and reference image should have the same size when the size handling method is none."
        )
    size = (max(picture.width, reference.width), max(picture.height, reference.height))
    both = []
    for one in (picture, reference):
        padded = Image.new("RGB", size, "white")
        padded.paste(one, (0, 0))
        both.append(padded)
    return both[0], both[1]


def pixel_similarity(picture: "Image", reference: "Image") -> float:
    """Return the share of rows that match, 0 to 1.

    HELM: whole rows are compared, with differences of 8 bits that wrap around; a page with much white scores below 1 even if both
    pictures are equal.
    """
    import numpy as np

    first, second = (np.asarray(image.convert("L")) for image in (picture, reference))
    distances = np.linalg.norm((first - second).astype(np.float64), axis=1) / 255
    _, numbers, counts = np.unique(np.concatenate([first, second]), axis=0, return_inverse=True, return_counts=True)
    # A row of either picture.
    is_frequent = (counts / (2 * len(first)) > FREQUENT)[numbers.reshape(-1)].reshape(2, -1).any(axis=0)
    matches = (distances <= SAME_ROW) & ~is_frequent
    return float(matches.mean())


def ssim_similarity(picture: "Image", reference: "Image") -> float:
    """Return the mean structural similarity of grey pixels under windows of 7 x 7, from -1..1 to 0..1."""
    import numpy as np

    x, y = (np.asarray(image.convert("L"), dtype=np.float64) for image in (picture, reference))
    if min(x.shape) < WINDOW:
        return 0.0

    def mean(values: "Array") -> "Array":
        sums = np.zeros((values.shape[0] + 1, values.shape[1] + 1))
        sums[1:, 1:] = values.cumsum(0).cumsum(1)
        inside = sums[WINDOW:, WINDOW:] - sums[:-WINDOW, WINDOW:] - sums[WINDOW:, :-WINDOW] + sums[:-WINDOW, :-WINDOW]
        return inside / WINDOW**2

    sample = WINDOW**2 / (WINDOW**2 - 1)
    mean_x, mean_y = mean(x), mean(y)
    variance_x, variance_y = sample * (mean(x * x) - mean_x**2), sample * (mean(y * y) - mean_y**2)
    covariance = sample * (mean(x * y) - mean_x * mean_y)
    c1, c2 = (K1 * 255) ** 2, (K2 * 255) ** 2
    similarity = (2 * mean_x * mean_y + c1) * (2 * covariance + c2)
    similarity /= (mean_x**2 + mean_y**2 + c1) * (variance_x + variance_y + c2)
    return float((similarity.mean() + 1) / 2)


def sift_similarity(picture: "Image", reference: "Image") -> float:
    """Return the share of matches between ORB's key points that are close, 0 to 1; 0 without key points."""
    import numpy as np

    with needs_extra("image2struct"):
        import cv2
    detector = cv2.ORB.create()
    found = []
    for image in (picture, reference):
        # HELM: red and blue are exchanged.
        grey = cv2.cvtColor(np.asarray(image.convert("RGB")), cv2.COLOR_BGR2GRAY)
        found.append(detector.detectAndCompute(grey, None)[1])
    if any(descriptors is None for descriptors in found):
        return 0.0
    matches = cv2.BFMatcher(cv2.NORM_HAMMING).match(*found)
    return sum(match.distance < MAX_DISTANCE for match in matches) / len(matches) if matches else 0.0


# ---- The distance of blocks


def earth_mover_similarity(picture: "Image", reference: "Image", distance: float | None = None) -> float:
    """Return 1 for equal pictures, and 0 for one that is as far from the reference as an empty page of the other colour.

    Args:
        picture: the picture to compare.
        reference: what it should look like.
        distance: their `block_emd`, if it is known.
    """
    import numpy as np
    from PIL import Image

    colour, _ = _most_frequent(np.asarray(reference))
    empty = "white" if float(np.dot(colour.astype(np.float64), GREY)) < 127 else "black"
    farthest = block_emd(Image.new("RGB", reference.size, empty), reference)
    if distance is None:
        distance = block_emd(picture, reference)
    return 1 - distance / farthest if farthest else 0.0


def block_emd(picture: "Image", reference: "Image") -> float:
    """Return the earth mover's distance between patches, whose cost is their own distance and how far they are moved.

    Patches of the reference's most frequent colour weigh little; 0 for equal pictures. Large pictures are reduced to about 100
    patches of 8 x 8 pixels.
    """
    import numpy as np

    with needs_extra("image2struct"):
        import cv2
    picture, reference = (_reduced(image) for image in (picture, reference))
    pixels = np.asarray(reference)
    colour, share = _most_frequent(pixels)
    first, second = (_patches(np.asarray(image), colour) for image in (picture, reference))
    background = np.float32(np.dot(colour.astype(np.float64), GREY) / 255)
    height, width = (math.ceil(length / PATCH) for length in pixels.shape[:2])
    rows, columns = np.divmod(np.arange(height * width), width)

    weights, are_empty = [], []
    for patches in (first, second):
        is_empty = (patches == background).all(axis=1)
        weight = np.where(is_empty, BACKGROUND_WEIGHT, 1.0)
        weights.append(weight / weight.sum())
        are_empty.append(is_empty)
    kept = ~(are_empty[0] & are_empty[1])
    if share <= 0.5 or not kept.any():
        kept[:] = True
    weight = np.maximum(*weights)[kept]
    signature = np.zeros((len(weight), 2), np.float32)
    signature[:, 0] = weight / weight.sum()

    costs = _patch_distances(first[kept], second[kept], background)
    rows, columns = rows[kept] / height, columns[kept] / width
    moved = np.abs(rows[:, None] - rows[None, :]) + np.abs(columns[:, None] - columns[None, :])
    costs += moved * PATCH / sum(pixels.shape[:2])
    return float(cv2.EMD(signature, signature, cv2.DIST_USER, costs.astype(np.float32))[0])


def _reduced(image: "Image") -> "Image":
    number = image.width * image.height / PATCH**2
    if number <= MAX_PATCHES:
        return image
    width = math.ceil(image.width / PATCH / math.sqrt(number / MAX_PATCHES))
    return image.resize((width * PATCH, max(1, MAX_PATCHES // width) * PATCH))


def _most_frequent(pixels: "Array") -> "tuple[Array, float]":
    """Return the most frequent colour, the first in order among equals, and its share."""
    import numpy as np

    flat = pixels.reshape(-1, 3).astype(np.int64)
    codes, counts = np.unique((flat[:, 0] << 16) | (flat[:, 1] << 8) | flat[:, 2], return_counts=True)
    most = int(counts.argmax())
    code = int(codes[most])
    return np.array([code >> 16, code >> 8 & 255, code & 255], np.uint8), float(counts[most] / counts.sum())


def _patches(pixels: "Array", colour: "Array") -> "Array":
    """Return the grey values, 0 to 1, of each patch as a row, in the order of the patches' rows."""
    import numpy as np

    height, width = (math.ceil(length / PATCH) for length in pixels.shape[:2])
    padded = np.empty((height * PATCH, width * PATCH, 3), np.uint8)
    padded[:] = colour
    padded[: pixels.shape[0], : pixels.shape[1]] = pixels
    grey = (padded.astype(np.float64) @ np.array(GREY) / 255).astype(np.float32)
    return grey.reshape(height, PATCH, width, PATCH).transpose(0, 2, 1, 3).reshape(-1, PATCH**2)


def _patch_distances(first: "Array", second: "Array", background: Any) -> "Array":
    """Return the earth mover's distance between each patch of one picture and each of the other; equal ones are computed once."""
    import cv2
    import numpy as np

    y, x = np.divmod(np.arange(PATCH**2), PATCH)

    def signatures(patches: "Array") -> "tuple[list[Array], Array]":
        distinct, numbers = np.unique(patches, axis=0, return_inverse=True)
        made = []
        for patch in distinct:
            weight = np.where(patch == background, BACKGROUND_WEIGHT, 1.0)
            made.append(np.column_stack([weight / weight.sum(), patch, x / PATCH, y / PATCH]).astype(np.float32))
        return made, numbers.reshape(-1)

    (ours, our_numbers), (theirs, their_numbers) = signatures(first), signatures(second)
    distances = np.zeros((len(ours), len(theirs)))
    for i, one in enumerate(ours):
        for j, other in enumerate(theirs):
            if not np.array_equal(one, other):
                distances[i, j] = cv2.EMD(one, other, cv2.DIST_L1)[0]
    return distances[np.ix_(our_numbers, their_numbers)]


# ---- Networks


def lpips_similarity(picture: "Image", reference: "Image") -> float:
    """Return 1 - LPIPS (VGG) at 256 x 256.

    HELM: 0 if any channel of any pixel of either picture is darker than half, which is so for nearly every page; for the others,
    values from 128 to 255 are spread over the whole range.
    """
    import numpy as np

    side = 256
    arrays = [np.asarray(image.resize((side, side)), dtype=np.float32) / 127.5 - 1 for image in (picture, reference)]
    if min(float(array.min()) for array in arrays) < 0:
        return 0.0
    with needs_extra("heim"):
        import torch

    from helm.benchmark.metrics.image_generation.lpips_network import get_lpips

    batches = [torch.from_numpy(array).permute(2, 0, 1)[None] * 2 - 1 for array in arrays]
    return 1 - float(get_lpips().distances(*batches).mean())


def fid_similarity(picture: "Image", reference: "Image") -> float:
    """Return half of 1 plus the cosine of Inception v3's logits of the middle squares, 0 to 1."""
    import numpy as np

    with needs_extra("heim"):
        import torch

    from helm.benchmark.metrics.image_generation.inception_network import SIDE, get_inception

    network = get_inception("inception_v3_imagenet")
    logits = []
    for image in (picture, reference):
        scale = SIDE / min(image.size)
        size = [max(SIDE, round(length * scale)) for length in image.size]
        left, top = ((length - SIDE) // 2 for length in size)
        square = image.resize((size[0], size[1]), 2).crop((left, top, left + SIDE, top + SIDE))
        pixels = torch.from_numpy(np.asarray(square, dtype=np.float32) / 127.5 - 1).permute(2, 0, 1)[None]
        with torch.inference_mode():
            logits.append(network.logits(network.features(pixels)))
    return 0.5 * (1 + float(torch.nn.functional.cosine_similarity(logits[0], logits[1])[0]))
