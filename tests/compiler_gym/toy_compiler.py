"""A compiler of one text and three counters, small enough that every reply can be predicted."""

import os
import time
from typing import Any

from helm.compiler_gym import proto
from helm.compiler_gym.errors import StatusError
from helm.compiler_gym.runtime.session import ActionResult, CompilationSession

TOY_BACKEND = "toy_compiler.ToySession"


def _named(name: str, *actions: str) -> Any:
    return proto.ActionSpace(name=name, space=proto.Space(named_discrete=proto.NamedDiscreteSpace(name=actions)))


class ToySession(CompilationSession):
    """Actions 0 to 2 count; the others end, change or break something, each in its own way."""

    compiler_version = "toy 1.0"

    action_spaces = [
        _named("default", "a", "b", "c"),
        proto.ActionSpace(name="other", space=proto.Space(int64_value=proto.Int64Range(min=0, max=9))),
    ]

    observation_spaces = [
        proto.ObservationSpace(
            name="source",
            space=proto.Space(string_value=proto.StringSpace(length_range=proto.Int64Range(min=0))),
            deterministic=True,
            default_observation=proto.Event(string_value="none"),
        ),
        proto.ObservationSpace(
            name="features",
            space=proto.Space(
                int64_box=proto.Int64Box(
                    low=proto.Int64Tensor(shape=[3], value=[0] * 3), high=proto.Int64Tensor(shape=[3], value=[100] * 3)
                )
            ),
            deterministic=True,
            default_observation=proto.Event(int64_tensor=proto.Int64Tensor(shape=[3], value=[0] * 3)),
        ),
        proto.ObservationSpace(
            name="cost",
            space=proto.Space(int64_value=proto.Int64Range(min=0)),
            deterministic=True,
            default_observation=proto.Event(int64_value=0),
        ),
        proto.ObservationSpace(
            name="blob", space=proto.Space(byte_sequence=proto.ByteSequenceSpace(length_range=proto.Int64Range(min=0)))
        ),
    ]

    def __init__(self, working_directory: Any, action_space: Any, benchmark: Any):
        super().__init__(working_directory, action_space, benchmark)
        if benchmark.uri.endswith("/bad"):
            raise ValueError("bad benchmark")
        self.program: bytes = benchmark.program.contents
        self.counters = [0, 0, 0]

    def apply_action(self, action: Any) -> ActionResult:
        if action.WhichOneof("value") != "int64_value":
            raise ValueError("Invalid action, int64_value expected.")
        number = action.int64_value
        if not 0 <= number <= 9:
            raise ValueError("Out-of-range")
        if number == 8:
            os._exit(7)
        failures = {7: LookupError("lookup"), 6: OSError("os"), 5: TypeError("type"), 4: TimeoutError("time")}
        if number in failures:
            raise failures[number]
        if number == 3:
            return True, None, False
        if number == 9:
            return False, _named("fresh", "z"), True
        self.counters[number] += 1
        return False, None, number == 2

    def get_observation(self, observation_space: Any) -> Any:
        if observation_space.name == "source":
            return proto.Event(string_value=self.program.decode())
        if observation_space.name == "features":
            return proto.Event(int64_tensor=proto.Int64Tensor(shape=[3], value=self.counters))
        if observation_space.name == "cost":
            return proto.Event(int64_value=max(0, 100 - 10 * self.counters[0] - self.counters[1]))
        return proto.Event(byte_tensor=proto.ByteTensor(shape=[len(self.program)], value=self.program))

    def fork(self) -> "ToySession":
        copy = type(self)(self.working_dir, self.action_space, self.benchmark)
        copy.counters = list(self.counters)
        return copy

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        if key == "toy.echo":
            return value
        if key == "toy.fail":
            raise ValueError("toy.fail: " + value)
        if key == "toy.break":
            self.is_broken = True
            return value
        if key == "toy.sleep":
            time.sleep(float(value))
            return value
        return None


class ToySessionThatHangs(ToySession):
    """Action 7 does not end."""

    def apply_action(self, action: Any) -> ActionResult:
        if action.int64_value == 7:
            time.sleep(60)
        return super().apply_action(action)


class ToySessionWithoutFork(ToySession):
    """Cannot fork, and can be told that its program is broken."""

    is_broken = False

    def end_of_step(self) -> None:
        if self.is_broken:
            raise StatusError("DATA_LOSS", "Failed to verify module: broken")

    def fork(self) -> "ToySession":
        raise NotImplementedError("no fork here")


class ToySessionWithFlags(ToySession):
    """The toy with flags as actions, and a running time that falls with its cost."""

    action_spaces = [
        proto.ActionSpace(
            name="flags",
            space=proto.Space(any_value=proto.pack_any(proto.CommandlineSpace(name=["-a", "-b", "-c"]))),
        )
    ]
    observation_spaces = [
        *ToySession.observation_spaces,
        proto.ObservationSpace(name="Runtime", space=proto.Space(double_sequence=proto.DoubleSequenceSpace())),
        proto.ObservationSpace(name="IsRunnable", space=proto.Space(boolean_value=proto.BooleanRange())),
    ]

    def get_observation(self, observation_space: Any) -> Any:
        if observation_space.name == "Runtime":
            times = [1.0 - 0.1 * self.counters[0]] * 3
            return proto.Event(double_tensor=proto.DoubleTensor(shape=[3], value=times))
        if observation_space.name == "IsRunnable":
            return proto.Event(boolean_value=self.program != b"library")
        return super().get_observation(observation_space)

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        return value if key.startswith("llvm.") else super().handle_session_parameter(key, value)
