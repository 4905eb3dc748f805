"""`gcc-v0`: GCC as a Gymnasium environment."""

import shutil

import pytest

import helm.compiler_gym
from helm.compiler_gym.envs.gcc_env import make_c_benchmark
from helm.compiler_gym.errors import EnvironmentNotSupported, ServiceError, ServiceInitError

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a gcc on the machine")


@pytest.fixture
def env():
    arguments = {"observation_space": "obj_size", "reward_space": "obj_size", "connection": "in_process"}
    with helm.compiler_gym.make("gcc-v0", benchmark="helm-c-v0/crc32", **arguments) as env:
        yield env


def test_options_change_the_object_file(env):
    before, _ = env.reset()
    after, reward, terminated, truncated, _ = env.step("-Os")
    assert after < before and reward == 0 and not terminated and not truncated  # the first update only begins
    _, reward, *_ = env.step("-O3")
    assert reward == after - env.obj_size < 0
    assert env.commandline() == "gcc -O3 -w -c src.c -o obj.o"
    assert [env.action_space.names[i] for i in env.commandline_to_actions(env.commandline())] == ["-O3"]


def test_everything_that_gcc_tells(env):
    env.reset()
    assert len(env.obj) == env.obj_size and len(env.asm.encode()) == env.asm_size
    assert "int main(" in env.source and "main" in env.rtl and '".cfi"' in env.instruction_counts
    assert len(env.obj_hash) == len(env.asm_hash) == 32
    with pytest.raises(LookupError):
        env.commandline_to_actions("gcc -fno-such-thing -w -c src.c -o obj.o")


def test_choices_are_read_and_set(env):
    with pytest.raises(ServiceError, match="reset"):
        env.choices = [1]
    env.reset()
    choices = env.choices
    assert set(choices) == {-1}
    choices[0] = 2
    env.choices = choices
    assert env.choices[0] == 2 and env.command_line.startswith("gcc -O2 ")
    env.timeout = 30
    assert env.timeout == 30
    with pytest.raises(ValueError, match="choices takes"):
        env.choices = choices[:-1]


def test_our_programs_are_validated_by_running_them(env):
    env.reset()
    env.multistep(["-O2", "-fno-inline"])
    result = env.validate()
    assert result.okay() and result.benchmark_semantics_validated


@pytest.mark.sandbox
def test_the_time_of_a_run(env):
    env.reset()
    assert 0 < env.runtime < 20


def test_a_file_of_the_users_and_a_gcc_by_its_path(tmp_path):
    path = tmp_path / "a.c"
    path.write_text("int twice(int x) { return 2 * x; }\n")
    gcc = shutil.which("gcc")
    with helm.compiler_gym.make(
        "gcc-v0", gcc_bin=gcc, benchmark=make_c_benchmark(path), connection="in_process"
    ) as env:
        env.reset()
        assert env.command_line.startswith(gcc + " ") and env.obj_size > 0
        assert env.runtime is None  # it has no main
        assert not env.get_benchmark().is_validatable()  # nothing is known of a user's program


def test_what_is_no_gcc_is_refused():
    with pytest.raises(ServiceInitError, match="true is not a gcc"):
        helm.compiler_gym.make("gcc-v0", gcc_bin="true", connection="in_process")


@pytest.mark.parametrize("connection", ["local", "in_process"])
def test_a_compiler_that_is_not_there_is_told_at_once(connection, monkeypatch):
    with pytest.raises(EnvironmentNotSupported, match="There is no compiler 'no-such-gcc' on this machine"):
        helm.compiler_gym.make("gcc-v0", gcc_bin="no-such-gcc", connection=connection)
    monkeypatch.setenv("CC", "no-such-cc")
    with pytest.raises(EnvironmentNotSupported, match="no-such-cc"):
        helm.compiler_gym.make("gcc-v0", connection=connection)


def test_a_c_file_by_its_path(tmp_path, monkeypatch):
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    monkeypatch.chdir(tmp_path)
    with helm.compiler_gym.make("gcc-v0", benchmark="p.c", connection="in_process") as env:
        env.reset()
        assert str(env.benchmark) == f"benchmark://user-v0{tmp_path}/p.c" and env.obj_size > 0
        assert env.validate(env.state).okay()
