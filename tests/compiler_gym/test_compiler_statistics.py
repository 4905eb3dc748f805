import math
from typing import Any

import pytest

from helm.compiler_gym.envs.statistics import ProgressLogEntry, arithmetic_mean, geometric_mean, stdev, truncate
from vectors_support import vector_cases

_MISC = "compiler-gym/misc.json"


def _number(value: Any) -> float:
    return float(value)


def test_vector_means():
    for case in vector_cases(_MISC):
        if case["kind"] == "statistics":
            values = [_number(value) for value in case["values"]]
            for function in (geometric_mean, arithmetic_mean, stdev):
                want = _number(case[function.__name__])
                assert function(values) == pytest.approx(want, rel=1e-12, nan_ok=True), case["id"]


def test_vector_progress_lines():
    for case in vector_cases(_MISC):
        if case["kind"] == "progress_csv":
            assert ProgressLogEntry(*case["entry"]).to_csv() == case["text"], case["id"]
            assert ProgressLogEntry.from_csv(case["text"]) == ProgressLogEntry(*case["parsed"]), case["id"]


def test_vector_truncated_texts():
    for case in vector_cases(_MISC):
        if case["kind"] == "truncate":
            assert truncate(case["text"], **case["args"]) == case["output"], case["id"]


def test_a_mean_of_infinite_values():
    assert math.isinf(geometric_mean([1.0, math.inf]))
