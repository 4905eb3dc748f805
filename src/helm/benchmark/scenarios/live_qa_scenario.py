"""LiveQA: questions of consumers about health."""

import os
from xml.etree import ElementTree

from helm.benchmark.scenarios.data_rows import correct_reference, numbered, reading
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario
from helm.common.errors import ScenarioError
from helm.common.general import ensure_file_downloaded


class LiveQAScenario(Scenario):
    """Answer a question sent to the US National Library of Medicine.

    Input text: a summary of the question. References: the answers from trusted sites, all correct. Ids are those of the
    source. Source: the medical task of TREC 2017 LiveQA, Ben Abacha et al. (2017).
    """

    name = "live_qa"
    description = "Consumer health questions of TREC 2017 LiveQA"
    tags = ["knowledge", "generation", "question_answering", "biomedical"]

    SOURCE_REPO_URL = "https://raw.githubusercontent.com/abachaa/LiveQA_MedicalTask_TREC2017/master/TestDataset/"
    FILENAME = "TREC-2017-LiveQA-Medical-Test-Questions-w-summaries.xml"

    def get_instances(self, output_path: str) -> list[Instance]:
        self.download_liveqa(output_path)
        return self.process_xml(output_path)

    def download_liveqa(self, path: str) -> None:
        """Download the questions to a folder. Raises: DownloadError."""
        ensure_file_downloaded(f"{self.SOURCE_REPO_URL}{self.FILENAME}", os.path.join(path, self.FILENAME))

    @staticmethod
    def remove_whitespace(s: str) -> str:
        """Return a text on one line, with single spaces."""
        return " ".join(s.split())

    def process_xml(self, base_path: str) -> list[Instance]:
        """Return the instances of the questions in a folder. Raises: ScenarioError."""
        path = os.path.join(base_path, self.FILENAME)
        try:
            root = ElementTree.parse(path).getroot()
        except ElementTree.ParseError as e:
            raise ScenarioError(f"{path}: it is not XML: {e}") from e
        instances = []
        for where, question in numbered(path, root, "question"):
            with reading(where):
                summary = _text(question.find("NLM-Summary"))
                if not summary:
                    raise KeyError("NLM-Summary")
                answers = [_text(answer) for answer in question.iter("ANSWER")]
                references = [correct_reference(answer) for answer in answers if answer]
                instances.append(Instance(Input(text=summary), references, split=TEST_SPLIT, id=question.attrib["qid"]))
        return instances


def _text(element: ElementTree.Element | None) -> str:
    """Return the text before the first child, on one line; empty if there is no such element."""
    return LiveQAScenario.remove_whitespace(element.text or "") if element is not None else ""
