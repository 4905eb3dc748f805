import io
import json
from typing import Any

import pytest

from helm.compiler_gym.checks.validation import ValidationError, ValidationResult
from helm.compiler_gym.envs.env_state import (
    CompilerEnvState,
    CompilerEnvStateReader,
    CompilerEnvStateWriter,
    StateValidationError,
)
from vectors_support import vector_cases

_STATES = "compiler-gym/env_state.json"
_VALIDATION = "compiler-gym/validation.json"
_ERRORS = {"ValueError": ValueError, "ValidationError": StateValidationError, "TypeError": TypeError}


def _read(text: str) -> list[CompilerEnvState]:
    return list(CompilerEnvStateReader(io.StringIO(text, newline="")))


def _fields(state: CompilerEnvState) -> dict[str, Any]:
    reward = "nan" if state.reward != state.reward else state.reward
    reward = {float("inf"): "inf", float("-inf"): "-inf"}.get(reward, reward)
    return {
        "benchmark": state.benchmark,
        "reward": reward,
        "walltime": state.walltime,
        "commandline": state.commandline,
    }


def test_vector_states_are_written_as_csv_and_json():
    for case in vector_cases(_STATES):
        if case["kind"] in ("csv_write", "csv_write_noheader"):
            state, file = CompilerEnvState(**case["state"]), io.StringIO()
            CompilerEnvStateWriter(file, header=case["kind"] == "csv_write").write_state(state)
            assert file.getvalue() == case["text"], case["id"]
            if "json" in case:
                assert state.json() == case["json"], case["id"]


def test_vector_states_are_read_from_csv():
    for case in vector_cases(_STATES):
        if case["kind"] != "csv_read":
            continue
        if "error" in case:
            with pytest.raises(_ERRORS[case["error"]]):
                _read(case["text"])
        else:
            assert [_fields(state) for state in _read(case["text"])] == case["states"], case["id"]


def test_vector_states_are_compared():
    for case in vector_cases(_STATES):
        if case["kind"] == "state_equal":
            assert (CompilerEnvState(**case["a"]) == CompilerEnvState(**case["b"])) is case["output"], case["id"]


def test_vector_validation_results_are_summarized():
    for case in vector_cases(_VALIDATION):
        if case["kind"] != "validation":
            continue
        state = CompilerEnvState(case["benchmark"], "opt", 1.0, case["reward"])
        errors = [ValidationError(kind) for kind in case["error_types"]]
        result = ValidationResult(state, 1.0, errors=errors, **case["flags"])
        found = {"error_details": result.error_details, "okay": result.okay(), "str": str(result)}
        assert found == {key: case[key] for key in found}, case["id"]


def test_vector_validation_results_as_json_and_joined():
    for case in vector_cases(_VALIDATION):
        if case["kind"] == "validation_json":
            assert ValidationResult.from_dict(json.loads(case["json"])).json() == case["json"], case["id"]
        if case["kind"] == "validation_join":
            parts = [ValidationResult.from_dict(json.loads(case[name])) for name in ("a", "b")]
            assert ValidationResult.join(parts).json() == case["joined"], case["id"]


def test_results_of_other_states_are_not_joined():
    results = [ValidationResult(CompilerEnvState("b", text, 0), 0) for text in ("x", "y")]
    with pytest.raises(ValueError, match="Only results of one state"):
        ValidationResult.join(results)
    with pytest.raises(ValueError, match="no validation results"):
        ValidationResult.join([])


def test_results_are_equal_whatever_time_and_order():
    state = CompilerEnvState("b", "c", 0)
    errors = [ValidationError("A", {"k": 1}), ValidationError("B")]
    assert ValidationResult(state, 1, errors=errors) == ValidationResult(state, 2, errors=errors[::-1])
    assert ValidationResult(state, 1, errors=errors) != ValidationResult(state, 1, errors=errors[:1])


def test_paths_are_read_one_after_the_other(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text("x,1,2,opt\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("y,,,opt\n"))
    states = CompilerEnvStateReader.read_paths([tmp_path / "a.csv", "-"])
    assert [(state.benchmark, state.has_reward) for state in states] == [("x", True), ("y", False)]


def test_columns_in_another_order_and_cells_too_many():
    (state,) = _read("Reward,benchmark,commandline,walltime\n0.5,b,opt,2,more\n")
    assert _fields(state) == {"benchmark": "b", "reward": 0.5, "walltime": 2.0, "commandline": "opt"}
    with pytest.raises(ValueError, match="Line 2 has 3 cells"):
        _read("x,1,2,opt\na,b,c\n")
