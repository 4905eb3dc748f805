import sqlite3
import zlib

import pytest
from toy_compiler import TOY_BACKEND

import helm.compiler_gym
from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.envs.compiler_env import CompilerEnv
from helm.compiler_gym.wrappers import SynchronousSqliteLogger


@pytest.mark.parametrize("reward_space", ["IrInstructionCountOz", None])
def test_states_are_logged_once(tmp_path, reward_space):
    path = tmp_path / "states.db"
    env = helm.compiler_gym.make(
        "llvm-v0", benchmark="helm-v0/crc32", connection="in_process", reward_space=reward_space
    )
    with SynchronousSqliteLogger(env, path, max_step_buffer_length=2) as wrapper:
        for _ in range(2):
            wrapper.reset()
            wrapper.step("-sroa")
        count = wrapper.observation["IrInstructionCount"]
        with wrapper.fork() as fork:
            fork.step("-instcombine")
    connection = sqlite3.connect(path)
    states = connection.execute("SELECT * FROM States ORDER BY rowid").fetchall()
    assert [(uri, done) for uri, done, *_ in states] == [("benchmark://helm-v0/crc32", 0)] * 3
    assert [len(actions.split()) for *_, actions in states] == [0, 1, 2]
    rewards = [reward for _, _, reward, _, _ in states]
    assert rewards[0] is None and 0 < rewards[1] < rewards[2]
    (row,) = connection.execute("SELECT * FROM Observations WHERE state_id = ?", (states[1][3],)).fetchall()
    assert row[1] == count and zlib.decompress(row[2]).decode().startswith("; ModuleID")
    assert len(row[4].split()) == 56 and len(row[5].split()) == 70
    connection.close()


def test_only_llvm_is_logged(tmp_path):
    program = Benchmark.from_file_contents("benchmark://x-v0/1", b"hello")
    with CompilerEnv(TOY_BACKEND, benchmark=program, connection="in_process") as env:
        with pytest.raises(KeyError, match="No observation space 'IrSha1'"):
            SynchronousSqliteLogger(env, tmp_path / "x.db")
