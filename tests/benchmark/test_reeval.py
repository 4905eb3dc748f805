"""Adaptive evaluation: estimates, the choice of items, stopping, resuming, and banks made from runs."""

import json
from pathlib import Path

import numpy as np
import pytest

from compare_support import make_run, zeros_and_ones
from helm.benchmark import reeval_run, run
from helm.benchmark.commands import item_bank as bank_command
from helm.benchmark.executing.item_bank import read_item_bank
from helm.common.errors import ConfigError
from helm.results.statistics.item_response import PRIOR_SD, estimate_ability, fit_difficulties, most_informative

ENTRY = "simple_mcqa:model=simple/model1"


def test_ability_is_where_the_posterior_is_largest():
    z, scores = [0.5, -1.0, 2.0, 0.0], [1.0, 0.0, 1.0, 0.25]
    found = estimate_ability(scores, z, 0.4)
    grid = np.linspace(-4, 4, 80001)
    p = 1 / (1 + np.exp(-(grid[:, None] + np.array(z))))
    log_density = (np.array(scores) * np.log(p) + (1 - np.array(scores)) * np.log(1 - p)).sum(axis=1)
    log_density -= (grid - 0.4) ** 2 / (2 * PRIOR_SD**2)
    best = int(np.argmax(log_density))
    assert found.value == pytest.approx(grid[best], abs=1e-4)
    curvature = np.diff(log_density[best - 100 : best + 101 : 100], 2)[0] / (100 * (grid[1] - grid[0])) ** 2
    assert found.standard_error == pytest.approx((-curvature) ** -0.5, rel=1e-3)
    assert estimate_ability([], [], 0.4).value == 0.4
    assert 0 < estimate_ability([1.0] * 50, [0.0] * 50).value < 10  # finite although all are right


def test_most_informative_takes_the_first_of_equal_items():
    assert most_informative(1.0, [0.0, -1.5, -0.5, -1.0], [0, 1, 2]) == 1
    assert most_informative(1.0, [0.0, -1.5, -0.5, -1.0], [0, 1, 2, 3]) == 3


def test_difficulties_are_recovered_with_missing_answers():
    random = np.random.default_rng(0)
    z = np.linspace(-2, 2, 15)
    p = 1 / (1 + np.exp(-(random.normal(size=(2000, 1)) + z)))
    responses = (random.random(p.shape) < p).astype(float)
    responses[random.random(p.shape) < 0.2] = np.nan
    assert fit_difficulties(responses) == pytest.approx(z, abs=0.2)
    assert np.isfinite(fit_difficulties(np.ones((3, 2)))).all()


@pytest.mark.parametrize("line", ['{"prompt": "a"}', '{"prompt": "a", "difficulty": NaN}', "[1]", "{"])
def test_damaged_bank_names_the_line(tmp_path, line):
    (tmp_path / "bank.jsonl").write_text('{"request.prompt": "x", "z": 1}\n' + line)
    with pytest.raises(ConfigError, match="line 2"):
        read_item_bank(str(tmp_path / "bank.jsonl"))


@pytest.fixture
def bank(tmp_path, monkeypatch):
    """A bank of the twenty prompts of a run, and that run's answers."""
    monkeypatch.chdir(tmp_path)
    run.main(["-r", ENTRY, "-m", "20", "--suite", "whole", "--disable-cache"])
    (path,) = Path("benchmark_output/runs/whole").glob("simple_mcqa*/scenario_state.json")
    states = json.loads(path.read_text())["request_states"]
    lines = [{"prompt": s["request"]["prompt"], "difficulty": (i % 9 - 4) / 2} for i, s in enumerate(states)]
    Path("bank.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return {line["prompt"]: line["difficulty"] for line in lines}


def reeval(suite, *words):
    reeval_run.main(["-r", ENTRY, "--suite", suite, "--difficulties", "bank.jsonl", "--disable-cache", *words])
    (folder,) = Path(f"benchmark_output/runs/{suite}").glob("simple_mcqa*")
    states = json.loads((folder / "scenario_state.json").read_text())["request_states"]
    return json.loads((folder / "reeval_trajectory.json").read_text()), states


def test_items_follow_the_ability_and_the_test_stops(bank):
    trajectory, states = reeval("adaptive", "-m", "6", "--model-ability", "0.5")
    assert trajectory["stopped_by"] == "max_eval_instances" and len(states) == 6
    assert [state["instance"]["id"] for state in states] == trajectory["instance_ids"]
    assert [s["instance"]["extra_data"]["difficulty"] for s in states] == trajectory["instance_difficulties"]
    left, ability = sorted(bank.values()), 0.5
    for difficulty, after in zip(trajectory["instance_difficulties"], trajectory["model_ability"], strict=True):
        assert abs(difficulty + ability) == min(abs(other + ability) for other in left)
        left.remove(difficulty)
        ability = after
    last = estimate_ability(trajectory["response_correctness"], trajectory["instance_difficulties"], 0.5)
    assert (last.value, last.standard_error) == (trajectory["model_ability"][-1], trajectory["standard_error"][-1])

    early, _ = reeval("early", "-m", "20", "--max-standard-error", "1.9")
    assert early["stopped_by"] == "max_standard_error"
    assert early["standard_error"][-1] <= 1.9 < early["standard_error"][-2]


def test_interrupted_test_resumes_with_the_same_items(bank, monkeypatch):
    from helm.benchmark.executor import Executor

    whole, _ = reeval("one", "-m", "6")
    asked, process = [], Executor.process

    def count(self, state):
        if len(asked) == 3:
            raise KeyboardInterrupt
        asked.append(state.instance.id)
        return process(self, state)

    monkeypatch.setattr(Executor, "process", count)
    with pytest.raises(SystemExit):
        reeval("two", "-m", "6")
    first, asked[:] = list(asked), []
    resumed, _ = reeval("two", "-m", "6")
    assert resumed == whole
    assert first + asked == whole["instance_ids"]  # nothing is asked twice


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--max-standard-error", "0"], "a number above 0"),
        (["--runner-class-name", "x.Y"], "leave out --runner-class-name"),
        (["--difficulties", "absent.jsonl"], "absent.jsonl"),
    ],
)
def test_mistakes(tmp_path, monkeypatch, capsys, words, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as e:
        reeval_run.main(["-r", ENTRY, "-m", "1", *words])
    assert e.value.code == 1 and message in capsys.readouterr().err


def test_bank_of_runs(bank, capsys):
    with pytest.raises(SystemExit):
        bank_command.main(["--suite", "whole", "--to", "new.jsonl"])
    assert "at least two models" in capsys.readouterr().err
    run.main(["-r", "simple_mcqa:model=baseline/random", "-m", "20", "--suite", "whole", "--disable-cache"])
    bank_command.main(["--suite", "whole", "--to", "new.jsonl"])
    assert set(read_item_bank("new.jsonl")) >= set(bank)


def test_failed_requests_say_nothing_about_an_item(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    suite = tmp_path / "benchmark_output/runs/s"
    make_run(suite, zeros_and_ones(2, 4), "a/one", answers={"id0": None})
    make_run(suite, zeros_and_ones(2, 4), "b/two", answers={"id0": None})
    (suite / "unfinished").mkdir()
    bank_command.main(["--suite", "s", "--to", "new.jsonl"])
    found = read_item_bank("new.jsonl")
    assert len(found) == 3 and not any("id0" in prompt for prompt in found)
