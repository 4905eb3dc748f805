"""CodeInsights: write C++ code in the style of a student."""

from helm.benchmark.scenarios.codeinsights import (
    CODE_BLOCK_ONLY,
    PERFORMANCE_FILE,
    TEMPLATE_ADVICE,
    CodeInsightsScenario,
    example_lines,
    grouped_by,
    profile_lines,
    question_lines,
    sorted_by,
    template_lines,
)
from helm.benchmark.scenarios.scenario import Instance


class CodeInsightsStudentCodingScenario(CodeInsightsScenario):
    """Yields one instance for each student with at least four pieces of code.

    The first three in time are examples, the fourth is the answer.
    """

    name = "codeinsights_student_coding"
    description = "Answer a programming question with the C++ code that a student would write."
    tags = ["codeinsights", "c++", "student_coding"]
    data_file = "Scenario1_2_data.csv"

    def get_instances(self, output_path: str) -> list[Instance]:
        instances = []
        performance = self.read(output_path, PERFORMANCE_FILE)
        for student, rows in grouped_by(self.read(output_path, self.data_file), "student_id").items():
            if len(rows) < 4:
                continue
            *examples, row = sorted_by(rows, "timestamp")[:4]
            cases = self.test_cases(row)
            if cases is None:
                continue
            if cases:  # HELM: the template and the advice are only in prompts without unit tests
                text = (
                    f"{profile_lines(student, performance)}\nWeek: {row['week']}\nTopic: {row['topic']}\n\n"
                    f"{example_lines(examples)}Now, using that same student style, attempt this:\n"
                    f"{question_lines(row)}\nUnit Test Input: {cases}\n\n"
                )
            else:
                text = (
                    f"{template_lines(row)}{TEMPLATE_ADVICE}Ensure your code includes any class definition when needed. "
                    f"{CODE_BLOCK_ONLY}."
                )
            instances.append(self.instance(row, text, cases, student, "response"))
        return instances
