"""Shared parts of the five CodeInsights scenarios: tables of students' C++ code, and parts of their prompts."""

import os
import re
from collections.abc import Iterable
from typing import Any

from helm.benchmark.scenarios.scenario import CORRECT_TAG, VALID_SPLIT, Input, Instance, Output, Reference, Scenario
from helm.common.data.tables import read_table
from helm.common.errors import ScenarioError
from helm.common.general import ensure_file_downloaded

_DATA = "https://huggingface.co/datasets/Kazchoko/my_dataset/resolve/main/"
PERFORMANCE_FILE = "student_performace_by_topic.csv"  # HELM: spelled like this by the data set
TEST_CASES_FILE = "test_cases_by_qid.json"

_TEST_CASE = re.compile(r"Input:(.*?)STD input:(.*?)Output:(.*)", re.DOTALL)

Row = dict[str, str]
TestCase = dict[str, str]

TEMPLATE_ADVICE = (
    "Provide ONLY your C++ implementation following the given template, where the answer will replace the "
    "{{ STUDENT_ANSWER }} block in the template. DO NOT reproduce the template part as the generated code would be "
    "inserted to the template, and make sure the code is compatible with the Unit Test Input. int main() is always "
    "declared already so DO NOT produce that initialization on the code. "
)
CODE_BLOCK_ONLY = "Return the code in C++ code block format, and nothing else"


class CodeInsightsScenario(Scenario):
    """Base class of the five scenarios.

    Args:
        num_testcases: number of a question's unit tests to show and run, starting with the first; -1 means all.
            Questions with fewer are left out.
    """

    data_file: str
    """The scenario's table, with a row for each piece of code that a student submitted."""

    def __init__(self, num_testcases: int = 1):
        super().__init__()
        self.num_testcases = int(num_testcases)

    def read(self, output_path: str, name: str) -> Any:
        """Read a file of the data set: a list of rows, or the content of a JSON file."""
        path = os.path.join(output_path, name)
        ensure_file_downloaded(_DATA + name, path)
        return read_table(path)

    def test_cases(self, row: Row) -> list[TestCase] | None:
        """Return the unit tests to use for the row's question; None if there are too few."""
        cases = parse_test_cases(row["question_unittests"])
        if len(cases) < self.num_testcases:
            return None
        return cases if self.num_testcases < 0 else cases[: self.num_testcases]

    def instance(self, row: Row, text: str, cases: list[TestCase], student: str = "", answer: str = "") -> Instance:
        """Return an instance about a question, with the data that metrics need to run the code, optionally about a student."""
        question = row["question_unittest_id"]
        extra_data: dict[str, Any] = {
            "question_template": row["question_template"],
            "test_cases": cases,
            "question_id": question,
            "question_name": row.get("question_name", ""),
        }
        references = []
        if student:
            extra_data["student_id"] = student
            extra_data["student_correctness_pattern"] = self._pattern(row)
            references = [Reference(Output(text=row[answer]), tags=[CORRECT_TAG])]
        return Instance(
            Input(text=text),
            references,
            split=VALID_SPLIT,
            id=f"{student}_{question}" if student else question,
            extra_data=extra_data,
        )

    def _pattern(self, row: Row) -> list[int]:
        """Return 1 for each unit test that the student passed, 0 for each one failed.

        The column contains digits like `0110`. (HELM reads it as a number, which loses leading zeros.)
        """
        digits = row["pass"].strip().split(".")[0]
        if not digits or set(digits) - {"0", "1"}:
            raise ScenarioError(
                f"Scenario {self.name}: 'pass' of student {row['student_id']}, question {row['question_unittest_id']} "
                f"is a text of 0 and 1, not {row['pass']!r}."
            )
        return [int(digit) for digit in digits]


def parse_test_cases(text: str) -> list[TestCase]:
    r"""Parse the unit tests in a column `Unittest 1:\nInput: ...\nSTD input: ...\nOutput: ...`.

    Tests in another form are left out.
    """
    cases = []
    for part in re.split(r"Unittest \d+:", text)[1:]:
        match = _TEST_CASE.search(part)
        if match:
            given, std_in, output = (group.strip() for group in match.groups())
            cases.append({"input": given, "std_in": std_in, "output": output})
    return cases


def _sort_key(values: Iterable[str]) -> Any:
    """Return a sort key for values of a column: as numbers if all are, else as texts."""
    try:
        numbers = {value: float(value) for value in values}
    except ValueError:
        return str
    return numbers.__getitem__


def sorted_by(rows: list[Row], *columns: str) -> list[Row]:
    """Sort rows by these columns, the first being the most significant; the sort is stable."""
    keys = {column: _sort_key({row[column] for row in rows}) for column in columns}
    return sorted(rows, key=lambda row: tuple(keys[column](row[column]) for column in columns))


def grouped_by(rows: list[Row], column: str) -> dict[str, list[Row]]:
    """Return the rows of each value of a column, sorted by value."""
    groups: dict[str, list[Row]] = {}
    for row in sorted_by(rows, column):
        groups.setdefault(row[column], []).append(row)
    return groups


def profile_lines(student: str, performance: list[Row]) -> str:
    """Format a student's results by topic for the prompts."""
    lines = ["=== Student Profile ===", f"Student {student} has the following performance across topics:"]
    for row in performance:
        if row["student_id"] == student:
            lines.append(
                f"- For topic '{row['topic']}', the unit test pass rate is {round(float(row['pass_rate']), 2)}, "
                f"and the rate of passing all unit tests is {round(float(row['perfect']), 2)}."
            )
    return "".join(line + "\n" for line in lines)


def question_lines(row: Row) -> str:
    return f"Question: {row['question_name']} — {row['question_text']}"


def example_lines(rows: list[Row]) -> str:
    """Format earlier code of a student."""
    return "".join(
        f"Example {i}:\n{question_lines(row)}\nTemplate:\n{row['question_template']}\nYour Code:\n{row['response']}\n\n"
        for i, row in enumerate(rows, 1)
    )


def template_lines(row: Row) -> str:
    return f"Template:\n{row['question_template']}\n\n"
