import subprocess
import sys
import warnings

import numpy as np
import pytest
from toy_compiler import TOY_BACKEND, ToySession

import helm.compiler_gym
from helm.common.errors import ConfigError
from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.checks.validation import ValidationError
from helm.compiler_gym.envs.compiler_env import CompilerEnv
from helm.compiler_gym.envs.env_state import CompilerEnvState
from helm.compiler_gym.envs.llvm_env import make_benchmark
from helm.compiler_gym.errors import BenchmarkInitError, ServiceError, SessionNotFound
from helm.compiler_gym.registration import list_env_ids, register, register_with_gymnasium
from helm.compiler_gym.rewards import DefaultRewardFromObservation
from helm.compiler_gym.validate import validate_states

_PROGRAM = Benchmark.from_file_contents("benchmark://x-v0/1", b"hello")


class Cost(DefaultRewardFromObservation):
    def __init__(self):
        super().__init__("cost", deterministic=True)


def _make_toy(backend: str = TOY_BACKEND, **kwargs) -> CompilerEnv:
    arguments = {"benchmark": _PROGRAM, "observation_space": "features", "connection": "in_process"}
    return CompilerEnv(backend, rewards=[Cost()], reward_space="cost", **{**arguments, **kwargs})


@pytest.fixture(params=["in_process", "local"])
def env(request):
    with _make_toy(connection=request.param) as env:
        yield env


@pytest.mark.parametrize("space", ["Autophase", "InstCount", "Ir", "IrInstructionCount"])
def test_gymnasium_finds_nothing_to_complain_about(space):
    from gymnasium.utils.env_checker import check_env

    with helm.compiler_gym.make(
        "llvm-ic-v0", connection="in_process", benchmark="benchmark://helm-v0/crc32", observation_space=space
    ) as env:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", message=".*spec.*")  # made by us, not by gymnasium.make
            warnings.filterwarnings("ignore", message=".*(infinity|not an image|render).*")
            check_env(env, skip_render_check=True)


def test_steps_count_for_the_episode(env):
    observation, info = env.reset()
    assert (observation.tolist(), info) == ([0, 0, 0], {})
    observation, reward, terminated, truncated, info = env.step(np.int64(0))
    assert (observation.tolist(), reward, terminated, truncated) == ([1, 0, 0], 90.0, False, False)
    assert env.step("b")[1] == -1.0
    assert (env.actions, env.episode_reward, env.commandline()) == ([0, "b"], 89.0, "a b")


def test_a_refused_action_leaves_the_episode(env):
    env.reset()
    with pytest.raises(ValueError, match="Out-of-range"):
        env.step(33)
    with pytest.raises(KeyError):
        env.step(None)
    with pytest.raises(ValueError, match="'aa' is not an action of this space. Did you mean 'a'"):
        env.step("aa")
    assert env.in_episode and env.actions == []


def test_forks_are_independent_and_outlive_their_origin(env):
    env.reset()
    env.step(0)
    fork = env.fork()
    assert (fork.actions, fork.episode_reward) == ([0], 90.0)
    assert fork.step(0)[1] == -10.0
    assert env.observation["cost"] == 90 and env.actions == [0]
    env.close()
    assert fork.step(1)[0].tolist() == [2, 1, 0]
    assert str(fork.benchmark) == "benchmark://x-v0/1"
    fork.close()
    assert env.reset()[0].tolist() == [0, 0, 0]


def test_where_the_compiler_cannot_fork_the_actions_are_replayed():
    with _make_toy(TOY_BACKEND + "WithoutFork") as env:
        env.reset()
        env.multistep([0, 1, 1])
        with env.fork() as fork:
            assert fork.step(0)[0].tolist() == [2, 2, 0]
            assert fork.episode_reward == env.episode_reward - 10


def test_the_service_is_started_again_after_it_died():
    with _make_toy(connection="local") as env:
        env.reset()
        *_, terminated, truncated, info = env.step(8)
        assert (terminated, info["error_type"]) == (True, "ServiceIsClosed")
        assert "Service terminated with returncode: 7" in info["error_details"]
        assert not env.in_episode and env.actions == [8]
        with pytest.raises(SessionNotFound):
            env.step(0)
        assert env.reset()[0].tolist() == [0, 0, 0]
        assert env.step(0)[1] == 90.0


