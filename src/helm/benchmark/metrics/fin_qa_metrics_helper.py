"""Parses, runs and compares programs about financial reports in the language of FinQA.

A program is a sequence of steps such as `divide(9413, 20.01), subtract(#0, table_max)`; each takes two arguments, and
`#n` is the result of the n-th step. Arguments of arithmetic are numbers, those of the `table_` operations names of
table rows. The rules are those of FinQA's own evaluation, whose results HELM reports.
"""

from collections.abc import Callable, Sequence
from typing import Any

ARITHMETIC: dict[str, Callable[[float, float], Any]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "exp": lambda a, b: a**b,
    "greater": lambda a, b: "yes" if a > b else "no",
}
TABLE_OPERATIONS: dict[str, Callable[[Sequence[float]], float]] = {
    "table_max": max,
    "table_min": min,
    "table_sum": sum,
    "table_average": lambda row: sum(row) / len(row),
}
all_ops = [*ARITHMETIC, *TABLE_OPERATIONS]
DECIMALS = 5
"""Number of decimal places to which results are rounded."""
MAX_STEPS = 50
"""Longer programs are not compared: simplifying formulas takes exponential time, and correct programs have few steps.
"""

Step = tuple[str, list[str]]
"""Operation and arguments."""
Table = list[list[str]]
Value = float | str


class ProgramError(ValueError):
    """A program, or a number or row in it, is invalid."""


def tokenize_program(text: str) -> list[str]:
    """Split `add(1, 2)` into `add(`, `1`, `2`, `)`. Arguments are separated by a comma and a space, so `1,234` is one."""
    tokens: list[str] = []
    for piece in text.strip().split(", "):
        token = ""
        for character in piece:
            if character == ")" and token:
                tokens.append(token)
                token = ""
            token += character
            if character in "()":
                tokens.append(token)
                token = ""
        if token:
            tokens.append(token)
    return tokens


def split_steps(tokens: Sequence[str]) -> list[Step]:
    """Return the steps, whatever their arguments; text after the last closing parenthesis is ignored.

    Raises: ProgramError for a step that does not consist of an operation and arguments.
    """
    steps: list[Step] = []
    current: list[str] = []
    for token in tokens:
        if token != ")":
            current.append(token)
            continue
        if not current or not current[0].endswith("(") or any("(" in argument for argument in current[1:]):
            raise ProgramError(f"{''.join(current)!r} is not a step.")
        steps.append((current[0].removesuffix("(").strip(), [argument.strip() for argument in current[1:]]))
        current = []
    return steps


def parse_program(tokens: Sequence[str]) -> list[Step]:
    """Return the steps of a valid program: a known operation and two arguments each. Raises: ProgramError otherwise."""
    for i, token in enumerate(tokens):
        if i % 4 == 0 and token.removesuffix("(") not in all_ops:
            raise ProgramError(f"{token!r} is not an operation.")
        if i % 4 == 3 and token != ")":
            raise ProgramError(f"Expected ')' instead of {token!r}.")
    steps = split_steps(tokens)
    for operation, arguments in steps:
        if len(arguments) != 2:
            raise ProgramError(f"{operation} takes two arguments, not {len(arguments)}.")
    return steps


def parse_number(text: str) -> float:
    """Parse `1,234` as 1234, `5%` as 0.05, `const_100` as 100 and `const_m1` as -1. Raises: ProgramError otherwise."""
    text = text.replace(",", "")
    try:
        return float(text)
    except ValueError:
        pass
    try:
        if "%" in text:
            return float(text.replace("%", "")) / 100
        if "const" in text:
            constant = text.replace("const_", "")
            return -1.0 if constant == "m1" else float(constant)
    except ValueError:
        pass
    raise ProgramError(f"{text!r} is no number.")


def _get_row(name: str, table: Table) -> list[float]:
    cells = next((row[1:] for row in reversed(table) if row and row[0] == name), None)
    if not cells:
        raise ProgramError(f"{name!r} is not a row with numbers.")
    return _parse_cells(cells)


def _parse_cells(cells: Sequence[str]) -> list[float]:
    return [parse_number(cell.replace("$", "").strip().split("(")[0].strip()) for cell in cells]


def run_program(text: str, table: Table) -> Value:
    """Return the result of the last step: a number rounded to five places, or `yes` or `no`.

    Raises: ProgramError if the program cannot be parsed or run.
    """
    results: list[Any] = []

    def get_operand(argument: str) -> Any:
        if "#" not in argument:
            return parse_number(argument)
        index = int(argument.replace("#", ""))
        if not 0 <= index < len(results):
            raise ProgramError(f"{argument} is not an earlier step.")
        return results[index]

    try:
        for operation, arguments in parse_program(tokenize_program(text)):
            if operation in ARITHMETIC:
                first, second = get_operand(arguments[0]), get_operand(arguments[1])
                results.append(ARITHMETIC[operation](first, second))
            else:
                results.append(TABLE_OPERATIONS[operation](_get_row(arguments[0], table)))
        if not results:
            raise ProgramError("The program has no step.")
        return results[-1] if isinstance(results[-1], str) else round(results[-1], DECIMALS)
    except (ArithmeticError, TypeError, ValueError) as error:  # ProgramError is a ValueError
        raise ProgramError(f"Cannot run {text!r}: {error}") from error


