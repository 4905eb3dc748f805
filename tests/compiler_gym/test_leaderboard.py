"""The runner of the task llvm_instcount, and the table of submissions."""

import json
import math
import subprocess
import sys

import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("llvmlite")

from helm.compiler_gym.checks.validation import ValidationError, ValidationResult  # noqa: E402
from helm.compiler_gym.envs.env_state import CompilerEnvState, CompilerEnvStateWriter  # noqa: E402
from helm.compiler_gym.leaderboard.board import Rules, make_table, rank, rate, to_json  # noqa: E402
from helm.compiler_gym.leaderboard.llvm_instcount import PolicyChangedRules, list_test_programs, run_policy  # noqa: E402

_PROGRAMS = ("benchmark://helm-v0/adpcm", "benchmark://helm-v0/crc32")
_RULES = Rules(_PROGRAMS, repetitions=2, max_seconds=5, max_actions=3)


def _make_env():
    import helm.compiler_gym

    return helm.compiler_gym.make("llvm-ic-v0", connection="in_process")


def _sroa(env):
    env.step(env.action_space["-sroa"])


def test_a_policy_runs_on_all_programs_in_turn_and_can_be_resumed(tmp_path):
    path = tmp_path / "results.csv"
    assert list_test_programs("helm-v0", 2)[0] == _PROGRAMS[0]
    states = run_policy(_sroa, _make_env, _PROGRAMS, 2, path)
    assert [state.benchmark for state in states] == [*_PROGRAMS] * 2
    assert states[0].commandline == "opt -sroa input.bc -o output.bc" and states[0].reward > 0
    assert states[0].reward == states[2].reward and states[0].walltime > 0
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:3]) + "\n")
    resumed = run_policy(_sroa, _make_env, _PROGRAMS, 2, path, resume=True)
    assert [state.benchmark for state in resumed] == [*_PROGRAMS] * 2 and len(path.read_text().splitlines()) == 5
    assert len(run_policy(_sroa, _make_env, _PROGRAMS[:1], 1, path)) == 1, "without resume it begins again"


@pytest.mark.parametrize(
    "cheat, complaint",
    [
        (lambda env: env.reset(benchmark=_PROGRAMS[1]), "changed the program"),
        (lambda env: setattr(env, "reward_space", "IrInstructionCountO3"), "changed the reward"),
        (lambda env: env.close(), "left no episode"),
    ],
)
def test_a_policy_cannot_change_the_task(tmp_path, cheat, complaint):
    with pytest.raises(PolicyChangedRules, match=complaint):
        run_policy(cheat, _make_env, _PROGRAMS[:1], 1, tmp_path / "results.csv")


def _write(path, rows):
    with open(path, "w", newline="") as file:
        writer = CompilerEnvStateWriter(file)
        for benchmark, reward, walltime, actions in rows:
            writer.write_state(CompilerEnvState(benchmark, f"opt {actions} input.bc -o output.bc", walltime, reward))
    return path


def _okay(state):
    return ValidationResult(state, 0.0)


def _refuse(state):
    return ValidationResult(state, 0.0, reward_validation_failed=True, errors=[ValidationError("Expected reward 1")])


def _rows(rewards, walltime=1.0, actions="-sroa"):
    return [(uri, reward, walltime, actions) for uri, reward in zip([*_PROGRAMS] * 2, rewards, strict=True)]


def test_a_score_is_the_geometric_mean_with_an_interval_over_programs(tmp_path):
    replayed = []
    entry = rate(
        _write(tmp_path / "mine.csv", _rows([1.0, 4.0, 1.0, 4.0])), _RULES, lambda s: replayed.append(s) or _okay(s)
    )
    assert entry.policy == "mine" and entry.score == pytest.approx(2.0) and entry.mean_walltime_s == 1.0
    assert entry.low <= 2.0 <= entry.high and (entry.low, entry.high) == (pytest.approx(1.0), pytest.approx(4.0))
    assert len(replayed) == 2, "equal results are replayed once"
    zero = rate(_write(tmp_path / "zero.csv", _rows([1.0, 0.0, 1.0, 1.0])), _RULES, _okay)
    assert (zero.score, zero.low, zero.problems) == (0.0, None, [])


@pytest.mark.parametrize(
    "rows, complaint",
    [
        (_rows([1.0] * 4)[:3], "crc32: 1 results instead of 2"),
        ([*_rows([1.0] * 4), ("benchmark://helm-v0/sha256", 9.0, 1.0, "-dce")], "sha256 is not in the test set"),
        (_rows([1.0] * 4, walltime=6.0), "6.0 s, and 5 s are allowed"),
        (_rows([1.0] * 4, actions="-dce " * 4), "4 actions, and 3 are allowed"),
        (_rows([1.0, None, 1.0, 1.0]), "a result without a reward"),
        (_rows([1.0, math.inf, 1.0, 1.0]), "a result without a reward"),
    ],
)
def test_a_submission_that_breaks_the_rules_has_no_score(tmp_path, rows, complaint):
    entry = rate(_write(tmp_path / "mine.csv", rows), _RULES, _okay)
    assert entry.score is None and any(complaint in problem for problem in entry.problems), entry.problems


def test_what_cannot_be_replayed_is_last(tmp_path):
    good = rate(_write(tmp_path / "good.csv", _rows([1.0] * 4)), _RULES, _okay)
    better = rate(_write(tmp_path / "better.csv", _rows([2.0] * 4)), _RULES, _okay)
    cheat = rate(_write(tmp_path / "cheat.csv", _rows([9.0] * 4)), _RULES, _refuse)
    ranked = rank([cheat, good, better])
    assert [entry.policy for entry in ranked] == ["better", "good", "cheat"]
    table = make_table(ranked, "IrInstructionCountOz", "github")
    assert "| 1  | better   | 2.0000" in table and "Expected reward 1" in table and "| -  | cheat" in table
    assert [row["score"] for row in to_json(ranked)] == [2.0, 1.0, None]


@pytest.mark.slow
def test_the_command_replays_and_ranks(tmp_path):
    run_policy(_sroa, _make_env, _PROGRAMS, 1, tmp_path / "sroa.csv")
    text = (tmp_path / "sroa.csv").read_text()
    (tmp_path / "liar.csv").write_text(text.replace(",0.", ",1.9"))
    command = [sys.executable, "-m", "helm.compiler_gym.leaderboard", "sroa.csv", "liar.csv", "--test-dataset=helm-v0"]
    command += ["--max-benchmarks=1", "--env=llvm", "--to-json=board.json", "--repetitions=1"]
    (tmp_path / "sroa.csv").write_text("\n".join(text.splitlines()[:2]) + "\n")
    (tmp_path / "liar.csv").write_text("\n".join((tmp_path / "liar.csv").read_text().splitlines()[:2]) + "\n")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    rows = json.loads((tmp_path / "board.json").read_text())
    assert [row["policy"] for row in rows] == ["sroa", "liar"] and rows[1]["score"] is None
    assert "Expected reward" in done.stdout
