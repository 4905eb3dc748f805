"""CodeInsights: make the mistakes that a student would make."""

from helm.benchmark.scenarios.codeinsights import (
    CODE_BLOCK_ONLY,
    PERFORMANCE_FILE,
    TEMPLATE_ADVICE,
    CodeInsightsScenario,
    grouped_by,
    profile_lines,
    question_lines,
    sorted_by,
    template_lines,
)
from helm.benchmark.scenarios.scenario import Instance

_RATES = (
    "When students submit a code to the platform, it will be tested by number of unit tests, where"
    "- Unit test pass rate = proportion of unit tests passed with the code \n"
    "- Full pass rate   = proportion of code passing all unit tests\n"
)
_INSTRUCTIONS = (
    "⚠**Instructions:**\n"
    "1. Mimic your own coding style, naming conventions, indentation, and typical error patterns.\n"
    "2. Introduce mistake you are likely to make (e.g., off‐by‐one index, wrong initialization, missing edge case).\n"
    "3. Do **not** produce a fully correct solution or add unfamiliar optimizations.\n\n"
)


class CodeInsightsStudentMistakeScenario(CodeInsightsScenario):
    """Yields one instance for each student with at least four pieces of code that contain a mistake.

    The first three by question and time are examples, the fourth is the answer.
    """

    name = "codeinsights_student_mistake"
    description = "Answer a programming question with the mistakes that a student would make."
    tags = ["codeinsights", "c++", "student_mistake"]
    data_file = "Scenario3_data.csv"

    def get_instances(self, output_path: str) -> list[Instance]:
        instances = []
        performance = self.read(output_path, PERFORMANCE_FILE)
        for student, rows in grouped_by(self.read(output_path, self.data_file), "student_id").items():
            if len(rows) < 4:
                continue
            *examples, row = sorted_by(rows, "question_unittest_id", "timestamp")[:4]
            cases = self.test_cases(row)
            if cases is None:
                continue
            if cases:  # HELM: the template and the advice are only in prompts without unit tests
                mistakes = "".join(
                    f"Example {i} (Week {example['week']}, Topic: {example['topic']}):\n{question_lines(example)}\n"
                    f"Template:\n{example['question_template']}\n"
                    f"Student's Response Code with Error:\n{example['response_mistake']}\n\n"
                    for i, example in enumerate(examples, 1)
                )
                text = (
                    f"{profile_lines(student, performance)}\n{_RATES}\n=== Past Mistake Examples ===\n{mistakes}"
                    f"=== New Target Problem ===\nWeek: {row['week']}, Topic: {row['topic']}\n"
                    f"{question_lines(row)}\nUnit Test Input: {cases}\n\n"
                )
            else:
                text = (
                    f"{template_lines(row)}{_INSTRUCTIONS}{TEMPLATE_ADVICE}Ensure your code is includes any class "
                    f"definition when needed. {CODE_BLOCK_ONLY}."
                )
            instances.append(self.instance(row, text, cases, student, "response_mistake"))
        return instances
