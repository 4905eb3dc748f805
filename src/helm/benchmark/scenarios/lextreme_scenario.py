"""LEXTREME: classification of legal texts in 24 languages."""

import ast
import os
from collections.abc import Sequence
from typing import Any

from helm.benchmark.scenarios.data_rows import check_choice, numbered, reading
from helm.benchmark.scenarios.scenario import TEST_SPLIT, TRAIN_SPLIT, VALID_SPLIT, Input, Instance, Reference, Scenario
from helm.benchmark.scenarios.wrong_labels import LabelReferences
from helm.common.data.hub_datasets import load_hub_split
from helm.common.files import load_yaml

_DATASET = "joelito/lextreme"
_SPLITS = {TRAIN_SPLIT: "train", VALID_SPLIT: "validation", TEST_SPLIT: "test"}
_SINGLE_LABEL, _MULTI_LABEL, _ENTITIES = "single_label", "multi_label", "entities"
_KINDS = {
    **dict.fromkeys(
        [
            "brazilian_court_decisions_judgment", "brazilian_court_decisions_unanimity", "german_argument_mining",
            "greek_legal_code_chapter", "greek_legal_code_subject", "greek_legal_code_volume",
            "swiss_judgment_prediction", "online_terms_of_service_unfairness_levels",
        ],
        _SINGLE_LABEL,
    ),
    **dict.fromkeys(
        [
            "online_terms_of_service_clause_topics", "covid19_emergency_event", "multi_eurlex_level_1",
            "multi_eurlex_level_2", "multi_eurlex_level_3",
        ],
        _MULTI_LABEL,
    ),
    **dict.fromkeys(["greek_legal_ner", "legalnero", "lener_br", "mapa_coarse", "mapa_fine"], _ENTITIES),
}  # fmt: skip
SUBSETS = tuple(_KINDS)

_MULTILINGUAL = "multi_eurlex"
_OUTSIDE = "O"
"""The tag of a token outside entities."""


class LEXTREMEScenario(Scenario):
    """Classify a legal text, or tag its named entities.

    Input text: the text; for entities its tokens, each in quotation marks. References: some wrong labels, then all
    labels of the text; for entities, whole sequences of tags. Random choices come from one stream with seed 42; a text
    in several languages yields one of them. Source: Niklaus et al. (2023).

    Args:
        subset: one of `SUBSETS`, or `all`.
    """

    name = "lextreme"
    description = "Multilingual classification of legal texts"
    tags = ["single_label_text_classification", "multi_label_text_classification", "named_entity_recognition"]

    def __init__(self, subset: str):
        super().__init__()
        check_choice(self.name, "subset", subset, ["all", *SUBSETS])
        self.subset = subset

    def get_instances(self, output_path: str) -> list[Instance]:
        references = LabelReferences()
        instances = []
        for subset in SUBSETS if self.subset == "all" else [self.subset]:
            instances.extend(_SubsetReader(subset, references).read(os.path.join(output_path, "data")))
        return instances


class _SubsetReader:
    def __init__(self, subset: str, references: LabelReferences):
        self._subset, self._kind, self._references = subset, _KINDS[subset], references
        self._labels: Sequence[str] = ()

    def read(self, cache_dir: str) -> list[Instance]:
        splits = {
            split: load_hub_split(_DATASET, source, config=self._subset, cache_dir=cache_dir)
            for split, source in _SPLITS.items()
        }
        where = f"{_DATASET}, {self._subset}"
        with reading(where):
            if self._kind == _ENTITIES:
                self._labels = _read_entity_tags()[self._subset]
            elif self._kind == _SINGLE_LABEL:
                self._labels = splits[TRAIN_SPLIT].class_labels["label"]
            else:
                self._labels = sorted_labels(row["label"] for data in splits.values() for row in data.rows)
        instances = []
        for split, data in splits.items():
            for place, row in numbered(f"{where}, {split}", data.rows):
                with reading(place):
                    references = self._make_references(row["label"])
                    instances.append(Instance(Input(text=self._text(row["input"])), references, split=split))
        return instances

    def _make_references(self, label: Any) -> list[Reference]:
        if self._kind == _ENTITIES:
            return self._make_entity_references([self._labels[tag] for tag in label])
        correct = [self._labels[label]] if self._kind == _SINGLE_LABEL else [str(one) for one in label]
        return self._references.make(correct, [one for one in self._labels if one not in correct])

    def _make_entity_references(self, tags: list[str]) -> list[Reference]:
        wrong = []
        if len(set(tags)) > 1:
            others = [tag for tag in self._labels if tag != _OUTSIDE and tag not in tags]
            wrong = [_quoted([tag if tag == _OUTSIDE else other for tag in tags]) for other in others]
        return self._references.make([_quoted(tags)], wrong)

    def _text(self, text: Any) -> str:
        if self._kind == _ENTITIES:
            return _quoted(text)
        if self._subset.startswith(_MULTILINGUAL):
            languages: dict[str, Any] = ast.literal_eval(text)
            return self._references.generator.choice([one for one in languages.values() if one is not None])
        return text


def sorted_labels(rows: Any) -> list[str]:
    """Return the labels that occur in rows, each of which has a list of them, as sorted texts."""
    return sorted({str(label) for labels in rows for label in labels})


def _quoted(tokens: Sequence[str]) -> str:
    return " ".join(f'"{token}"' for token in tokens)


def _read_entity_tags() -> dict[str, list[str]]:
    return load_yaml(os.path.join(os.path.dirname(__file__), "lextreme_entity_tags.yaml"))
