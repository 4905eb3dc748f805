"""Whether a response follows an instruction of IFBench or IFEval: strictly, or in one of eight forms."""

from collections.abc import Mapping
from typing import Any

import helm.benchmark.metrics.ifbench.custom
import helm.benchmark.metrics.ifbench.formats
import helm.benchmark.metrics.ifbench.sentences
import helm.benchmark.metrics.ifbench.words  # noqa: F401 - they register their checks
from helm.benchmark.metrics.ifbench.registry import CHECKS
from helm.benchmark.metrics.ifeval.checks import INSTRUCTIONS, UnknownInstructionError, is_followed
from helm.common.errors import suggest


def follows(instruction_id: str, arguments: Mapping[str, Any] | None, response: str, seed: str) -> bool:
    """Return whether a response that is not blank follows an instruction.

    A response without the form that a check reads, such as a number or a list, does not follow it.

    Args:
        arguments: the arguments of the instruction by name; None values are left out.
        seed: for arguments of IFEval that are missing, and drawn.

    Raises: UnknownInstructionError; MetricError if data of a check are missing.
    """
    given = {name: value for name, value in (arguments or {}).items() if value is not None}
    if instruction_id in INSTRUCTIONS:
        return is_followed(instruction_id, given, response.strip(), seed)
    if instruction_id not in CHECKS:
        known = [*CHECKS, *INSTRUCTIONS]
        raise UnknownInstructionError(f"Unknown instruction '{instruction_id}'.{suggest(instruction_id, known)}")
    if not response.strip():
        return False
    try:
        return bool(CHECKS[instruction_id](response, **{name: _as_int(value) for name, value in given.items()}))
    except (
        ArithmeticError,
        LookupError,
        RecursionError,
        ValueError,
    ):  # the response has not the form that is asked for
        return False


def follows_loosely(instruction_id: str, arguments: Mapping[str, Any] | None, response: str, seed: str) -> bool:
    """Return whether a response follows an instruction in one of eight forms.

    They are the response, the one without its first line, its last line or both, and these four without asterisks.
    """
    lines = response.split("\n")
    forms = [response, *("\n".join(part).strip() for part in (lines[1:], lines[:-1], lines[1:-1]))]
    forms += [form.replace("*", "") for form in forms]
    return any(follows(instruction_id, arguments, form, seed) for form in dict.fromkeys(forms) if form.strip())


def _as_int(value: Any) -> Any:
    """Return whole numbers as such: some files have them as floating-point numbers."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
