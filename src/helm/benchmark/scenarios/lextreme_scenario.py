"""LEXTREME: classification of legal texts in 24 languages."""

import ast
import os
from collections.abc import Sequence
from typing import Any

from helm.benchmark.declarative.class_finder import declared_attributes
from helm.benchmark.scenarios.data_rows import check_choice, numbered, reading
from helm.benchmark.scenarios.scenario import TEST_SPLIT, TRAIN_SPLIT, VALID_SPLIT, Input, Instance, Reference, Scenario
from helm.benchmark.scenarios.wrong_labels import MAX_WRONG_LABELS, LabelReferences
from helm.common.data.hub_datasets import load_hub_split
from helm.common.files import load_yaml

_SPLITS = {TRAIN_SPLIT: "train", VALID_SPLIT: "validation", TEST_SPLIT: "test"}


class TaskType:
    """The kinds of tasks of LEXTREME and LexGLUE."""

    SLTC = "SingleLabelTextClassification"
    MLTC = "MultiLabelTextClassification"
    NER = "NamedEntityRecognition"
    QA = "QuestionAnswering"


TASK_CODE_MAPPING = {
    **dict.fromkeys(
        [
            BRAZILIAN_COURT_DECISIONS_JUDGMENT := "brazilian_court_decisions_judgment",
            BRAZILIAN_COURT_DECISIONS_UNANIMITY := "brazilian_court_decisions_unanimity",
            GERMAN_ARGUMENT_MINING := "german_argument_mining",
            GREEK_LEGAL_CODE_CHAPTER := "greek_legal_code_chapter",
            GREEK_LEGAL_CODE_SUBJECT := "greek_legal_code_subject",
            GREEK_LEGAL_CODE_VOLUME := "greek_legal_code_volume",
            SWISS_JUDGMENT_PREDICTION := "swiss_judgment_prediction",
            ONLINE_TERMS_OF_SERVICE_UNFAIRNESS_LEVELS := "online_terms_of_service_unfairness_levels",
        ],
        TaskType.SLTC,
    ),
    **dict.fromkeys(
        [
            ONLINE_TERMS_OF_SERVICE_CLAUSE_TOPICS := "online_terms_of_service_clause_topics",
            COVID19_EMERGENCY_EVENT := "covid19_emergency_event",
            MULTI_EURLEX_LEVEL_1 := "multi_eurlex_level_1",
            MULTI_EURLEX_LEVEL_2 := "multi_eurlex_level_2",
            MULTI_EURLEX_LEVEL_3 := "multi_eurlex_level_3",
        ],
        TaskType.MLTC,
    ),
    **dict.fromkeys(
        [
            GREEK_LEGAL_NER := "greek_legal_ner",
            LEGALNERO := "legalnero",
            LENER_BR := "lener_br",
            MAPA_COARSE := "mapa_coarse",
            MAPA_FINE := "mapa_fine",
        ],
        TaskType.NER,
    ),
}
SUBSETS = tuple(TASK_CODE_MAPPING)


def get_lextreme_task_type(subset: str) -> str:
    """Return the kind of a subset, one of `TaskType`. Raises: KeyError."""
    return TASK_CODE_MAPPING[subset]


__getattr__ = declared_attributes(__name__)

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
    dataset_name = "joelito/lextreme"
    splits_mapping = _SPLITS
    max_number_of_wrong_answers = MAX_WRONG_LABELS
    delimiter = '" "'
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
        self._subset, self._kind, self._references = subset, TASK_CODE_MAPPING[subset], references
        self._labels: Sequence[str] = ()

    def read(self, cache_dir: str) -> list[Instance]:
        splits = {
            split: load_hub_split(LEXTREMEScenario.dataset_name, source, config=self._subset, cache_dir=cache_dir)
            for split, source in _SPLITS.items()
        }
        where = f"{LEXTREMEScenario.dataset_name}, {self._subset}"
        with reading(where):
            if self._kind == TaskType.NER:
                self._labels = _read_entity_tags()[self._subset]
            elif self._kind == TaskType.SLTC:
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
        if self._kind == TaskType.NER:
            return self._make_entity_references([self._labels[tag] for tag in label])
        correct = [self._labels[label]] if self._kind == TaskType.SLTC else [str(one) for one in label]
        return self._references.make(correct, [one for one in self._labels if one not in correct])

    def _make_entity_references(self, tags: list[str]) -> list[Reference]:
        wrong = []
        if len(set(tags)) > 1:
            others = [tag for tag in self._labels if tag != _OUTSIDE and tag not in tags]
            wrong = [_quoted([tag if tag == _OUTSIDE else other for tag in tags]) for other in others]
        return self._references.make([_quoted(tags)], wrong)

    def _text(self, text: Any) -> str:
        if self._kind == TaskType.NER:
            return _quoted(text)
        if self._subset.startswith(_MULTILINGUAL):
            languages: dict[str, Any] = ast.literal_eval(text)
            return self._references.generator.choice([one for one in languages.values() if one is not None])
        return text


def sorted_labels(rows: Any) -> list[str]:
    """Return the labels that occur in rows, each of which has a list of them, as sorted texts."""
    return sorted({str(label) for labels in rows for label in labels})


def _quoted(tokens: Sequence[str]) -> str:
    return f'"{LEXTREMEScenario.delimiter.join(tokens)}"'


def _read_entity_tags() -> dict[str, list[str]]:
    return load_yaml(os.path.join(os.path.dirname(__file__), "lextreme_entity_tags.yaml"))
