"""Random search over environments of LLVM: what it finds, and the files that it leaves."""

import json
import os

import pytest

import helm.compiler_gym
from helm.compiler_gym.envs.statistics import ProgressLogEntry
from helm.compiler_gym.random_search import RandomSearchResult, random_search

URI = "benchmark://helm-v0/crc32"


def make_env(reward="IrInstructionCountOz", **kwargs):
    return helm.compiler_gym.make("llvm-v0", benchmark=URI, reward_space=reward, connection="in_process", **kwargs)


def entries(path, num_columns=5):
    return [
        ProgressLogEntry.from_csv(",".join(line.split(",")[:num_columns])) for line in path.read_text().splitlines()
    ]


def test_a_search_leaves_what_it_found(tmp_path, capsys):
    found = random_search(make_env, tmp_path / "out", total_runtime=0.5, patience=20, nproc=2, seed=1)
    assert found.reward > 0 and found.actions
    assert json.loads((tmp_path / "out" / "random_search.json").read_text()) == {
        "benchmark": URI,
        "env": "LlvmEnv",
        "patience": 20,
        "reward": "IrInstructionCountOz",
    }
    head, _, rest = (tmp_path / "out" / "random_search_progress.csv").read_text().partition("\n")
    assert head == "runtime_seconds,total_episode_count,total_step_count,num_passes,reward"
    rewards = [ProgressLogEntry.from_csv(line).reward for line in rest.splitlines()]
    assert rewards == sorted(rewards) and rewards[-1] == pytest.approx(found.reward)
    names = (tmp_path / "out" / "random_search_best_actions.txt").read_text().split()
    replayed = entries(tmp_path / "out" / "random_search_best_actions_progress.csv")
    assert len(replayed) == len(names) == len(found.actions)
    with make_env() as env:
        env.reset()
        env.multistep(found.actions)
        assert env.commandline() == found.commandline
        assert env.episode_reward == pytest.approx(found.reward)
        assert [env.action_space.names[action] for action in found.actions] == names
        size = int(env.observation["IrInstructionCount"])
        optimized = helm.compiler_gym.make(
            "llvm-v0", benchmark=tmp_path / "out" / "optimized.bc", connection="in_process"
        )
        with optimized:
            optimized.reset()
            assert int(optimized.observation["IrInstructionCount"]) == size
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("IR instructions")]
    assert int(row.split()[-1]) == size


def test_a_search_that_was_done_is_not_done_again(tmp_path):
    first = random_search(make_env, tmp_path, total_runtime=0, patience=5, nproc=1)
    before = (tmp_path / "random_search_progress.csv").read_bytes()
    again = random_search(make_env, tmp_path, total_runtime=0, patience=5, nproc=1, skip_done=True)
    assert isinstance(again, RandomSearchResult) and again == first
    assert (tmp_path / "random_search_progress.csv").read_bytes() == before


def test_the_folder_is_named_after_the_benchmark(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPILER_GYM_LOGS", str(tmp_path))
    found = random_search(make_env, total_runtime=0, patience=3, nproc=1)
    base = tmp_path / "random" / "benchmark" / "helm-v0" / "crc32"
    assert found.outdir.parent.parent == base
    assert os.path.samefile(base / "latest", found.outdir)


def test_the_same_seed_begins_with_the_same_episode(tmp_path):
    def search(folder):
        taken = []

        def make_noting_env():
            env = make_env()
            step = env.step
            env.step = lambda action, **kwargs: taken.append(action) or step(action, **kwargs)
            return env

        random_search(make_noting_env, folder, total_runtime=0, patience=10, nproc=1, seed=7)
        return taken[:10]  # the first episode is at least as long; a busy machine may let others follow

    first = search(tmp_path / "a")
    assert len(first) == 10 and first == search(tmp_path / "b")


@pytest.mark.parametrize("arguments", [{"patience": -1}, {"nproc": 0}])
def test_arguments_out_of_range(tmp_path, arguments):
    with pytest.raises(ValueError, match="patience >= 0 and nproc >= 1"):
        random_search(make_env, tmp_path / "out", **arguments)
    assert not (tmp_path / "out").exists()


def test_without_a_reward_nothing_can_be_searched_for(tmp_path):
    with pytest.raises(ValueError, match="A reward space must be specified"):
        random_search(lambda: make_env(reward=None), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_error_of_a_worker_ends_the_search(tmp_path):
    made = []

    def make():
        if made:
            raise RuntimeError("no second environment")
        made.append(make_env())
        return made[0]

    with pytest.raises(RuntimeError, match="no second environment"):
        random_search(make, tmp_path, total_runtime=60, nproc=2)