def test_an_observation_that_fails_ends_the_episode():
    with _make_toy(connection="local") as env:
        env.reset()
        env._session.connection.process.kill()
        with pytest.raises(ServiceError, match="Failed to compute observation 'cost'"):
            env.observation["cost"]
        assert not env.in_episode


def test_states_are_replayed_and_validated(env):
    env.reset()
    env.multistep([0, 1, 1])
    state = env.state
    assert (state.benchmark, state.commandline, state.reward) == ("benchmark://x-v0/1", "a b b", 88.0)
    assert env.validate().okay()
    result = env.validate(state)
    assert result.okay() and result.reward_validated and not result.benchmark_semantics_validated
    wrong = env.validate(CompilerEnvState(state.benchmark, state.commandline, 0.0, 87.0))
    assert wrong.reward_validation_failed
    assert wrong.errors[0].data == {"expected_reward": 87.0, "actual_reward": 88.0}
    failed = env.validate(CompilerEnvState(state.benchmark, "a x", 0.0, 1.0))
    assert failed.actions_replay_failed and failed.errors[0].type == "Action replay failed"
    assert failed.errors[0].data["exception_type"] == "ValueError"
    assert env.validate(CompilerEnvState("nope-v0/1", "a", 0.0)).actions_replay_failed


def test_the_checks_of_a_benchmark_are_run():
    benchmark = Benchmark.from_file_contents("benchmark://x-v0/1", b"hello")
    benchmark.add_validation_callback(
        lambda env: [] if env.observation["cost"] == 90 else [ValidationError("Wrong output")]
    )
    with _make_toy(benchmark=benchmark) as env:
        env.reset()
        env.step(0)
        assert env.validate().benchmark_semantics_validated and env.validate().okay()
        env.step(0)
        assert env.validate().benchmark_semantics_validation_failed
        states = [CompilerEnvState("benchmark://x-v0/1", text, 0.0) for text in ("a", "b", "a c")]
    for arguments in ({"nproc": 1}, {"nproc": 2, "inorder": True}):
        results = validate_states(lambda: _make_toy(benchmark=benchmark), states, **arguments)
        assert [result.okay() for result in results] == [True, False, True]
    assert len(list(validate_states(lambda: _make_toy(benchmark=benchmark), states))) == 3


def test_derived_observations_need_no_further_index():
    derived = [{"id": "total", "base_id": "features", "translate": sum}]
    with _make_toy(derived_observation_spaces=derived) as env:
        env.reset(observation_space="total")
        assert env.step(0)[0] == 1
        assert env.observation.total() == env.observation["total"] == 1
        assert env.observation.spaces["total"].default_value == 0
        assert env.render("ansi") == "1"


def test_rewards_use_up_the_change(env):
    env.reset()
    assert env.reward["cost"] == 100.0
    assert env.reward.cost() == 0.0
    with pytest.warns(UserWarning, match="Replacing existing reward space 'cost'"):
        env.reward.add_space(Cost())


def test_parameters_are_sent_again(env):
    with pytest.raises(SessionNotFound):
        env.send_param("toy.echo", "1", resend_on_reset=True)
    env.reset()
    assert env.send_params(("toy.echo", "x"), ("toy.echo", "y")) == ["x", "y"]
    with pytest.raises(ValueError, match="Unknown parameter: toy.nope"):
        env.send_param("toy.nope", "")


def test_what_reset_chooses_can_come_as_options(env):
    other = Benchmark.from_file_contents("benchmark://x-v0/2", b"yo")
    assert env.reset(seed=3, options={"benchmark": other, "observation_space": "source"})[0] == "yo"
    first = [env.action_space.sample() for _ in range(9)]
    env.reset(seed=3)
    assert [env.action_space.sample() for _ in range(9)] == first
    with pytest.raises(TypeError, match="A benchmark is"):
        env.reset(benchmark=3)
    with pytest.raises(ValueError, match="No action space 'othr'.*Did you mean 'other'"):
        env.reset(action_space="othr")
    env.reset(action_space="other")
    assert env.action_space.name == "other" and env.step(3)[2] is True
    assert env.commandline_to_actions("1,2") == [1, 2]


