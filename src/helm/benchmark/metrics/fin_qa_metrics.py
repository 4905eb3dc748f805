"""Questions about financial reports that are answered by a program (FinQA)."""

import json

from helm.benchmark.metrics.answer_metric import AnswerMetric
from helm.benchmark.metrics.fin_qa_metrics_helper import (
    ProgramError,
    Table,
    are_equal_programs,
    parse_result,
    run_program,
)
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance


def _parse_table(text: str) -> Table | None:
    try:
        table = json.loads(text)
    except ValueError:
        return None
    is_table = isinstance(table, list) and all(isinstance(row, list) for row in table)
    return [[str(cell) for cell in row] for row in table] if is_table else None


class FinQAMetric(AnswerMetric):
    """Measures whether the program is the correct formula, and whether it yields the correct result.

    The references of an instance are the correct program, its result and the table (JSON), in this order. Emits
    `program_accuracy` and `execution_accuracy` (0 or 1, higher is better): the first compares the programs as formulas
    (needs the package sympy), the second runs the completion on the table and compares the result, rounded to five
    places. A program that cannot be parsed or run is wrong. A score whose reference cannot be parsed is omitted.
    Raises: ValueError if there are not three references.
    """

    described_stats = ["program_accuracy", "execution_accuracy"]

    def score_answer(self, answer: str, instance: Instance) -> NamedValues:
        texts: list[str] = [reference.output.text for reference in instance.references]
        if len(texts) != 3:
            raise ValueError(
                f"instance {instance.id}: expected three references (program, result, table), got {len(texts)}."
            )
        values: NamedValues = []
        try:
            values.append(("program_accuracy", 1.0 if are_equal_programs(texts[0], answer) else 0.0))
        except ProgramError:  # in the reference program
            pass
        want, table = parse_result(texts[1].strip()), _parse_table(texts[2])
        if want is not None and table is not None:
            try:
                score = 1.0 if run_program(answer, table) == want else 0  # HELM: an int in the files
            except ProgramError:
                score = 0.0
            values.append(("execution_accuracy", score))
        return values
