"""LexGLUE: classification of English legal texts, and selection of a holding."""

import os
from collections.abc import Sequence
from typing import Any

from helm.benchmark.scenarios.data_rows import check_choice, numbered, reading
from helm.benchmark.scenarios.lextreme_scenario import sorted_labels
from helm.benchmark.scenarios.scenario import TEST_SPLIT, TRAIN_SPLIT, VALID_SPLIT, Input, Instance, Reference, Scenario
from helm.benchmark.scenarios.wrong_labels import LabelReferences
from helm.common.data.hub_datasets import load_hub_split

_DATASET = "lex_glue"
_SPLITS = {TRAIN_SPLIT: "train", VALID_SPLIT: "validation", TEST_SPLIT: "test"}
_HOLDINGS = "case_hold"
_IS_MULTI_LABEL = {
    "ecthr_a": True,
    "ecthr_b": True,
    "scotus": False,
    "eurlex": True,
    "ledgar": False,
    "unfair_tos": True,
    _HOLDINGS: False,
}
SUBSETS = tuple(_IS_MULTI_LABEL)


class LexGLUEScenario(Scenario):
    """Classify a legal text in English; or select the holding that fits an excerpt (`case_hold`).

    Input text: the text, or excerpt and holdings. References: some wrong labels, then all labels of the text. Random
    choices come from one stream with seed 42. Source: Chalkidis et al. (2022).

    Args:
        subset: one of `SUBSETS`, or `all`.
    """

    name = "lex_glue"
    description = "Classification of English legal texts"
    tags = ["single_label_text_classification", "multi_label_text_classification", "question_answering"]

    def __init__(self, subset: str):
        super().__init__()
        check_choice(self.name, "subset", subset, ["all", *SUBSETS])
        self.subset = subset

    def get_instances(self, output_path: str) -> list[Instance]:
        references = LabelReferences()
        cache_dir = os.path.join(output_path, "data")
        instances = []
        for subset in SUBSETS if self.subset == "all" else [self.subset]:
            splits = {
                split: load_hub_split(_DATASET, source, config=subset, cache_dir=cache_dir)
                for split, source in _SPLITS.items()
            }
            where = f"{_DATASET}, {subset}"
            with reading(where):
                if _IS_MULTI_LABEL[subset]:
                    labels: Sequence[str] = sorted_labels(
                        row["labels"] for data in splits.values() for row in data.rows
                    )
                else:
                    labels = splits[TRAIN_SPLIT].class_labels["label"]
            for split, data in splits.items():
                for place, row in numbered(f"{where}, {split}", data.rows):
                    with reading(place):
                        text = _holdings_text(row) if subset == _HOLDINGS else _text(row["text"])
                        row_references = _make_references(row, subset, labels, references)
                        instances.append(Instance(Input(text=text), row_references, split=split))
        return instances


def _make_references(
    row: dict[str, Any], subset: str, labels: Sequence[str], references: LabelReferences
) -> list[Reference]:
    correct = [str(label) for label in row["labels"]] if _IS_MULTI_LABEL[subset] else [labels[row["label"]]]
    return references.make(correct, [label for label in labels if label not in correct])


def _text(text: Any) -> str:
    """Join the paragraphs, which the facts of the European court are lists of."""
    return " ".join(text) if isinstance(text, list) else text


def _holdings_text(row: dict[str, Any]) -> str:
    endings = " ".join(f"{i}: {ending}" for i, ending in enumerate(row["endings"]))
    return f"{row['context']} Holdings: {endings}"
