"""LexGLUE: classification of English legal texts, and selection of a holding."""

import os
from collections.abc import Sequence
from typing import Any

from helm.benchmark.declarative.class_finder import declared_attributes
from helm.benchmark.scenarios.data_rows import check_choice, numbered, reading
from helm.benchmark.scenarios.lextreme_scenario import TaskType, sorted_labels
from helm.benchmark.scenarios.scenario import TEST_SPLIT, TRAIN_SPLIT, VALID_SPLIT, Input, Instance, Reference, Scenario
from helm.benchmark.scenarios.wrong_labels import MAX_WRONG_LABELS, LabelReferences
from helm.common.data.hub_datasets import load_hub_split

_SPLITS = {TRAIN_SPLIT: "train", VALID_SPLIT: "validation", TEST_SPLIT: "test"}
TASK_CODE_MAPPING = {
    "ecthr_a": TaskType.MLTC,
    "ecthr_b": TaskType.MLTC,
    "scotus": TaskType.SLTC,
    "eurlex": TaskType.MLTC,
    "ledgar": TaskType.SLTC,
    "unfair_tos": TaskType.MLTC,
    "case_hold": TaskType.QA,
}
SUBSETS = ECTHR_A, ECTHR_B, SCOTUS, EURLEX, LEDGAR, UNFAIR_TOS, CASE_HOLD = tuple(TASK_CODE_MAPPING)


def get_lex_glue_task_type(subset: str) -> str:
    """Return the kind of a subset, one of `TaskType`. Raises: KeyError."""
    return TASK_CODE_MAPPING[subset]


__getattr__ = declared_attributes(__name__)


class LexGLUEScenario(Scenario):
    """Classify a legal text in English; or select the holding that fits an excerpt (`case_hold`).

    Input text: the text, or excerpt and holdings. References: some wrong labels, then all labels of the text. Random
    choices come from one stream with seed 42. Source: Chalkidis et al. (2022).

    Args:
        subset: one of `SUBSETS`, or `all`.
    """

    name = "lex_glue"
    description = "Classification of English legal texts"
    dataset_name = "lex_glue"
    splits_mapping = _SPLITS
    max_number_of_wrong_answers = MAX_WRONG_LABELS
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
                split: load_hub_split(self.dataset_name, source, config=subset, cache_dir=cache_dir)
                for split, source in _SPLITS.items()
            }
            where = f"{self.dataset_name}, {subset}"
            with reading(where):
                if TASK_CODE_MAPPING[subset] == TaskType.MLTC:
                    labels: Sequence[str] = sorted_labels(
                        row["labels"] for data in splits.values() for row in data.rows
                    )
                else:
                    labels = splits[TRAIN_SPLIT].class_labels["label"]
            for split, data in splits.items():
                for place, row in numbered(f"{where}, {split}", data.rows):
                    with reading(place):
                        text = _holdings_text(row) if subset == CASE_HOLD else _text(row["text"])
                        row_references = _make_references(row, subset, labels, references)
                        instances.append(Instance(Input(text=text), row_references, split=split))
        return instances


def _make_references(
    row: dict[str, Any], subset: str, labels: Sequence[str], references: LabelReferences
) -> list[Reference]:
    correct = (
        [str(label) for label in row["labels"]]
        if TASK_CODE_MAPPING[subset] == TaskType.MLTC
        else [labels[row["label"]]]
    )
    return references.make(correct, [label for label in labels if label not in correct])


def _text(text: Any) -> str:
    """Join the paragraphs, which the facts of the European court are lists of."""
    return " ".join(text) if isinstance(text, list) else text


def _holdings_text(row: dict[str, Any]) -> str:
    endings = " ".join(f"{i}: {ending}" for i, ending in enumerate(row["endings"]))
    return f"{row['context']} Holdings: {endings}"
