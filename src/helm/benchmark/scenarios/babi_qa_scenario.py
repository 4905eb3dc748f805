"""bAbI: questions about short simulated stories."""

import os
from collections.abc import Iterator

from helm.benchmark.scenarios.data_rows import check_choice, correct_reference, reading
from helm.benchmark.scenarios.scenario import ALL_SPLITS, Instance, PassageQuestionInput, Scenario
from helm.common.general import ensure_file_downloaded

_URL = "http://www.thespermwhale.com/jaseweston/babi/tasks_1-20_v1-2.tar.gz"
_FOLDER = "tasks_1-20_v1-2"
_TASKS = range(1, 21)
_PATH_FINDING = 19
_DIRECTIONS = {"n": "north", "e": "east", "s": "south", "w": "west"}


class BabiQAScenario(Scenario):
    """Answer a question about a story of simple sentences that requires one of twenty kinds of reasoning.

    Input text: the lines of the story so far and the question. One reference. The routes of task 19 are written out
    (`n,e` as `north east`). Source: Weston et al. (2015), the files `en-valid`.

    Args:
        task: 1 to 20, or `all`.
    """

    name = "babi_qa"
    description = "Reasoning about simulated stories: 20 tasks"
    tags = ["question_answering"]

    def __init__(self, task: int | str):
        super().__init__()
        check_choice(self.name, "task", str(task), ["all", *map(str, _TASKS)])
        self.task = task

    def get_instances(self, output_path: str) -> list[Instance]:
        folder = os.path.join(output_path, "data", _FOLDER)
        ensure_file_downloaded(_URL, folder, unpack=True)
        tasks = _TASKS if self.task == "all" else [int(self.task)]
        instances = []
        for task in tasks:
            for split in ALL_SPLITS:
                path = os.path.join(folder, "en-valid", f"qa{task}_{split}.txt")
                for story, question, answer in _read_questions(path):
                    if task == _PATH_FINDING:
                        with reading(f"{path}: a route of n, e, s and w"):
                            answer = self.process_path(answer)
                    instances.append(
                        Instance(
                            PassageQuestionInput(passage=story, question=question, separator=""),
                            [correct_reference(answer)],
                            split=split,
                        )
                    )
        return instances

    @staticmethod
    def process_path(path: str) -> str:
        """Write out a route: `n,e` becomes `north east`. Raises: KeyError."""
        return " ".join(_DIRECTIONS[step] for step in path.split(","))


def _read_questions(path: str) -> Iterator[tuple[str, str, str]]:
    """Yield the story so far, the question and the answer, for each question in a file."""
    story: list[str] = []
    with reading(path), open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            with reading(f"{path}, line {number}"):
                position, text = line.split(" ", 1)
                if int(position) == 1:
                    story = []
                if "?" in text:
                    question, answer = text.split("\t")[:2]
                    yield "".join(story), question.strip(), answer.strip()
                else:
                    story.append(text)
