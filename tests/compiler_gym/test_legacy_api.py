"""Gym's old API, Gymnasium's registration, and what else programs for CompilerGym take for granted."""

import json
import subprocess
import sys

import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("llvmlite")

import helm.compiler_gym as new  # noqa: E402
import helm.compiler_gym.legacy as compiler_gym  # noqa: E402

_CRC = "benchmark://helm-v0/crc32"


@pytest.fixture
def env():
    with compiler_gym.make(
        "llvm-ic-v0", benchmark=_CRC, observation_space="IrInstructionCount", connection="in_process"
    ) as made:
        yield made


def test_a_step_has_four_values_and_a_reset_one(env):
    first = env.reset()
    assert isinstance(first, int) and env.reset(_CRC) == first
    observation, reward, done, info = env.step(env.action_space["-sroa"])
    assert observation < first and reward > 0 and done is False and info["action_had_no_effect"] is False
    values, rewards, done, info = env.multistep([0], ["Autophase"], ["IrInstructionCountO3"])
    assert len(values) == len(rewards) == 1 and len(values[0]) == 56
    values, rewards, done, info = env.raw_step([], [env.observation.spaces["InstCount"]], [])
    assert len(values[0]) == 70 and rewards == [] and not done
    with env.fork() as fork:
        assert len(fork.step(0)) == 4 and fork.old_api
    with pytest.warns(DeprecationWarning, match="observation_spaces"):
        assert env.step(0, observations=["IrInstructionCount"])[0] == [env.observation["IrInstructionCount"]]
    state = env.state
    env.reset()
    env.apply(state)
    assert env.state == state


def test_all_environments_of_the_package_are_old_and_related(env):
    from helm.compiler_gym.legacy.envs import CompilerEnv, LlvmEnv
    from helm.compiler_gym.legacy.envs.llvm import LlvmEnv as OtherPath
    from helm.compiler_gym.legacy.service import ClientServiceCompilerEnv
    from helm.compiler_gym.legacy.spaces import Scalar

    from helm.compiler_gym.envs.llvm_env import LlvmEnv as NewLlvmEnv

    assert LlvmEnv is OtherPath is compiler_gym.envs.LlvmEnv and ClientServiceCompilerEnv is CompilerEnv
    assert isinstance(env, LlvmEnv) and isinstance(env, CompilerEnv) and isinstance(env, NewLlvmEnv)
    assert Scalar is new.spaces.Scalar and not NewLlvmEnv.old_api
    with pytest.raises(ImportError):
        from helm.compiler_gym.legacy import nothing  # noqa: F401


def test_wrappers_follow_the_environment(env):
    from helm.compiler_gym.legacy.wrappers import ObservationWrapper, RewardWrapper, TimeLimit

    class Halved(RewardWrapper):
        def convert_reward(self, reward):
            return reward / 2

    class Text(ObservationWrapper):
        def convert_observation(self, observation):
            return f"{observation} instructions"

    class Counting(Halved):  # a wrapper that programs wrote for four values
        num_done = 0

        def multistep(self, actions, *args, **kwargs):
            observation, reward, done, info = super().multistep(actions, *args, **kwargs)
            self.num_done += done
            return observation, reward, done, info

    wrapped = Counting(Text(TimeLimit(env, 2)))
    assert wrapped.reset().endswith(" instructions")
    observation, reward, done, info = wrapped.step(env.action_space["-sroa"])
    assert observation.endswith(" instructions") and reward == pytest.approx(env.episode_reward) and not done
    *_, done, info = wrapped.step(0)
    assert done and info["TimeLimit.truncated"] and wrapped.num_done == 1
    with pytest.raises(ValueError, match="needs max_episode_steps"):
        TimeLimit(env)


def test_the_new_api_is_as_it_was(tmp_path):
    with new.make("llvm-ic-v0", benchmark=_CRC, connection="in_process") as env:
        observation, info = env.reset()
        assert (observation, info) == (None, {}) and len(env.step(0)) == 5
    with compiler_gym.make("llvm-ic-v0", benchmark=_CRC, connection="in_process") as env:
        found = new.random_search(lambda: env, tmp_path / "new", total_runtime=0, patience=2, nproc=1)
    assert found.outdir == tmp_path / "new"
    best = compiler_gym.random_search(
        lambda: compiler_gym.make("llvm-ic-v0", benchmark=_CRC, connection="in_process"),
        tmp_path / "old",
        total_runtime=0,
        patience=2,
        nproc=1,
    )
    with best:
        assert best.in_episode and len(best.step(0)) == 4


