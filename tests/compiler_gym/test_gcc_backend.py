import hashlib
import json
import shutil
import stat
import subprocess

import pytest

from helm.common.errors import ConfigError
from helm.compiler_gym import proto
from helm.compiler_gym.backends import get_session_class
from helm.compiler_gym.backends.gcc import GccSession, count_instructions, get_gcc
from helm.compiler_gym.envs.environment import CompilerEnvironment
from helm.compiler_gym.errors import ServiceError, ServiceInitError, ServiceTimeoutError
from helm.compiler_gym.rewards import FirstUpdateReward, create_reward
from helm.compiler_gym.runtime.service_client import InProcessConnection

_SOURCE = b"""static int square(int x) { return x * x; }
int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += square(i); return s; }
"""

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a gcc on the machine")


@pytest.fixture(scope="module")
def gcc():
    with InProcessConnection("gcc") as connection:
        yield connection


def _make_env(connection, source=_SOURCE, reward="obj_size"):
    benchmark = proto.Benchmark(uri="benchmark://test-v0/f", program=proto.File(contents=source))
    env = CompilerEnvironment(connection, benchmark, create_reward(reward, connection.observation_spaces))
    env.reset()
    return env


def test_the_options_of_the_gcc_on_this_machine_are_found(gcc):
    program = get_gcc(GccSession.get_command())
    assert program.version == subprocess.run(["gcc", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    names = [str(option) for option in program.options]
    assert names[0] == "-O" and len(names) > 300
    assert gcc.action_spaces[0].name == "default"
    assert list(gcc.action_spaces[0].space.named_discrete.name) == [action.name for action in program.actions]


def test_observations_describe_what_gcc_makes_of_the_source(gcc, tmp_path):
    env = _make_env(gcc)
    env.step("-O2")
    env.step("-fno-inline-functions-called-once")
    names = [space.name for space in gcc.observation_spaces]
    found = env.observe(names)
    (tmp_path / "src.c").write_bytes(_SOURCE + b"\n")
    words = found["command_line"].split()
    assert words == [GccSession.get_command(), *"-O2 -fno-inline-functions-called-once -w -c src.c -o obj.o".split()]
    subprocess.run(words, cwd=tmp_path, check=True)
    expected = (tmp_path / "obj.o").read_bytes()
    assert found["obj"].tobytes() == expected and found["obj_size"] == len(expected)
    assert found["obj_hash"] == hashlib.md5(expected).hexdigest()
    assert found["source"] == _SOURCE.decode()
    assert found["asm_size"] == len(found["asm"].encode())
    assert found["asm_hash"] == hashlib.md5(found["asm"].encode()).hexdigest()
    assert json.loads(found["instruction_counts"])["ret"] >= 1
    assert "insn" in found["rtl"]
    assert sorted(set(found["choices"].tolist())) == [-1, 1, 2]  # two options were chosen


def test_the_first_reward_is_zero_and_the_next_one_tells_the_change(gcc):
    env = _make_env(gcc)
    assert isinstance(create_reward("asm_size", gcc.observation_spaces), FirstUpdateReward)
    rewards = [env.step("-O0")]
    before = env["obj_size"]
    rewards.append(env.step("-O3"))
    assert rewards == [0, before - env["obj_size"]]


def test_a_fork_and_its_parent_have_files_of_their_own(gcc):
    env = _make_env(gcc)
    env.step("-O3")
    fork = env._episode.copy()
    before = env["obj_hash"]
    index = env.action_names.index("-O0")
    hashes = fork.apply([index], [index], [env.get_spec("obj_hash")]).observe()
    env._observed.clear()
    assert env["obj_hash"] == before != hashes[0]


def test_choices_are_set_and_checked(gcc):
    env = _make_env(gcc)
    num_options = len(get_gcc(GccSession.get_command()).options)
    env._episode.send_parameters([("choices", ",".join(["2"] + ["-1"] * (num_options - 1)))])
    assert "-O2 -w" in env["command_line"]
    for value, complaint in (
        ("1,2", f"takes {num_options} numbers"),
        ("a", "whole numbers"),
        (",".join(["99"] * num_options), "Choice 99 of option -O is not in range"),
    ):
        with pytest.raises(ValueError, match=complaint):
            env._episode.send_parameters([("choices", value)])
    for value in ("x", "0", "nan", "-1"):
        with pytest.raises(ValueError, match="Parameter timeout takes seconds"):
            env._episode.send_parameters([("timeout", value)])


def test_actions_are_checked(gcc):
    env = _make_env(gcc)
    with pytest.raises(ValueError, match="int64_value expected"):
        env._episode.apply(["-O2"], ["-O2"])
    with pytest.raises(ValueError, match="is not in range"):
        env._episode.apply([10**6], [10**6])


def test_a_source_that_gcc_refuses_is_an_error_and_no_size(gcc):
    env = _make_env(gcc, b"int f( {")
    with pytest.raises(ServiceError, match="failed with status 1: src.c:1"):
        env["obj_size"]
    assert "src.c" in env["command_line"]  # the session goes on


def _write_script(path, text):
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_any_gcc_by_path_and_one_that_hangs(tmp_path):
    script = 'case "$1" in --*) exec gcc "$@";; *) sleep 60; exit 0;; esac\n'
    slow = _write_script(tmp_path / "slow-gcc", script)
    with InProcessConnection(f"gcc:{slow}") as connection:
        env = _make_env(connection)
        assert env["command_line"].startswith(f"{slow} ")
        env._episode.send_parameters([("timeout", "0.2")])
        with pytest.raises(ServiceTimeoutError, match="did not end within 0.2 seconds"):
            env["obj_size"]


@pytest.mark.parametrize("text", ["echo clang version 16", "exit 3", None], ids=["another", "broken", "missing"])
def test_what_is_no_gcc_is_refused(tmp_path, text):
    path = tmp_path / "cc"
    if text:
        _write_script(path, text + "\n")
    with pytest.raises(ServiceInitError, match=str(path)):
        get_session_class(f"gcc:{path}").describe()


def test_a_backend_without_a_command_is_unknown():
    with pytest.raises(ConfigError, match="Unknown compiler backend 'gcc:'"):
        get_session_class("gcc:")


def test_session_folders_go_with_their_sessions(tmp_path):
    session = GccSession(
        working_directory=tmp_path,
        action_space=None,
        benchmark=proto.Benchmark(uri="a", program=proto.File(contents=_SOURCE)),
    )
    fork = session.fork()
    assert len(list(tmp_path.iterdir())) == 2
    fork.close()
    session.close()
    assert not list(tmp_path.iterdir())


def test_instructions_are_words_after_a_tab():
    assert count_instructions("f:\n\t.cfi_startproc\n\tmovl\t%eax, %ebx\n\tmovl $1, %eax\n  ret\n\t_x\n") == {
        ".cfi": 1,
        "movl": 2,
    }
