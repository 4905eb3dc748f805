"""MedAlign: instructions of clinicians about a patient's record."""

import os
from typing import Any

from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    Instance,
    Output,
    PassageQuestionInput,
    Reference,
    Scenario,
)
from helm.benchmark.scenarios.user_files import check_user_file
from helm.common.data.tables import read_table
from helm.common.errors import ScenarioError
from helm.common.optional_dependencies import needs_extra

_PROMPT = (
    "Instruction: Answer the following question based on the EHR:\n\nEHR: {ehr}\n\nQuestion: {question}\n\nAnswer:"
)
_ANSWER_TOKENS = 256
_ENCODING = "cl100k_base"
_ANNOTATOR = "Annotator_1"
_INSTRUCTIONS, _ANSWERS = "clinician-reviewed-model-responses.tsv", "clinician-instruction-responses.tsv"
_HOW = "The data is given out to those who sign its agreement: https://medalign.stanford.edu/."


class MedalignScenario(Scenario):
    """An instruction and the record (XML) that it is about; the answer is a clinician's.

    Only answers of the first annotator are used, in the order of their table.

    Args:
        max_length: limit in tokens (tiktoken's cl100k_base) of prompt and answer, of which 256 are reserved for the
            answer. A longer record is truncated at the start.
        data_path: the folder with the two tables and `medalign_ehr_xml/<patient>.xml`.
    """

    name = "medalign"
    description = "Follow instructions of clinicians about the record of a patient."
    tags = ["knowledge", "reasoning", "biomedical"]

    def __init__(self, max_length: int, data_path: str):
        super().__init__()
        self.max_length = int(max_length)
        self.data_path = data_path

    def get_instances(self, output_path: str) -> list[Instance]:
        instructions = {row["instruction_id"]: row for row in self._read(_INSTRUCTIONS)}
        instances, records = [], {}
        for row in self._read(_ANSWERS):
            instruction = instructions.get(row["instruction_id"])
            if row["annotator_num"] != _ANNOTATOR or instruction is None:
                continue
            patient = instruction["person_id"]
            if patient not in records:
                records[patient] = self._read_record(patient)
            question = instruction["question"]
            record = self._truncated(records[patient], question)
            # HELM: the prompt, which contains a question of its own, is shown as a question.
            asked = PassageQuestionInput(passage="", question=_PROMPT.format(ehr=record, question=question))
            reference = Reference(Output(text=row["clinician_response"]), tags=[CORRECT_TAG])
            instances.append(Instance(asked, [reference], split=TEST_SPLIT))
        return instances

    def _read(self, name: str) -> list[dict[str, Any]]:
        path = check_user_file(self.name, os.path.join(self.data_path, name), "a table of MedAlign", _HOW)
        rows: list[dict[str, Any]] = read_table(path, "tsv")
        return rows

    def _read_record(self, patient: str) -> str:
        path = os.path.join(self.data_path, "medalign_ehr_xml", f"{patient}.xml")
        with open(check_user_file(self.name, path, f"the record of patient {patient}", _HOW), encoding="utf-8") as file:
            return file.read()

    def _truncated(self, record: str, question: str) -> str:
        """Return the end of the record that leaves room for the rest of the prompt and the answer."""
        most = len((record + question + _PROMPT).encode())  # cheap upper bound: no token is shorter than a byte
        if most + _ANSWER_TOKENS <= self.max_length:
            return record
        with needs_extra("openai"):
            import tiktoken
        encoding = tiktoken.get_encoding(_ENCODING)

        def tokens(text: str) -> list[int]:
            return encoding.encode(text, disallowed_special=())

        room = self.max_length - _ANSWER_TOKENS - len(tokens(_PROMPT)) - len(tokens(question))
        if room < 1:
            raise ScenarioError(f"Scenario {self.name}: max_length={self.max_length} leaves no room for the record.")
        encoded = tokens(record)
        return record if len(encoded) <= room else encoding.decode(encoded[-room:])