_EITHER_ORDER = """
import sys
import {first}
import importlib.util
assert importlib.util.find_spec("gymnasium") is not None  # to ask is not to import
import {second}
import gymnasium, importlib.resources
assert "gymnasium" not in sys.modules or importlib.resources.files("gymnasium").is_dir()
env = gymnasium.make("llvm-ic-v0", benchmark="{uri}", connection="in_process")
env.reset()
print(len(env.step(0)))
env.close()
from helm.compiler_gym.util.registration import register
register("mine-v0", "helm.compiler_gym.envs.llvm_env.LlvmEnv", {{"benchmark": "{uri}"}})
print("mine-v0" in gymnasium.registry)
"""


@pytest.mark.parametrize("names", [("gymnasium", "helm.compiler_gym"), ("helm.compiler_gym", "gymnasium")])
def test_gymnasium_knows_our_environments_whichever_is_imported_first(names):
    code = _EITHER_ORDER.format(first=names[0], second=names[1], uri=_CRC)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["5", "True"], done.stderr


def test_importing_the_package_does_not_import_gymnasium():
    code = "import sys, helm.compiler_gym; print('gymnasium' in sys.modules, 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False False\n"


def test_records_convert_like_models_of_pydantic():
    from helm.compiler_gym.service import ConnectionOpts

    from helm.compiler_gym import CompilerEnvState, ValidationError, ValidationResult
    from helm.compiler_gym.datasets import BenchmarkUri

    state = CompilerEnvState(benchmark="b", commandline="c", walltime=1, reward=2)
    result = ValidationResult(state=state, walltime=3, errors=[ValidationError(type="t", data={"a": 1})])
    assert result.dict()["state"] == {"benchmark": "b", "commandline": "c", "walltime": 1.0, "reward": 2.0}
    assert ValidationResult.parse_raw(result.json()) == result == ValidationResult.parse_obj(result.dict())
    assert result.copy(update={"walltime": 9}).walltime == 9 and result.walltime == 3
    assert json.loads(state.json())["reward"] == 2 and CompilerEnvState.parse_raw(state.json()) == state
    with pytest.raises(ValueError, match="JSON object"):
        CompilerEnvState.parse_raw("[1]")
    uri = BenchmarkUri.from_string("a-v0/b")
    assert uri.startswith("benchmark://a") and uri.endswith("/b") and BenchmarkUri.canonicalize("a-v0/b") == uri
    options = ConnectionOpts(retry_wait_seconds=7, init_max_seconds=4, script_args=["-x"])
    assert (options.retry_wait_s, options.process_start_timeout_s, options.script_args) == (7, 4, ("-x",))


def test_converters_of_an_environment():
    from helm.compiler_gym.legacy.service import ClientServiceCompilerEnv, ServiceMessageConverters
    from helm.compiler_gym.service.proto import Event

    from helm.compiler_gym.benchmarks.embedded_dataset import EmbeddedDataset
    from helm.compiler_gym.spaces import ActionSpace

    converters = ServiceMessageConverters(
        action_space_converter=lambda message: ActionSpace(new.spaces.NamedDiscrete(["a", "b"], message.name)),
        action_converter=lambda action: Event(int64_value={"up": 1}.get(action, 0)),
    )
    with ClientServiceCompilerEnv(
        "llvm", service_message_converters=converters, connection="in_process", benchmark=None
    ) as env:
        assert env.action_space.to_string([1, 0]) == "b a" and env.action_space.from_string("b") == [1]
        assert env.action_space.n == 2 and env.action_space["b"] == 1 and env.action_space.contains(1)
        env.reset(benchmark=EmbeddedDataset("llvm").benchmark(_CRC))
        env.step("up")
        assert env.actions == ["up"]
    assert ActionSpace(new.spaces.Scalar("s", 0, 5, int)).to_string([1, 2]) == "1,2"


def test_the_count_of_runs_and_the_processor(env):
    assert (env.runtime_observation_count, env.runtime_warmup_runs_count) == (1, 0)
    env.runtime_observation_count = 3
    env.reset()
    env.runtime_warmup_runs_count = 2
    assert env.send_param("llvm.get_runtimes_per_observation_count", "") == "3"
    assert env.send_param("llvm.get_warmup_runs_count_per_runtime_observation", "") == "2"
    with pytest.raises(ValueError, match="at least 1"):
        env.runtime_observation_count = 0
    assert env.observation["CpuInfoDict"]["cores_count"] >= 1
    assert set(env.observation.spaces["CpuInfoDict"].space.spaces) == set(env.observation["CpuInfoDict"])
    assert env.versions.service_version == env.version