@pytest.mark.parametrize("is_ours", [True, False])
def test_sequences_are_tried_without_being_applied(env, is_ours, monkeypatch):
    env.reset()
    if not is_ours:
        call = env._session.connection.call

        def refuse(name, *args):
            if name == "TryActions":
                raise NotImplementedError("Method not found!")
            return call(name, *args)

        monkeypatch.setattr(env._session.connection, "call", refuse)
    env.step(0)
    tried = env.try_actions([["a", 0], ["b", 33, 0], []], ["cost", "features"])
    assert [[values[0] for values in one.observations] for one in tried] == [[80, 70], [89], []]
    assert tried[0].observations[1][1].tolist() == [3, 0, 0]
    assert "Out-of-range" in tried[1].error and tried[0].error is None
    assert env.observation["cost"] == 90 and env.actions == [0]


def test_a_list_is_for_multistep(env):
    env.reset()
    with pytest.warns(DeprecationWarning, match="multistep"):
        assert env.step([0, 0])[0].tolist() == [2, 0, 0]


def test_environments_by_id(tmp_path):
    assert "llvm-autophase-codesize-v0" in list_env_ids()
    with pytest.raises(ConfigError, match="Unknown compiler environment 'llvm-v1'.*Did you mean 'llvm-v0'"):
        helm.compiler_gym.make("llvm-v1")
    register("toy-v0", "helm.compiler_gym.envs.compiler_env.CompilerEnv", {"service": TOY_BACKEND})
    with helm.compiler_gym.make("toy-v0", connection="in_process", benchmark=_PROGRAM) as env:
        assert env.reset() == (None, {})
        assert env.compiler_version == ToySession.compiler_version


def test_llvm_rewards_are_shares_of_what_a_pipeline_saves():
    with helm.compiler_gym.make("llvm-ic-v0", connection="in_process", benchmark="helm-v0/crc32") as env:
        env.reset()
        env.multistep(["-sroa", "-instcombine"])
        o0, oz, now = (env.observation["IrInstructionCount" + suffix] for suffix in ("O0", "Oz", ""))
        assert env.episode_reward == pytest.approx((o0 - now) / (o0 - oz)) and now < o0
        assert env.state.commandline == "opt -sroa -instcombine input.bc -o output.bc"
        assert env.validate(env.state).okay()


def test_llvm_programs_from_files(tmp_path):
    path = tmp_path / "x.ll"
    path.write_text("define i32 @f(i32 %x) {\n  %y = add i32 %x, 0\n  ret i32 %y\n}\n")
    with helm.compiler_gym.make("llvm-ic-v0", connection="in_process", benchmark=make_benchmark(path)) as env:
        env.reset()
        assert env.commandline() == "opt  input.bc -o output.bc"
        env.step("-instcombine")
        assert env.observation["IrInstructionCount"] == 1
        state = env.state
        assert state.commandline == "opt -instcombine input.bc -o output.bc"
        assert state.benchmark == f"benchmark://user-v0{path}"
        assert env.validate().okay()
        assert "ret i32 %x" in env.write_ir(tmp_path / "y.ll").read_text()
        assert env.write_bitcode(tmp_path / "y.bc").read_bytes()[:2] == b"BC"
        assert env.reset(benchmark=f"file://{tmp_path}/y.bc", observation_space="IrInstructionCount")[0] == 1
        (tmp_path / "z.bc").write_bytes(b"nothing")
        with pytest.raises(BenchmarkInitError):
            env.reset(benchmark=f"file://{tmp_path}/z.bc")
        with pytest.raises(LookupError, match="Unknown program 'crc33'"):
            env.benchmark = "helm-v0/crc33"


def test_llvm_actions_are_indices_flags_names_and_pipelines(tmp_path):
    with helm.compiler_gym.make("llvm-ic-v0", connection="in_process", benchmark="helm-v0/crc32") as env:
        env.reset()
        sroa = env.action_space["-sroa"]
        env.multistep([sroa, np.int64(sroa), "-sroa", "sroa", "-Oz"])
        assert env.episode_reward == pytest.approx(1.0, abs=0.1)
        assert env.commandline() == "opt -sroa -sroa -sroa -sroa -Oz input.bc -o output.bc"
        assert env.commandline_to_actions(env.commandline()) == [sroa] * 4 + ["-Oz"]
        assert env.validate(env.state).okay()
        for wrong, hint in (("-sora", "Did you mean '-sroa'"), ("-Ox", "-Ox"), ("function(sroa)", "function")):
            with pytest.raises(ValueError, match=hint):
                env.step(wrong)
        assert env.actions == []  # validate() has reset it, and refused actions are none


