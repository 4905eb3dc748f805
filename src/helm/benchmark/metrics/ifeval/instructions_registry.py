"""IFEval's instructions by id."""

from helm.benchmark.metrics.ifeval import instructions

INSTRUCTION_DICT: dict[str, type[instructions.Instruction]] = {
    checker.kind: checker
    for checker in vars(instructions).values()
    if isinstance(checker, type) and issubclass(checker, instructions.Instruction) and checker.kind
}
"""Maps id to class."""
