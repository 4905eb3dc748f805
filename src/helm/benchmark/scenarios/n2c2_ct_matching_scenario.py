"""N2C2 clinical trial matching: decide whether a patient meets a criterion of a trial."""

import os
import re
from xml.etree import ElementTree

from helm.benchmark.scenarios.scenario import CORRECT_TAG, TEST_SPLIT, Input, Instance, Output, Reference, Scenario
from helm.common.errors import ScenarioError, suggest
from helm.common.files import load_yaml
from helm.common.hierarchical_logger import hwarn

_CRITERIA = os.path.join(os.path.dirname(__file__), "n2c2_criteria.yaml")
_BREAK = "     "  # HELM: a line break inside a sentence of its source
_RULE = "-" * 100
_BETWEEN_NOTES = "*" * 100
_DATE = re.compile(r"Record date: (\d{4}-\d{2}-\d{2})")


class N2C2CTMatchingScenario(Scenario):
    """The notes of a patient and one of 13 criteria, which the patient meets or not.

    Patients are sorted by file name (in HELM, they come in the file system's order).

    Args:
        data_path: the folder of the n2c2 2018 challenge, track 1; its folder `test` contains a file `<patient>.xml`
            each.
        subject: the criterion, for example `ABDOMINAL`.
    """

    name = "n2c2_ct_matching"
    description = "Decide from a patient's notes whether a criterion of a clinical trial is met."
    tags: list[str] = []
    POSSIBLE_ANSWER_CHOICES = ["yes", "no"]

    def __init__(self, data_path: str, subject: str):
        super().__init__()
        self.data_path = data_path
        self.subject = subject
        criteria = load_yaml(_CRITERIA)
        if subject not in criteria:
            raise ScenarioError(
                f"Scenario {self.name}: subject must be one of {', '.join(criteria)}, not '{subject}'."
                + suggest(subject, criteria)
            )
        self.definition = _BREAK.join(criteria[subject])

    def get_instances(self, output_path: str) -> list[Instance]:
        folder = os.path.join(self.data_path, "test")
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        names = [name for name in names if name.endswith(".xml")]
        if not names:
            raise ScenarioError(
                f"Scenario {self.name}: there is no file {os.path.join(folder, '<patient>.xml')}. "
                "The data of the n2c2 2018 challenge, track 1, is available at https://n2c2.dbmi.hms.harvard.edu/."
            )
        return [self._instance(os.path.join(folder, name)) for name in names]

    def _instance(self, path: str) -> Instance:
        text, is_met = self._read(path)
        notes = [(_date(note), note) for note in map(str.strip, text.split(_BETWEEN_NOTES)) if note]
        dates = [date for date, _ in notes if date is not None]
        if len(dates) < len(notes):
            hwarn(f"{path}: {len(notes) - len(dates)} of {len(notes)} notes have no line 'Record date: YYYY-MM-DD'.")
        current_date = dates[-1] if dates else None  # HELM: the last note's date, and "None" if no note has one
        references = [
            Reference(Output(text="yes"), tags=[CORRECT_TAG] if is_met else []),
            Reference(Output(text="no"), tags=[] if is_met else [CORRECT_TAG]),
        ]
        return Instance(Input(text=self._prompt(notes, current_date)), references, split=TEST_SPLIT)

    def _read(self, path: str) -> tuple[str, bool]:
        """Return the notes of a patient as one text, and whether the criterion is met."""
        try:
            root = ElementTree.parse(path).getroot()
        except ElementTree.ParseError as e:
            raise ScenarioError(f"Scenario {self.name}: {path} is not valid XML: {e}") from e
        text, tag = root.findtext("TEXT"), root.find(f"TAGS/{self.subject}")
        met = tag.get("met") if tag is not None else None
        if text is None or met not in ("met", "not met"):
            raise ScenarioError(
                f"Scenario {self.name}: {path} needs a TEXT and, under TAGS, <{self.subject} met=...> with 'met' or "
                f"'not met'; found {met!r}."
            )
        return text, met == "met"

    def _prompt(self, notes: list[tuple[str | None, str]], current_date: str | None) -> str:
        shown = f"\n{'*' * 50}\n\n".join(
            f"## Note #{i}\nDate: {date or ''}\n{note}" for i, (date, note) in enumerate(notes, 1)
        )
        lines = [
            "",
            "# Task",
            "Your job is to decide whether the given patient meets the inclusion criterion for a clinical trial.",
            "",
            "# Inclusion Criterion",
            f'The inclusion criterion being assessed is: "{self.subject}".',
            f'The definition of the inclusion criterion is: "{self.definition}".',
            "",
            "# Patient Clinical Notes",
            f"Below is a set of {len(notes)} clinical notes describing the patient's current health status.{_BREAK}"
            "Each note is separated by a header with the date that the note was written, as well as a long list of "
            "asterisks.",
            "",
            _RULE,
            "",
            shown,
            "",
            _RULE,
            "",
            "# Current Date",
            f"Assume that the current date is: {current_date}",
            "",
            "# Question",
            f'Does the patient meet the inclusion criterion "{self.subject}"?',
        ]
        return "\n".join(f"    {line}" if line else "" for line in lines) + "\n    "


def _date(note: str) -> str | None:
    match = _DATE.search(note)
    return match.group(1) if match else None
