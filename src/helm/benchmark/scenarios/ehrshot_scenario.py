"""EHRSHOT: predictions from the codes in a patient's record."""

import os
from dataclasses import dataclass
from typing import Any

from helm.benchmark.scenarios.scenario import CORRECT_TAG, TEST_SPLIT, Input, Instance, Output, Reference, Scenario
from helm.benchmark.scenarios.user_files import check_user_file
from helm.common.data.tables import iterate_table
from helm.common.errors import ScenarioError, suggest
from helm.common.hierarchical_logger import hlog
from helm.common.optional_dependencies import needs_extra
from helm.common.random_draws import numpy_choice

# Lab tests have up to millions of labels.
_MOST_LAB_LABELS = 10_000
_SEED = 1
_ENCODING = "cl100k_base"
_HOW = "The data is given out to those who sign its agreement: https://ehrshot.stanford.edu/."


@dataclass(frozen=True)
class _Task:
    title: str
    expert: str
    question: str


# HELM: the wide gaps come from line breaks inside sentences, and "back back" is part of the prompts.
_TASKS = {
    "guo_los": _Task(
        "length of stay",
        "hospitalist",
        "If this patient is admitted to the hospital right now, is the patient likely to have a     "
        "length of stay of at least 7 days (i.e. a week)?",
    ),
    "guo_readmission": _Task(
        "30-day readmission",
        "hospitalist",
        "If this patient is discharged from the hospital right now, is the patient likely     "
        "to be readmitted to the hospital within 30 days?",
    ),
    "guo_icu": _Task(
        "icu transfer",
        "intensivist",
        "If this patient is admitted to the hospital right now, is the patient likely to be     "
        "transferred to the ICU at any point during their admission?",
    ),
    **{
        f"lab_{title}": _Task(
            title,
            expert,
            f"If a lab test for {title.capitalize()} is ordered for this patient right now,     "
            f"will it come back back abnormal{bound}",
        )
        for title, expert, bound in (
            ("anemia", "hematologist", "? (i.e. <120 g/L)"),
            ("hyperkalemia", "nephrologist", " (i.e. >5.5 mmol/L)?"),
            ("hypoglycemia", "endocrinologist", " (i.e. <3.9 mmol/L)?"),
            ("hyponatremia", "nephrologist", " (i.e. <135 mmol/L)?"),
            ("thrombocytopenia", "hematologist", "? (i.e. <150 109/L)"),
        )
    },
}
_TASKS_WITH_DEFINITIONS = [
    f"new_{name}" for name in ("acutemi", "celiac", "hyperlipidemia", "hypertension", "lupus", "pancan")
]

Event = tuple[Any, str]
"""Time and code."""


class EHRSHOTScenario(Scenario):
    """The codes in a patient's record up to a moment, and a yes-or-no question about the future.

    Labels are sorted by patient and time; of labels of lab tests, 10,000 are drawn if there are more. (HELM then pairs
    the prompts with labels of other moments, since it draws and sorts only one of the two.)

    Args:
        subject: the task: `guo_los`, `guo_readmission`, `guo_icu` or `lab_...`. The prompts of the tasks `new_...`
            contain long clinical definitions that this package lacks.
        data_path: the folder with `data/data.parquet` and `labels/<task>/labels.parquet` (MEDS).
        max_length: leave out prompts with more tokens (tiktoken's cl100k_base). None keeps all.
    """

    name = "ehrshot"
    description = "Predict from the coded history of a patient whether something will happen."
    tags: list[str] = []

    def __init__(self, subject: str, data_path: str, max_length: int | None = None):
        super().__init__()
        if subject in _TASKS_WITH_DEFINITIONS:
            raise ScenarioError(
                f"Scenario {self.name}: the prompts of {subject} are made from clinical definitions and lists of codes that "
                f"are not part of this package. There are: {', '.join(_TASKS)}."
            )
        if subject not in _TASKS:
            raise ScenarioError(
                f"Scenario {self.name}: subject must be one of {', '.join(_TASKS)}, not '{subject}'.{suggest(subject, _TASKS)}"
            )
        self.subject = subject
        self.data_path = data_path
        self.max_length = int(max_length) if max_length is not None else None

    def get_instances(self, output_path: str) -> list[Instance]:
        labels = self._labels()
        events = self._events({label["subject_id"] for label in labels})
        instances = []
        for label in labels:
            codes = [code for time, code in events.get(label["subject_id"], []) if time <= label["prediction_time"]]
            text = self._prompt(codes)
            if self._fits(text):
                is_true = bool(label["boolean_value"])
                references = [
                    Reference(Output(text="yes"), tags=[CORRECT_TAG] if is_true else []),
                    Reference(Output(text="no"), tags=[] if is_true else [CORRECT_TAG]),
                ]
                instances.append(Instance(Input(text=text), references, split=TEST_SPLIT))
        if len(instances) < len(labels):
            hlog(f"{len(labels) - len(instances)} of {len(labels)} prompts have more than {self.max_length} tokens.")
        return instances

    def _read(self, *parts: str, columns: list[str]) -> Any:
        path = check_user_file(self.name, os.path.join(self.data_path, *parts), "a table of EHRSHOT", _HOW)
        return iterate_table(path, "parquet", columns=columns)

    def _labels(self) -> list[dict[str, Any]]:
        columns = ["subject_id", "prediction_time", "boolean_value"]
        labels = list(self._read("labels", self.subject, "labels.parquet", columns=columns))
        if any(label["boolean_value"] is None for label in labels):
            raise ScenarioError(f"Scenario {self.name}: a label of {self.subject} has no boolean_value.")
        if self.subject.startswith("lab_") and len(labels) > _MOST_LAB_LABELS:
            labels = [labels[i] for i in numpy_choice(len(labels), _MOST_LAB_LABELS, _SEED)]
        return sorted(labels, key=lambda label: (label["subject_id"], label["prediction_time"]))

    def _events(self, patients: set[Any]) -> dict[Any, list[Event]]:
        """Return the codes of these patients sorted by time; those without a time are left out."""
        events: dict[Any, list[Event]] = {}
        for row in self._read("data", "data.parquet", columns=["subject_id", "time", "code"]):
            if row["subject_id"] in patients and row["time"] is not None:
                events.setdefault(row["subject_id"], []).append((row["time"], row["code"]))
        for known in events.values():
            known.sort(key=lambda event: event[0])
        return events

    def _prompt(self, codes: list[str]) -> str:
        task = _TASKS[self.subject]
        return (
            f"\n# Instructions\nYou are an expert {task.expert} at Stanford Healthcare, an academic medical center "
            f"affiliated with Stanford University. You specialize in predicting {task.title}.\n\n"
            "Instruction: Review the patient's EHR history. Based on all available medical evidence in the provided EHR, "
            f"please answer the question: {task.question}\n\n\n"
            "# Your Task\nPatient EHR:\n" + "".join(f"- {code}\n" for code in codes) + "\n"
        )

    def _fits(self, text: str) -> bool:
        if (
            self.max_length is None or len(text.encode()) <= self.max_length
        ):  # cheap test first: no token is shorter than a byte
            return True
        with needs_extra("openai"):
            import tiktoken
        return len(tiktoken.get_encoding(_ENCODING).encode(text, disallowed_special=())) <= self.max_length
