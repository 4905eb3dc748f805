"""Recorded sessions with the original client, with the deviations that we choose on purpose."""

import warnings
from typing import Any

import numpy as np
import pytest
from toy_compiler import TOY_BACKEND

from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.envs.compiler_env import CompilerEnv
from helm.compiler_gym.errors import SessionNotFound
from vectors_support import vector_cases

_ERRORS = {
    "ValueError": ValueError,
    "TypeError": TypeError,
    "KeyError": KeyError,
    "LookupError": LookupError,
    "FileNotFoundError": FileNotFoundError,
    "NotImplementedError": NotImplementedError,
    "SessionNotFound": SessionNotFound,
    "OSError": OSError,
}


def _describe(value: Any) -> Any:
    if value is None:
        return {"type": "None"}
    if isinstance(value, list):
        return {"type": "list", "items": [_describe(item) for item in value]}
    if isinstance(value, np.ndarray):
        values = value.flatten().tolist()
        return {"type": "ndarray", "dtype": value.dtype.name, "shape": list(value.shape), "values": values}
    return {"type": type(value).__name__, "value": value}


def _number(value: Any) -> Any:
    return {float("inf"): "inf", float("-inf"): "-inf"}.get(value, value) if isinstance(value, float) else value


def _get_benchmark(value: Any) -> Any:
    """A recorded benchmark; a str is a URI."""
    if not isinstance(value, dict):
        return value
    return Benchmark.from_file_contents(value["uri"], value["contents"].encode())


def _get_arguments(recorded: dict) -> dict:
    return {key: _get_benchmark(value) if key == "benchmark" else value for key, value in recorded.items()}


class _Player:
    """Plays a scenario and says what should have come out, by the rules for what we do otherwise than the original:

    - an action that the compiler refuses is not listed in `actions`;
    - a reset returns to the advertised action space;
    - a reset that is given a program needs no earlier one.
    """

    def __init__(self) -> None:
        self.env: Any = None
        self._refused: list[Any] = []
        self._chosen: Any = None

    def expect(self, step: dict) -> Any:
        op, *arguments = step["op"]
        if op == "get" and arguments[0] == "actions":
            return [action for action in step["value"] if action not in self._refused]
        if op == "get" and arguments[0] == "action_space.names" and not self.env.actions:
            return list(self.env.action_spaces[0].names)
        if op == "get" and arguments[0] == "benchmark" and step["value"] is None and self._chosen:
            return self._chosen
        if op == "reset" and step.get("error") == "TypeError" and "benchmark" in arguments[0]:
            self._chosen = arguments[0]["benchmark"]["uri"]
            return _describe(None)
        if "error" in step:
            if op in ("step", "multistep") and step["error"] in ("ValueError", "FileNotFoundError", "TypeError"):
                self._refused += arguments[0] if isinstance(arguments[0], list) else [arguments[0]]
            return _ERRORS[step["error"]]
        return step["value"]

    def play(self, op: str, *arguments: Any) -> Any:
        env = self.env
        if op == "make":
            self.env = CompilerEnv(TOY_BACKEND, **_get_arguments(arguments[0]))
        elif op == "reset":
            return _describe(env.reset(**_get_arguments(arguments[0]))[0])
        elif op in ("step", "multistep"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                observation, reward, terminated, truncated, info = getattr(env, op)(arguments[0], **arguments[1])
            assert truncated is False
            if "error_details" in info:
                info["error_details"] = info["error_details"][:60]
            return {
                "observation": _describe(observation),
                "reward": _describe(reward),
                "done": terminated,
                "info": info,
            }
        elif op == "get":
            return self._get(arguments[0])
        elif op == "set":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                setattr(env, arguments[0], _get_benchmark(arguments[1]))
        elif op in ("obs", "rew"):
            return _describe((env.observation if op == "obs" else env.reward)[arguments[0]])
        elif op == "param":
            return env.send_param(*arguments)
        else:
            assert op == "close", op
            env.close()
        return None

    def _get(self, name: str) -> Any:
        value = self.env
        for part in name.split("."):
            value = getattr(value, part)
        if name == "benchmark":
            return value and str(value)
        if name == "reward_range":
            return [_number(bound) for bound in value]
        return repr(value) if name == "observation_space_spec" else value


def test_vector_scenarios():
    for case in vector_cases("compiler-gym/env_scenarios.json"):
        player = _Player()
        try:
            for number, step in enumerate(case["steps"]):
                where = f"{case['id']}, step {number}: {step['op']}"
                expected = player.expect(step)
                if isinstance(expected, type):
                    with pytest.raises(expected):
                        player.play(*step["op"])
                    continue
                assert player.play(*step["op"]) == expected, where
        finally:
            if player.env is not None:
                player.env.close()
