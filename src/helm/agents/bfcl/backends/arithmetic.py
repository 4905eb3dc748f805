"""The simulated calculator."""

import decimal
import math
from collections.abc import Sequence
from typing import Any

from helm.agents.bfcl.backends.backend import Backend, read_tables
from helm.common.optional_dependencies import needs_extra

_TWO = {"error": "Both inputs must be numbers"}
_MOST_DIGITS = 1000
"""Largest precision and exponent, so that no call takes long."""


def _deviation(numbers: Sequence[float]) -> float:
    """Return the standard deviation with the rounding errors of the original, which are compared."""
    mean = sum(numbers) / len(numbers)
    return math.sqrt(sum((number - mean) ** 2 for number in numbers) / len(numbers))


def _is_number(*values: Any) -> bool:
    return all(isinstance(value, (int, float)) for value in values)


def _of_list(numbers: Sequence[Any], what: str) -> dict[str, str] | None:
    if not numbers:
        return {"error": f"Cannot {what} of an empty list"}
    return None if _is_number(*numbers) else {"error": "All elements in the list must be numbers"}


def _check_size(*values: float) -> None:
    if any(abs(value) > _MOST_DIGITS for value in values):
        raise OverflowError(f"a precision or exponent above {_MOST_DIGITS}")


class MathAPI(Backend):
    """A calculator without state."""

    def logarithm(self, value: float, base: float, precision: int) -> dict[str, Any]:
        with needs_extra("metrics"):
            import mpmath
        _check_size(precision)
        if not _is_number(value, base):
            return dict(_TWO)
        context = mpmath.MPContext()  # its own, because the global one is shared by all threads
        context.dps = precision
        return {"result": context.log(value) / context.log(base)}

    def mean(self, numbers: Sequence[float]) -> dict[str, Any]:
        return _of_list(numbers, "calculate mean") or {"result": sum(numbers) / len(numbers)}

    def standard_deviation(self, numbers: Sequence[float]) -> dict[str, Any]:
        return _of_list(numbers, "calculate standard deviation") or {"result": _deviation(numbers)}

    def si_unit_conversion(self, value: float, unit_in: str, unit_out: str) -> dict[str, Any]:
        factors = read_tables()["tables"]["to_meters"]
        if not _is_number(value):
            return {"error": "Value must be a number"}
        if unit_in not in factors or unit_out not in factors:
            return {"error": f"Conversion from '{unit_in}' to '{unit_out}' is not supported"}
        return {"result": value * factors[unit_in] * (1 / factors[unit_out])}

    def imperial_si_conversion(self, value: float, unit_in: str, unit_out: str) -> dict[str, Any]:
        factors = read_tables()["tables"]["conversion"]
        key = f"{unit_in}_to_{unit_out}"
        if not _is_number(value):
            return {"error": "Value must be a number"}
        if unit_in == unit_out:
            return {"result": value}
        if key == "celsius_to_fahrenheit":
            return {"result": value * factors[key] + 32}
        if key == "fahrenheit_to_celsius":
            return {"result": (value - 32) * factors[key]}
        if key not in factors:
            return {"error": f"Conversion from '{unit_in}' to '{unit_out}' is not supported"}
        return {"result": value * factors[key]}

    def add(self, a: float, b: float) -> dict[str, Any]:
        return {"result": a + b} if _is_number(a, b) else dict(_TWO)

    def subtract(self, a: float, b: float) -> dict[str, Any]:
        return {"result": a - b} if _is_number(a, b) else dict(_TWO)

    def multiply(self, a: float, b: float) -> dict[str, Any]:
        return {"result": a * b} if _is_number(a, b) else dict(_TWO)

    def divide(self, a: float, b: float) -> dict[str, Any]:
        if not _is_number(a, b):
            return dict(_TWO)
        return {"error": "Cannot divide by zero"} if b == 0 else {"result": a / b}

    def power(self, base: float, exponent: float) -> dict[str, Any]:
        if not _is_number(base, exponent):
            return dict(_TWO)
        _check_size(exponent)
        return {"result": base**exponent}

    def square_root(self, number: float, precision: int) -> dict[str, Any]:
        if not _is_number(number):
            return {"error": "Input must be a number"}
        if number < 0:
            return {"error": "Cannot calculate square root of a negative number"}
        _check_size(precision)
        with decimal.localcontext() as context:
            context.prec = precision
            return {"result": decimal.Decimal(number).sqrt()}

    def absolute_value(self, number: float) -> dict[str, Any]:
        return {"result": abs(number)} if _is_number(number) else {"error": "Input must be a number"}

    def round_number(self, number: float, decimal_places: int = 0) -> dict[str, Any]:
        return {"result": round(number, decimal_places)} if _is_number(number) else {"error": "Input must be a number"}

    def percentage(self, part: float, whole: float) -> dict[str, Any]:
        if not _is_number(part, whole):
            return dict(_TWO)
        return {"error": "Whole value cannot be zero"} if whole == 0 else {"result": (part / whole) * 100}

    def min_value(self, numbers: Sequence[float]) -> dict[str, Any]:
        return _of_list(numbers, "find minimum") or {"result": min(numbers)}

    def max_value(self, numbers: Sequence[float]) -> dict[str, Any]:
        return _of_list(numbers, "find maximum") or {"result": max(numbers)}

    def sum_values(self, numbers: Sequence[float]) -> dict[str, Any]:
        return _of_list(numbers, "calculate sum") or {"result": sum(numbers)}
