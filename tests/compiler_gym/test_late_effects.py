"""`action_had_no_effect` of steps in this process, which is found out when somebody reads it."""

import json
import pickle
import random

import pytest

import helm.compiler_gym
from helm.compiler_gym import proto
from helm.compiler_gym.backends.llvm_module import parse_bitcode
from helm.compiler_gym.backends.llvm_passes import get_action_flags, get_target_machine, run_pass
from helm.compiler_gym.backends.llvm_program import load_program
from helm.compiler_gym.envs.step_info import LateInfo
from helm.compiler_gym.programs import load_benchmark
from helm.compiler_gym.runtime.service import CompilerService
from helm.compiler_gym.runtime.session import CompilationSession
from turns_support import by_turns

_SMALL = b"define i32 @f(i32 %x) {\n  %y = add i32 %x, 0\n  ret i32 %y\n}\n"


def _make(program: str = "crc32"):
    env = helm.compiler_gym.make(
        "llvm-v0",
        connection="in_process",
        benchmark=f"benchmark://helm-v0/{program}",
        reward_space="IrInstructionCountOz",
    )
    env.reset()
    return env


def _compare_bitcode(program: str, flags: list[str]) -> list[bool]:
    """Whether each pass leaves the bitcode as it was, without any of our sessions."""
    module = parse_bitcode(load_program(load_benchmark(f"benchmark://helm-v0/{program}")).bitcode)
    module.name = "-"
    machine = get_target_machine(codegen_level=2)
    before, same = module.as_bitcode(), []
    for flag in flags:
        run_pass(module, flag, machine)
        after = module.as_bitcode()
        same.append(after == before)
        before = after
    return same


@pytest.mark.parametrize(
    ("program", "read"),
    by_turns(["crc32", "fft", "quicksort", "json"], ["at the end", "at once", "in the middle"]),
)
def test_the_flag_is_what_a_comparison_of_bitcode_says(program, read):
    rng = random.Random(f"{program} {read}")
    flags = rng.sample(get_action_flags(), len(get_action_flags())) + rng.choices(get_action_flags(), k=20)
    with _make(program) as env:
        infos = []
        for number, flag in enumerate(flags):
            infos.append(env.step(flag)[4])
            if read == "at once" or (read == "in the middle" and number == 30):
                infos[-1]["action_had_no_effect"]
        told = [info["action_had_no_effect"] for info in infos]
        count = env.observation["IrInstructionCount"]
    assert told == _compare_bitcode(program, flags)
    assert True in told and False in told

    with _make(program) as env:  # read or not, the program becomes the same
        for flag in flags:
            env.step(flag)
        assert env.observation["IrInstructionCount"] == count


def test_steps_are_looked_at_once_somebody_has_read_a_flag():
    with _make() as env:
        assert type(env.step("-sroa")[4]) is LateInfo
        assert env.step("-sroa")[4]["action_had_no_effect"] is True
        info = env.step("-sroa")[4]
        assert type(info) is dict and info == {"action_had_no_effect": True, "new_action_space": False}
        env.reset()
        assert type(env.step("-sroa")[4]) is dict


def test_a_small_program_is_looked_at_at_once():
    benchmark = helm.compiler_gym.benchmarks.benchmark.Benchmark.from_file_contents("benchmark://test-v0/small", _SMALL)
    with helm.compiler_gym.make("llvm-v0", connection="in_process", benchmark=benchmark) as env:
        env.reset()
        assert env.step("-loop-rotate")[4] == {"action_had_no_effect": True, "new_action_space": False}
        assert type(env.step("-instcombine")[4]) is dict


def test_the_flag_of_several_actions_says_that_none_had_an_effect():
    with _make() as env:
        infos = [env.multistep(actions)[4] for actions in (["-sroa", "-lowerinvoke"], ["-sroa", "-lowerinvoke"], [])]
        assert [info["action_had_no_effect"] for info in infos] == [False, True, True]


