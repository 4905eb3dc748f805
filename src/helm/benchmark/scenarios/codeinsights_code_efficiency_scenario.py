"""CodeInsights: write C++ code that is as fast as a student's."""

from helm.benchmark.scenarios.codeinsights import (
    CODE_BLOCK_ONLY,
    TEMPLATE_ADVICE,
    TEST_CASES_FILE,
    CodeInsightsScenario,
    example_lines,
    grouped_by,
    question_lines,
    sorted_by,
    template_lines,
)
from helm.benchmark.scenarios.scenario import Instance


class CodeInsightsCodeEfficiencyScenario(CodeInsightsScenario):
    """Yields one instance for each student with at least four pieces of code.

    The first three in time are examples, the fourth is the answer. Only questions with test cases are used.
    """

    name = "codeinsights_code_efficiency"
    description = "Write C++ code that is as efficient as the code of a student."
    tags = ["codeinsights", "c++", "code_efficiency"]
    data_file = "Scenario4_data.csv"

    def get_instances(self, output_path: str) -> list[Instance]:
        instances = []
        known_questions = self.read(output_path, TEST_CASES_FILE)
        for student, rows in grouped_by(self.read(output_path, self.data_file), "student_id").items():
            if len(rows) < 4:
                continue
            *examples, row = sorted_by(rows, "timestamp")[:4]
            cases = self.test_cases(row)
            if cases is None or not known_questions.get(row["question_unittest_id"]):
                continue
            if cases:  # HELM: the template and the advice are only in prompts without unit tests
                text = (
                    f"Week: {row['week']}\nTopic: {row['topic']}\n\n{example_lines(examples)}"
                    "Now, using that same student's coding style, attempt this:\n"
                    "Ensure that the code works perfectly, but its efficiency should be based on students' past examples.\n"
                    "If a student has a tendency to write correct but inefficient code, imitate the inefficiency but if "
                    "they write efficiently, write efficiently too.\n"
                    f"{question_lines(row)}\n\nUnit Test Input: {cases}\n\n"
                )
            else:
                text = (
                    f"{template_lines(row)}{TEMPLATE_ADVICE}Ensure your code is correct, includes any class definition "
                    f"when needed, and handles all edge cases properly. {CODE_BLOCK_ONLY}, and produce only one set of "
                    "code."
                )
            instances.append(self.instance(row, text, cases, student, "response"))
        return instances
