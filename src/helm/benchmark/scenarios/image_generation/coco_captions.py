"""The annotations of MS COCO as rows."""

from collections import defaultdict
from typing import Any

Row = dict[str, Any]


def images_with_captions(rows: list[Row]) -> list[Row]:
    """Return a row for each image of each annotation file, with its captions in the order of the file.

    An image without a caption gives no row.
    """
    result = []
    for row in rows:
        captions: dict[Any, list[str]] = defaultdict(list)
        for annotation in row["annotations"]:
            captions[annotation["image_id"]].append(annotation["caption"])
        own = {key: value for key, value in row.items() if key not in ("annotations", "images")}
        for number, image in enumerate(row["images"]):
            if image["id"] in captions:
                named = {"file_name": image["file_name"], "captions": captions[image["id"]]}
                result.append({**own, **named, "_row": number})
    return result
