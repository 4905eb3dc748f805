"""HumanEval and APPS: write a program that passes hidden tests."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from helm.benchmark.presentation.taxonomy_info import TaxonomyInfo
from helm.benchmark.scenarios.data_rows import check_choice, read_json, read_json_lines, reading
from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    TRAIN_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
    ScenarioMetadata,
)
from helm.common.general import ensure_file_downloaded

_HUMAN_EVAL_URL = "https://github.com/openai/human-eval/raw/master/data/HumanEval.jsonl.gz"
_APPS_URL = "https://people.eecs.berkeley.edu/~hendrycks/APPS.tar.gz"
_APPS_ORDER_URL = "https://worksheets.codalab.org/rest/bundles/0x308e1062e2b7448bacc45b4c92af5a75/contents/blob/"
_APPS_ORDER_FILE = "code_scenario_apps_pinned_file_order.json"

_INDENTATION = " \t"
_MAX_SOLUTION_LENGTH = 150_000
"""In characters; a train solution can be far longer than any prompt."""


class CodeReference(Reference):
    """A solution with the tests it passes. The tests are not stored in the files of a run."""

    test_cases: Mapping[str, Any] | None

    def __init__(self, output: Output, tags: list[str], test_cases: Mapping[str, Any] | None = None):
        super().__init__(output=output, tags=tags)
        object.__setattr__(self, "test_cases", test_cases)


@dataclass(frozen=True, eq=False)
class CodeInstance(Instance):
    """An instance whose references may be `CodeReference` objects."""

    @property
    def metadata(self) -> Mapping[str, Any] | None:
        """The tests of the first reference."""
        return getattr(self.references[0], "test_cases", None) if self.references else None


class CodeScenario(Scenario):
    """Write a Python program.

    `humaneval`: input text is the head and docstring of a function, the reference its body. `apps`: a task in prose,
    solved by a function or by a program that reads standard input; references are the published solutions, indented
    with tabs.
    Sources: Chen et al. (2021); Hendrycks et al. (2021).

    Args:
        dataset: `humaneval` or `apps`.
    """

    name = "code"
    description = "Code generation: HumanEval and APPS"
    tags = ["Reasoning", "Code Generation"]

    def __init__(self, dataset: str):
        super().__init__()
        check_choice(self.name, "dataset", dataset, ["humaneval", "apps"])
        self.dataset = dataset

    def get_instances(self, output_path: str) -> list[Instance]:
        if self.dataset == "humaneval":
            return _read_human_eval(os.path.join(output_path, "HumanEval.jsonl"))
        return _read_apps(os.path.join(output_path, "APPS"))

    def get_metadata(self) -> ScenarioMetadata:
        is_apps = self.dataset == "apps"
        return ScenarioMetadata(
            name=f"code_{self.dataset}",
            display_name="APPS (Code)" if is_apps else "HumanEval (Code)",
            description="Programs that are tested by running them.",
            main_metric="test_avg" if is_apps else "pass",
            main_split=TEST_SPLIT,
            taxonomy=TaxonomyInfo(task="?", what="n/a", when="n/a", who="n/a", language="synthetic"),
        )


def _read_human_eval(path: str) -> list[Instance]:
    ensure_file_downloaded(_HUMAN_EVAL_URL, path)
    instances: list[Instance] = []
    for where, row in read_json_lines(path):
        with reading(where):
            reference = CodeReference(Output(text=row["canonical_solution"]), [CORRECT_TAG], test_cases=row)
            instances.append(CodeInstance(Input(text=row["prompt"]), [reference], split=TEST_SPLIT))
    return instances


# --- APPS -------------------------------------------------------------------------------------------------------------


def _read_apps(folder: str) -> list[Instance]:
    ensure_file_downloaded(_APPS_URL, folder, unpack=True)
    order_path = os.path.join(folder, _APPS_ORDER_FILE)
    ensure_file_downloaded(_APPS_ORDER_URL, order_path)
    order: dict[str, list[str]] = read_json(order_path)
    instances = []
    for split in (TRAIN_SPLIT, TEST_SPLIT):
        split_folder = os.path.join(folder, split)
        with reading(split_folder):
            problems = order[split] if split in order else sorted(os.listdir(split_folder))
        for problem in problems:
            root = os.path.join(split_folder, os.path.basename(problem))
            with reading(root):
                instance = _apps_instance(root, split)
            if instance is not None:
                instances.append(instance)
    return instances


def _apps_instance(root: str, split: str) -> Instance | None:
    """Return a problem of APPS; None if it lacks what its split needs."""
    question_path, solutions_path, tests_path, starter_path = (
        os.path.join(root, name) for name in ("question.txt", "solutions.json", "input_output.json", "starter_code.py")
    )
    needed = solutions_path if split == TRAIN_SPLIT else tests_path
    if not (os.path.isfile(question_path) and os.path.isfile(needed)):
        return None
    solutions = read_json(solutions_path) if os.path.isfile(solutions_path) else [""]
    test_cases = {**(read_json(tests_path) if os.path.isfile(tests_path) else {}), "root": root}
    references: list[Reference] = [
        CodeReference(Output(text=indent_with_tabs(solution)[:_MAX_SOLUTION_LENGTH]), [CORRECT_TAG], test_cases)
        for solution in solutions
    ]
    starter = _read_text(starter_path) if os.path.isfile(starter_path) else None
    how = "Use Standard Input format" if starter is None else "Use Call-Based format"
    text = f"\nQUESTION:\n{_read_text(question_path)}\n{starter or ''}\n\n{how}\n\nANSWER in Python code:\n"
    return CodeInstance(Input(text=text), references, split=split)


def _read_text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def indent_with_tabs(program: str) -> str:
    """Convert each level of indentation to a tab; the first indented line defines one level.

    Text before that line is unchanged, and so is the rest of an indentation that is not a whole level. Every line ends
    with a newline; an empty program stays empty.
    """
    lines = program.split("\n")
    if not lines[-1]:
        lines.pop()
    unit = ""
    indented = []
    for line in lines:
        line = line.rstrip("\r\n")
        if not unit and line.strip():
            # HELM: mixed blanks and tabs are replaced by the same number of the first character.
            unit = line[:1] * (len(line) - len(line.lstrip(_INDENTATION)))
        levels = 0
        while unit and line.startswith(unit, levels * len(unit)):
            levels += 1
        indented.append("\t" * levels + line[levels * len(unit) :] + "\n")
    return "".join(indented)
