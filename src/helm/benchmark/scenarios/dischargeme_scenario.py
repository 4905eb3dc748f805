"""DischargeMe: write two sections of a discharge summary of MIMIC-IV."""

import os
from typing import Any

from helm.benchmark.scenarios.scenario import CORRECT_TAG, TEST_SPLIT, Input, Instance, Output, Reference, Scenario
from helm.benchmark.scenarios.user_files import check_user_file
from helm.common.data.tables import read_table
from helm.common.errors import ScenarioError

_FOLDER = os.path.join("files", "discharge-me", "1.3", "test_phase_1")
_TABLES = ("diagnosis", "discharge", "discharge_target", "radiology", "edstays", "triage")
_SECTIONS = {"Brief Hospital Course": "brief_hospital_course", "Discharge Instructions": "discharge_instructions"}

Row = dict[str, Any]


class DischargeMeScenario(Scenario):
    """Write the brief hospital course, and the discharge instructions, of a hospital stay.

    Each stay of the first test phase yields two instances. Their input is the discharge summary without the section to
    write, and the first radiology report of the stay. Only stays that occur in all six tables are used, in the order of
    the patients in `diagnosis` and of a patient's stays in `discharge`.

    Args:
        data_path: the folder that contains `files/discharge-me/1.3/test_phase_1`, as provided by PhysioNet to those who
            signed its agreement.
    """

    name = "dischargeme"
    description = "Write the hospital course and the discharge instructions of a patient from the other notes."
    tags = ["biomedical"]

    def __init__(self, data_path: str):
        super().__init__()
        self.data_path = data_path

    def get_instances(self, output_path: str) -> list[Instance]:
        tables = {name: self._read(name) for name in _TABLES}
        targets = _first_by(tables["discharge_target"], "hadm_id")
        reports = _first_by(tables["radiology"], "hadm_id")
        visits = {row["hadm_id"] for row in tables["edstays"]}
        patients = [{row["subject_id"] for row in tables[name]} for name in ("edstays", "triage")]
        stays = _first_by(tables["discharge"], "hadm_id")
        instances: list[Instance] = []
        for subject in dict.fromkeys(row["subject_id"] for row in tables["diagnosis"]):
            if not all(subject in known for known in patients):
                continue
            for stay, row in stays.items():
                if row["subject_id"] == subject and stay in targets and stay in reports and stay in visits:
                    instances.extend(_instances(row["text"], reports[stay]["text"], targets[stay]))
        return instances

    def _read(self, name: str) -> list[Row]:
        path = check_user_file(
            self.name,
            os.path.join(self.data_path, _FOLDER, f"{name}.csv.gz"),
            f"the table {name}",
            "The data is given to credentialed users at https://physionet.org/content/discharge-me/1.3/.",
        )
        rows = read_table(path, "csv")
        if not rows:
            raise ScenarioError(f"Scenario {self.name}: {path} has no rows.")
        return rows


def _first_by(rows: list[Row], column: str) -> dict[str, Row]:
    """Return the first row of each value of a column, in order."""
    result: dict[str, Row] = {}
    for row in rows:
        result.setdefault(row[column], row)
    return result


def _instances(summary: str, report: str, target: Row) -> list[Instance]:
    instances = []
    for title, column in _SECTIONS.items():
        answer = target[column]
        shown = summary.replace(answer, "") if answer else summary
        text = (
            # HELM: the spaces come from a line break inside the sentence.
            f"Generate the {title} from the following patient discharge text and radiology report text.    \n\n"
            f"Discharge Text:\n{shown}\n\nRadiology Report:\n{report}\n\n{title}:\n"
        )
        reference = Reference(Output(text=answer), tags=[CORRECT_TAG])
        instances.append(Instance(Input(text=text), [reference], split=TEST_SPLIT))
    return instances
