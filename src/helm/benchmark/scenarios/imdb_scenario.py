"""IMDB: the sentiment of film reviews, with contrast sets."""

import os
from collections.abc import Iterator
from typing import Any

from helm.benchmark.scenarios.data_rows import correct_reference, read_json, reading
from helm.benchmark.scenarios.scenario import TRAIN_SPLIT, VALID_SPLIT, Input, Instance, Scenario
from helm.common.errors import ScenarioError
from helm.common.general import ensure_file_downloaded

_URL = "https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz"
_CONTRAST_URL = "https://raw.githubusercontent.com/allenai/contrast-sets/main/IMDb/data/{file}"
_ORDER_URL = "https://worksheets.codalab.org/rest/bundles/0xa75fa6eb8dc24e23a73d3a5ecb674b32/contents/blob/"
_ORDER_FILE = "imdb_scenario_pinned_file_order.json"
_FOLDERS = {TRAIN_SPLIT: "train", VALID_SPLIT: "test"}
_LABELS = {"pos": "Positive", "neg": "Negative"}


class IMDBScenario(Scenario):
    """Classify a film review as positive or negative.

    Input text: the review. One reference, `Positive` or `Negative`. The order of the reviews is that of a published
    list. A review with a contrast pair (edited by hand so that its label changes, Gardner et al. 2020) includes it and
    moves to the valid split. Source: Maas et al. (2011).

    Args:
        only_contrast: keep only those instances of the valid split that have a contrast pair.
    """

    name = "imdb"
    description = "Sentiment of film reviews"
    tags = ["sentiment_classification"]

    def __init__(self, only_contrast: bool = False):
        super().__init__()
        self.only_contrast = only_contrast

    def get_instances(self, output_path: str) -> list[Instance]:
        folder = os.path.join(output_path, "data")
        ensure_file_downloaded(_URL, folder, unpack=True)
        contrasts = _read_contrasts(folder)
        order_path = os.path.join(folder, _ORDER_FILE)
        ensure_file_downloaded(_ORDER_URL, order_path)
        order = read_json(order_path)
        instances = []
        for split in (TRAIN_SPLIT, VALID_SPLIT):
            for text, label in _read_reviews(folder, split, order, order_path):
                contrast = contrasts.get(text)
                if contrast:
                    instances.append(_instance(text, label, VALID_SPLIT, [contrast]))
                elif split == TRAIN_SPLIT or not self.only_contrast:
                    instances.append(_instance(text, label, split, []))
        return instances


def _read_reviews(folder: str, split: str, order: Any, order_path: str) -> Iterator[tuple[str, str]]:
    for name, label in _LABELS.items():
        with reading(order_path):
            files = list(order[split][name])
        for file in files:
            path = os.path.join(folder, _FOLDERS[split], name, os.path.basename(file))
            with reading(path), open(path, encoding="utf-8") as review:
                text = review.read().strip()
            yield text, label


def _read_contrasts(folder: str) -> dict[str, tuple[str, str]]:
    """Map each review to its edited form and that form's label."""
    contrasts = {}
    for part in ("test", "dev"):  # if both contain a review, dev takes precedence
        pair = []
        for kind in ("original", "contrast"):
            file = f"{part}_{kind}.tsv"
            path = os.path.join(folder, file)
            ensure_file_downloaded(_CONTRAST_URL.format(file=file), path)
            with reading(path), open(path, encoding="utf-8") as lines:
                rows = [line.strip().split("\t") for line in lines][1:]
            pair.append((path, rows))
        (path, originals), (contrast_path, edited) = pair
        if len(originals) != len(edited):
            raise ScenarioError(f"{contrast_path}: {len(edited)} rows, but {path} has {len(originals)}.")
        for number, (original, contrast) in enumerate(zip(originals, edited, strict=True), 2):
            with reading(f"{contrast_path}, line {number}"):
                (_, text), (new_label, new_text) = original, contrast
                contrasts[text] = (new_text, new_label)
    return contrasts


def _instance(text: str, label: str, split: str, contrast: list[tuple[str, str]]) -> Instance:
    return Instance(
        Input(text=text),
        [correct_reference(label)],
        split=split,
        contrast_inputs=[Input(text=new_text) for new_text, _ in contrast] or None,
        contrast_references=[[correct_reference(new_label)] for _, new_label in contrast] or None,
    )
