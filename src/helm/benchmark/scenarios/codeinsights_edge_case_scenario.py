"""CodeInsights: which unit test will a student fail?"""

from helm.benchmark.scenarios.codeinsights import (
    PERFORMANCE_FILE,
    TEST_CASES_FILE,
    CodeInsightsScenario,
    grouped_by,
    profile_lines,
    question_lines,
    sorted_by,
)
from helm.benchmark.scenarios.scenario import Instance

_TASK = (
    "You are analyzing a student’s likely mistakes on an upcoming programming problem.\n"
    "Your task: **predict exactly ONE unit-test index (0-based) that the student is most likely to fail.**\n"
    "Return *only* that integer. No explanation.\n\n"
)
_WITHOUT_TESTS = (
    "Think silently about:\n"
    "• Which test seems hardest for the given topic?\n"
    "• Where has the student historically struggled?\n"
    "• Any edge-cases in the tests’ inputs/outputs?\n\n"
    "******** ANSWER FORMAT (STRICT) ********\n"
    "<integer>\n"
    "****************************************"
)


class CodeInsightsEdgeCaseScenario(CodeInsightsScenario):
    """Yields one instance for each student, about the first piece of code in time.

    Only questions with test cases are used. The metric compares the number in the answer with the tests that the
    student failed; the reference is the code.
    """

    name = "codeinsights_edge_case"
    description = "Tell which unit test of a programming question a student fails."
    tags = ["codeinsights", "c++", "edge_case"]
    data_file = "Scenario5_data.csv"

    def get_instances(self, output_path: str) -> list[Instance]:
        instances = []
        performance = self.read(output_path, PERFORMANCE_FILE)
        known_questions = self.read(output_path, TEST_CASES_FILE)
        for student, rows in grouped_by(self.read(output_path, self.data_file), "student_id").items():
            row = sorted_by(rows, "timestamp")[0]
            cases = self.test_cases(row)
            if cases is None or not known_questions.get(row["question_unittest_id"]):
                continue
            if cases:  # HELM: the advice on the form of the answer is only in prompts without unit tests
                text = (
                    f"{_TASK}{profile_lines(student, performance)}\n"
                    "For the given programming question, identify which unit test the student would fail considering "
                    "their past performance, as well as consideration of unit test difficulty.\n"
                    f"Week: {row['week']}\nTopic: {row['topic']}\n\n"
                    f"{question_lines(row)}\nUnit Tests: {cases}\n"
                )
            else:
                text = _WITHOUT_TESTS
            instances.append(self.instance(row, text, cases, student, "response"))
        return instances
