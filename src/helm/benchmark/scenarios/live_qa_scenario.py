"""LiveQA: questions of consumers about health."""

import os
from xml.etree import ElementTree

from helm.benchmark.scenarios.data_rows import correct_reference, numbered, reading
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario
from helm.common.errors import ScenarioError
from helm.common.general import ensure_file_downloaded

_FILE = "TREC-2017-LiveQA-Medical-Test-Questions-w-summaries.xml"
_URL = f"https://raw.githubusercontent.com/abachaa/LiveQA_MedicalTask_TREC2017/master/TestDataset/{_FILE}"


class LiveQAScenario(Scenario):
    """Answer a question sent to the US National Library of Medicine.

    Input text: a summary of the question. References: the answers from trusted sites, all correct. Ids are those of the
    source. Source: the medical task of TREC 2017 LiveQA, Ben Abacha et al. (2017).
    """

    name = "live_qa"
    description = "Consumer health questions of TREC 2017 LiveQA"
    tags = ["knowledge", "generation", "question_answering", "biomedical"]

    def get_instances(self, output_path: str) -> list[Instance]:
        path = os.path.join(output_path, _FILE)
        ensure_file_downloaded(_URL, path)
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
    return " ".join((element.text or "").split()) if element is not None else ""
