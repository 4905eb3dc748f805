"""`loop_tool-v0`: a nest of loops that the package loop_tool compiles and runs."""

import sys

import pytest

import helm.compiler_gym
from helm.compiler_gym.backends.loop_tool import LoopNest
from helm.compiler_gym.errors import ServiceError, StatusError


def test_actions_change_sizes_and_keep_the_whole():
    nest = LoopNest((1000, 1, 1))
    assert nest.apply("up") is not None and nest.apply("up").cursor == 0
    inner = nest.apply("down").apply("toggle_mode")
    for _ in range(6):
        inner = inner.apply("up")
    assert inner.spans == (1000, 7, 1) and inner.sizes == (142, 7, 1)  # and 6 elements after the last whole iteration
    assert inner.apply("down").sizes == (166, 6, 1)
    split = inner.apply("split")
    assert split.spans == (1000, 7, 1, 1) and split.cursor == 1
    assert inner.apply("toggle_thread").apply("split").threaded == {1}
    assert nest.apply("toggle_mode").apply("up") == nest.apply("toggle_mode")  # the outermost loop covers everything
    small = LoopNest((2, 1, 1), cursor=1, changes_size=True)
    assert small.apply("up").apply("up").spans == (2, 2, 1) and small.apply("down") == small


@pytest.fixture
def env():
    pytest.importorskip("loop_tool", reason="needs the package loop_tool")
    arguments = {"observation_space": "flops", "reward_space": "flops", "action_space": "split"}
    with helm.compiler_gym.make("loop_tool-v0", benchmark="loop_tool-cpu-v0/4096", **arguments) as env:
        yield env


def test_a_nest_is_compiled_and_timed(env):
    flops, _ = env.reset()
    assert flops > 0 and env.compiler_version.startswith("loop_tool ")
    for action in ["down", "toggle_mode", "up", "up"]:
        env.step(action)
    now, reward, terminated, _, info = env.step("split")
    assert now > 0 and not terminated and not info["action_had_no_effect"]
    assert env.episode_reward == pytest.approx(now)
    assert list(env.observation["action_state"]) == [1, 1, 1365, 3, 1, 1]
    assert env.observation["loop_tree"].count("for ") == 4 and "in 1365 r 1" in env.observation["loop_tree"]
    env.step("toggle_thread")
    assert "parallel" in env.observation["loop_tree"].splitlines()[1]
    assert env.state.commandline == "down toggle_mode up up split toggle_thread"
    fork = env.fork()
    fork.step("toggle_thread")
    assert "parallel" not in fork.observation["loop_tree"] and "parallel" in env.observation["loop_tree"]
    fork.close()


def test_files_of_others_are_not_loaded_and_ours_are_removed(monkeypatch, tmp_path):
    from helm.compiler_gym.backends import loop_tool as backend

    class Sum:
        def resolve(self):
            (tmp_path / "fn_1.so").write_text("library")

    monkeypatch.setattr(backend, "_FILES", f"{tmp_path}/")
    backend._compile(Sum())
    assert not (tmp_path / "fn_1.so").exists()
    (tmp_path / "fn_0.c").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StatusError, match="fn_0.c, which is another user's or a link"):
        backend._compile(Sum())


def test_problems_are_lengths(env):
    assert len(env.datasets["loop_tool-cpu-v0"]) == 13
    for wrong in ("0", "x", "99999999999"):
        with pytest.raises(LookupError, match="the length of the vectors"):
            env.reset(benchmark=f"loop_tool-cpu-v0/{wrong}")
    with pytest.raises((ValueError, LookupError), match="toggle_mode"):
        env.reset()
        env.step("toggle_mod")


def test_a_missing_package_is_said(monkeypatch):
    from helm.compiler_gym.backends import loop_tool as backend

    monkeypatch.setitem(sys.modules, "loop_tool", None)
    backend._import_loop_tool.cache_clear()
    with pytest.raises(ServiceError, match=r"helm-evals\[loop-tool\]"):
        helm.compiler_gym.make("loop_tool-v0", connection="in_process")