def test_a_flag_can_be_read_after_the_episode_and_on_a_fork():
    with _make() as env:
        first = env.step("-sroa")[4]
        env.send_param("llvm.apply_baseline_optimizations", "-O1")
        second = env.step("-sroa")[4]
        with env.fork() as fork:
            third, fourth = fork.step("-reg2mem")[4], fork.step("-lowerinvoke")[4]
        env.reset()
    infos = (first, second, third, fourth)
    assert [info["action_had_no_effect"] for info in infos] == [False, True, False, True]


def test_a_service_tells_the_flag_in_its_reply():
    with _make() as env:
        event = proto.Event(string_value="-lowerinvoke")
        request = proto.StepRequest(session_id=env._session.id, action=[event, event])
        assert env._session.call("Step", request).action_had_no_effect is True


class _Told(CompilationSession):
    """Action 0 has no effect and 1 has one; 2 and 3 are alike, told late where that is allowed."""

    action_spaces = [proto.ActionSpace(name="all")]

    def apply_action(self, action):
        no_effect = action.int64_value % 2 == 0
        is_late = action.int64_value > 1 and self.may_tell_effects_late
        return False, None, (lambda: no_effect) if is_late else no_effect


@pytest.mark.parametrize("actions", [[], [0], [1], [2], [3], [0, 2], [0, 3], [1, 2], [2, 1], [2, 2, 2], [2, 3, 2]])
def test_a_service_puts_the_effects_of_several_actions_together(actions):
    service = CompilerService(_Told)
    program = proto.Benchmark(uri="benchmark://x-v0/1", program=proto.File(contents=b"x"))
    session_id = service.handle("StartSession", proto.StartSessionRequest(benchmark=program)).session_id
    events = [proto.Event(int64_value=action) for action in actions]
    expected = all(action % 2 == 0 for action in actions)
    late = service.step(session_id, events, [], may_tell_effects_late=True).action_had_no_effect
    assert (late() if callable(late) else late) is expected
    assert service.step(session_id, events, []).action_had_no_effect is expected
    reply = service.handle("Step", proto.StepRequest(session_id=session_id, action=events))
    assert reply.action_had_no_effect is expected
    service.close()


# The dict ------------------------------------------------------------------------------------------------------------


def _make_info():
    asked = []

    def find_out() -> bool:
        asked.append(True)
        return True

    return LateInfo({"new_action_space": False}, find_out), asked


_WHOLE = {"action_had_no_effect": True, "new_action_space": False}


@pytest.mark.parametrize(
    "read",
    [
        dict,
        lambda info: {**info},
        lambda info: (lambda **given: given)(**info),
        lambda info: dict(info.items()),
        lambda info: dict(zip(info, info.values(), strict=True)),
        lambda info: {key: info[key] for key in info},
        lambda info: {key: info.get(key) for key in info.keys()},
        lambda info: json.loads(json.dumps(info)),
        lambda info: pickle.loads(pickle.dumps(info)),
        lambda info: info.copy(),
        lambda info: info | {},
        lambda info: {} | info,
        lambda info: eval(repr(info)),
        lambda info: [plain := {}, plain.update(info)][0],
    ],
)
def test_whoever_reads_the_values_gets_those_of_an_ordinary_dict(read):
    info, asked = _make_info()
    assert read(info) == _WHOLE
    assert asked == [True]
    assert info == _WHOLE and _WHOLE == info and not info != _WHOLE
    assert asked == [True], "it is found out once"


def test_looking_at_the_rest_finds_nothing_out():
    info, asked = _make_info()
    assert isinstance(info, dict) and list(info) == list(info.keys()) == list(_WHOLE) and len(info) == 2
    assert "action_had_no_effect" in info and info["new_action_space"] is False and info.get("other", 3) == 3
    info["episode"] = 1
    info["action_had_no_effect"] = False
    assert info == {"action_had_no_effect": False, "new_action_space": False, "episode": 1}
    assert asked == []
