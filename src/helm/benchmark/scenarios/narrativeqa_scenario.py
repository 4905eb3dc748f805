"""Questions about books and movie scripts, answered from a summary."""

import csv
import os
from random import Random

from helm.benchmark.scenarios.data_rows import correct_reference, reading
from helm.benchmark.scenarios.scenario import ALL_SPLITS, Input, Instance, PassageQuestionInput, Scenario
from helm.common.errors import ScenarioError
from helm.common.general import ensure_file_downloaded

_URL = "https://github.com/deepmind/narrativeqa/archive/master.zip"
_FOLDER = os.path.join("data", "narrativeqa-master")


class NarrativeQAScenario(Scenario):
    """A summary and one of the questions about it; two people's answers are the references, both correct.

    Input text: the summary, a newline, "Question: " and the question. Each document gives one instance: its question
    is drawn from all of its questions. Splits as published, documents in the order of their first question.

    Raises: ScenarioError for a question whose document has no summary.
    Source: Kočiský et al., "The NarrativeQA Reading Comprehension Challenge" (2018).
    """

    name = "narrativeqa"  # HELM: the run and its group are spelled narrative_qa
    description = "Question answering using summaries of books/movie scripts."
    tags = ["question_answering"]

    def get_instances(self, output_path: str) -> list[Instance]:
        folder = os.path.join(output_path, _FOLDER)
        ensure_file_downloaded(source_url=_URL, target_path=folder, unpack=True)
        with reading(f"narrativeqa: {folder}"):
            summaries = {
                row["document_id"]: row["summary"]
                for row in _read_rows(os.path.join(folder, "third_party", "wikipedia", "summaries.csv"))
            }
            documents: dict[str, dict[str, list[dict[str, str]]]] = {split: {} for split in ALL_SPLITS}
            for row in _read_rows(os.path.join(folder, "qaps.csv")):
                if row["set"] in documents:
                    documents[row["set"]].setdefault(row["document_id"], []).append(row)
            generator = Random(0)
            return [
                _instance(summaries, generator.choice(rows), split)
                for split in ALL_SPLITS
                for rows in documents[split].values()
            ]

    @staticmethod
    def get_context(summary: str, question: str) -> Input:
        """Return the input: the summary, and the question, with a question mark if it has none."""
        return PassageQuestionInput(summary, question if question.endswith("?") else f"{question}?")


def _read_rows(path: str) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _instance(summaries: dict[str, str], row: dict[str, str], split: str) -> Instance:
    summary = summaries.get(row["document_id"])
    if summary is None:
        raise ScenarioError(f"narrativeqa: document {row['document_id']} of qaps.csv has no row in summaries.csv.")
    answers = [correct_reference(row[key]) for key in ("answer1", "answer2")]
    context = NarrativeQAScenario.get_context(summary.strip(), row["question"].strip())
    return Instance(context, answers, split=split)
