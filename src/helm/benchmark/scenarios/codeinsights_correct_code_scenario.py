"""CodeInsights: write correct C++ code for the questions of a course."""

from helm.benchmark.scenarios.codeinsights import (
    CODE_BLOCK_ONLY,
    TEMPLATE_ADVICE,
    CodeInsightsScenario,
    grouped_by,
    question_lines,
    template_lines,
)
from helm.benchmark.scenarios.scenario import Instance


class CodeInsightsCorrectCodeScenario(CodeInsightsScenario):
    """Yields one instance for each question, ordered by number; metrics run the code on the unit tests."""

    name = "codeinsights_correct_code"
    description = "Write C++ code that solves a programming question."
    tags = ["codeinsights", "c++", "correct_code"]
    data_file = "Scenario1_2_data.csv"

    def get_instances(self, output_path: str) -> list[Instance]:
        instances = []
        for rows in grouped_by(self.read(output_path, self.data_file), "question_unittest_id").values():
            row, cases = rows[0], self.test_cases(rows[0])
            if cases is None:
                continue
            if cases:  # HELM: the template and the advice are only in prompts without unit tests
                text = f"{question_lines(row)}\n\nUnit Test Input: {cases}\n\n"
            else:
                text = (
                    f"{template_lines(row)}{TEMPLATE_ADVICE}Ensure your code is correct, efficient, includes any class "
                    f"definition when needed, and handles all edge cases properly. {CODE_BLOCK_ONLY}."
                )
            instances.append(self.instance(row, text, cases))
        return instances