def test_a_script_that_fails_with_an_open_environment_ends(tmp_path):
    script = """
import helm.compiler_gym
first = helm.compiler_gym.make("llvm-v0", benchmark="helm-v0/crc32")
first.reset()
first.close()
env = helm.compiler_gym.make("llvm-v0", benchmark="helm-v0/crc32")
env.reset()
env.step("no such action")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30)
    assert done.returncode == 1 and "'no such action'" in done.stderr.splitlines()[-1]


def test_llvm_observations_as_dictionaries_and_shares():
    with helm.compiler_gym.make("llvm-v0", connection="in_process", benchmark="helm-v0/crc32") as env:
        env.reset()
        counts, features = env.observation["InstCount"], env.observation["Autophase"]
        named = env.observation["InstCountDict"]
        assert list(named)[:4] == ["TotalInstsCount", "TotalBlocksCount", "TotalFuncsCount", "RetCount"]
        assert list(named.values()) == counts.tolist()
        shares = env.observation["InstCountNorm"]
        assert shares.dtype == np.float32 and shares == pytest.approx(counts[1:] / counts[0])
        assert list(env.observation["InstCountNormDict"])[:2] == ["TotalBlocksDensity", "TotalFuncsDensity"]
        assert list(env.observation["InstCountNormDict"].values()) == pytest.approx(shares)
        assert list(env.observation["AutophaseDict"].items())[15] == ("BranchCount", features[15])
        tokens = env.observation["LexedIrTuple"]
        assert len(tokens) == len(env.observation["LexedIr"]["token_id"])
        assert tokens[0]._asdict() == {"ID": 10, "kind": "keyword", "category": "keyword", "value": "source_filename"}
        for name in ("InstCountDict", "InstCountNorm", "InstCountNormDict", "AutophaseDict"):
            spec = env.observation.spaces[name]
            assert spec.space.contains(env.observation[name]), name
            assert spec.space.contains(spec.default_value), name
    toy = helm.compiler_gym.make("llvm-v0", service=TOY_BACKEND, connection="in_process", datasets=[])
    assert "InstCountDict" not in toy.observation.spaces
    toy.close()


def test_the_names_that_users_of_compiler_gym_look_for():
    assert helm.compiler_gym.COMPILER_GYM_ENVS == list_env_ids()
    assert helm.compiler_gym.CompilerEnvState is CompilerEnvState
    assert helm.compiler_gym.validate_states is validate_states and helm.compiler_gym.CompilerEnv is CompilerEnv
    with pytest.raises(AttributeError, match="has no attribute 'CompilerEnvs'"):
        _ = helm.compiler_gym.CompilerEnvs


def test_an_argument_that_no_environment_has_is_named():
    with pytest.raises(TypeError, match="llvm-v0 has no argument 'observation'. Did you mean 'observation_space'"):
        helm.compiler_gym.make("llvm-v0", observation="Ir")
    with pytest.raises(TypeError, match="gcc-v0 has no argument 'gccbin'. Did you mean 'gcc_bin'"):
        helm.compiler_gym.make("gcc-v0", gccbin="gcc")


def test_gymnasium_makes_our_environments_once_they_are_registered():
    import gymnasium

    register_with_gymnasium()
    envs = gymnasium.make_vec("llvm-autophase-ic-v0", num_envs=2, vectorization_mode="sync", connection="in_process")
    observations, _ = envs.reset(seed=1)
    assert observations.shape == (2, 56) and envs.step(envs.action_space.sample())[1].shape == (2,)
    envs.close()
    with gymnasium.make("llvm-v0", connection="in_process", benchmark="helm-v0/fft") as env:
        assert env.reset() == (None, {}) and str(env.unwrapped.benchmark) == "benchmark://helm-v0/fft"