class _Formulas:
    """Represents programs as formulas of named arguments; equal subformulas have equal numbers.

    The arguments are those of the reference program, since a program equal to it cannot contain others.
    """

    def __init__(self, steps: Sequence[Step]):
        self._names: dict[tuple[str, ...], int] = {}
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._parts: list[tuple[Any, ...]] = []
        self._expressions: dict[int, Any] = {}
        for operation, arguments in steps:
            for key in self._keys(operation, arguments):
                if key not in self._names:
                    self._names[key] = self._get_number(("name", f"a{len(self._names)}"))

    @staticmethod
    def _keys(operation: str, arguments: Sequence[str]) -> list[tuple[str, ...]]:
        if operation in TABLE_OPERATIONS:
            return [(operation, *arguments)]
        if len(arguments) < 2:
            raise ProgramError(f"{operation} lacks an argument.")
        return [(argument,) for argument in arguments[:2] if "#" not in argument]

    def _get_number(self, part: tuple[Any, ...]) -> int:
        if part not in self._numbers:
            self._numbers[part] = len(self._parts)
            self._parts.append(part)
        return self._numbers[part]

    def know(self, operation: str, arguments: Sequence[str]) -> bool:
        return all(key in self._names for key in self._keys(operation, arguments))

    def number_steps(self, steps: Sequence[Step]) -> list[int]:
        """Return the numbers of the steps' formulas. Raises: ProgramError for a reference to a later step."""
        numbers: list[int] = []
        for operation, arguments in steps:
            if operation in TABLE_OPERATIONS:
                numbers.append(self._names[(operation, *arguments)])
                continue
            operands = []
            for argument in arguments[:2]:
                index = int(argument.replace("#", "")) if "#" in argument else None
                if index is not None and not 0 <= index < len(numbers):
                    raise ProgramError(f"{argument} is not an earlier step.")
                operands.append(self._names[(argument,)] if index is None else numbers[index])
            numbers.append(self._get_number((operation, *operands)))
        return numbers

    def get_expression(self, number: int) -> Any:
        """Return the formula as a sympy expression. Raises: TypeError for arithmetic with a comparison."""
        import sympy

        if number not in self._expressions:
            operation, *operands = self._parts[number]
            if operation == "name":
                expression = sympy.Symbol(operands[0])
            else:
                first, second = (self.get_expression(operand) for operand in operands)
                compute = sympy.Gt if operation == "greater" else ARITHMETIC.get(operation)
                if compute is None:
                    raise ProgramError(f"{operation!r} is not an operation.")
                expression = compute(first, second)
            self._expressions[number] = expression
        return self._expressions[number]


def are_equal_programs(target: str, program: str) -> bool:
    """Whether two programs are the same formula of the same arguments, as `add(1, 2)` and `add(2, 1)` are.

    Needs sympy. Raises: ProgramError if `target` is invalid; an invalid `program` is not equal.
    """
    target_steps = split_steps(tokenize_program(target))
    formulas = _Formulas(target_steps)
    try:
        steps = parse_program(tokenize_program(program))
        if not all(formulas.know(operation, arguments) for operation, arguments in steps):
            return False
        got = formulas.number_steps(steps)
    except ValueError:
        return False
    if not target_steps:
        raise ProgramError(f"The correct program {target!r} has no step.")
    want = formulas.number_steps(target_steps)
    if not got or len(got) > MAX_STEPS:
        return False
    return got[-1] == want[-1] or _are_equal_formulas(formulas, want[-1], got[-1])


def _are_equal_formulas(formulas: _Formulas, want: int, got: int) -> bool:
    try:
        import sympy
    except ModuleNotFoundError as error:
        from helm.common.optional_dependencies import handle_module_not_found_error

        handle_module_not_found_error(error, suggestions=["metrics"])
    try:
        return bool(sympy.simplify(formulas.get_expression(want)) == sympy.simplify(formulas.get_expression(got)))
    except TypeError:  # a comparison cannot be added
        return False


# ---- The same, as functions of HELM, for which END ends the tokens of a program and INVALID is no result

END, INVALID = "EOF", "n/a"


def program_tokenization(original_program: str) -> list[str]:
    """Return the tokens of a program, and `EOF`."""
    return [*tokenize_program(original_program), END]


def str_to_num(text: str) -> Value:
    """Return `parse_number`, or `n/a` if the text is no number."""
    try:
        return parse_number(text)
    except ProgramError:
        return INVALID


def process_row(row_in: list[str]) -> list[float] | str:
    """Return the numbers in the cells of a row, or `n/a` if one is no number."""
    try:
        return _parse_cells(row_in)
    except ProgramError:
        return INVALID


def eval_program(program: list[str], table: Table) -> tuple[int, Value]:
    """Return 0 and the result of a program's tokens, or 1 and `n/a` if it cannot be run."""
    try:
        return 0, run_program(_join_tokens(program), table)
    except ProgramError:
        return 1, INVALID


def equal_program(program1: list[str], program2: list[str]) -> bool:
    """Whether the tokens of two programs are the same formula; the first is the correct one. Raises: ProgramError."""
    return are_equal_programs(_join_tokens(program1), _join_tokens(program2))


def _join_tokens(tokens: list[str]) -> str:
    return ", ".join(token for token in tokens if token != END).replace("(, ", "(").replace(", )", ")")


def parse_result(text: str) -> Value | None:
    """Parse the reference result: `yes`, `no` or a number; None for anything else."""
    if text in ("yes", "no"):
        return text
    try:
        return float(text)
    except ValueError:
        return None
