"""The leaderboard on the page of compilers."""

from math import sqrt

import pytest

from helm.benchmark.server.compiler_board import make_boards


def _episode(program, reward, success=True, space="IrInstructionCountOz", elapsed_s=2.0):
    return {
        "uri": f"benchmark://d-v0/{program}",
        "benchmark": program,
        "reward_space": space,
        "reward": reward,
        "success": success,
        "status": "" if success else "crash",
        "elapsed_s": elapsed_s,
    }


def test_policies_are_ranked_by_the_geometric_mean_and_complete():
    episodes = [
        *[("good", _episode(name, reward)) for name, reward in (("a", 2.0), ("b", 1.0), ("c", 4.0))],
        *[("better", _episode(name, 3.0, elapsed_s=None)) for name in "abc"],
        *[("zero", _episode(name, reward)) for name, reward in (("a", 9.0), ("b", -0.1), ("c", 9.0))],
        ("failed", _episode("a", 9.0)),
        ("failed", _episode("b", 0.0, success=False)),
        ("other", _episode("a", 5.0, space="ObjectTextSizeOz")),
    ]
    boards = make_boards(episodes)
    assert list(boards) == ["IrInstructionCountOz", "ObjectTextSizeOz"]
    rows = boards["IrInstructionCountOz"]
    assert [row.policy for row in rows] == ["better", "good", "zero", "failed"]
    better, good, zero, failed = rows
    assert better.score.value == pytest.approx(3.0) and better.mean_elapsed_s is None
    assert good.score.value == pytest.approx(2.0) and good.score.low < 2 < good.score.high
    assert (good.num_episodes, good.mean_elapsed_s) == (3, 2.0)
    assert zero.score.value == 0 and zero.score.low is None
    assert failed.score is None and failed.problems == ["b: crash", "c: no episode"]
    assert boards["ObjectTextSizeOz"][0].score.value == pytest.approx(5.0)


def test_episodes_of_a_program_count_as_one_cluster_and_long_lists_are_cut():
    repeated = [("one", _episode("a", reward)) for reward in (1.0, 2.0)] + [("one", _episode("b", sqrt(2)))]
    (row,) = make_boards(repeated)["IrInstructionCountOz"]
    assert row.score.clusters == 2 and row.num_episodes == 3
    many = [("bad", _episode(str(number), 1.0, success=False)) for number in range(6)]
    (row,) = make_boards(many)["IrInstructionCountOz"]
    assert row.problems == ["0: crash", "1: crash", "2: crash", "3 more"]
