"""Figures that are made from the runs of a suite, of any kind."""

from pathlib import Path

import pytest

from compare_support import make_ad_run, make_episode_run, make_run, zeros_and_ones
from helm.benchmark.presentation import create_plots
from helm.benchmark.presentation.plots.run_plots import RUN_PLOTS, NothingToPlot, SuiteRuns, spearman

pytest.importorskip("matplotlib")

SUITE = Path("benchmark_output/runs/s")


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(create_plots, "DOTS_PER_INCH", 30)


def make_suite() -> None:
    for model, right in [("a/one", 30), ("b/two", 20), ("c/three", 1)]:
        for task in ("simple_mcqa", "simple_classification"):
            make_run(SUITE, zeros_and_ones(right, 40), model, task, groups=[task])
    for tool, factor in [("ad/x", 1.0), ("ad/y", 3.0)]:
        times = {
            f"{f} n={n}": [factor * n * 1e-5 * (1 + 0.01 * i) for i in range(9)]
            for n in (10, 100)
            for f in ("primal", "gradient")
        }
        make_ad_run(SUITE, tool, {**times, "primal n=7": []})
    for program, value in [("crc32", 1.1), ("sha1", 1.2)]:
        make_episode_run(SUITE, "llvm/greedy", program, value)
        make_episode_run(SUITE, "llvm/Oz", program, 1.0)


def run_command(*arguments: str) -> int:
    try:
        create_plots.main(["--suite", "s", *arguments])
    except SystemExit as e:
        return int(e.code or 0)
    return 0


def test_figures_of_every_kind_of_subject_in_several_formats(capsys: pytest.CaptureFixture[str]) -> None:
    make_suite()
    assert run_command("--plot-format", "png", "svg") == 0
    made = {path.name for path in (SUITE / "plots").iterdir()}
    expected = set(RUN_PLOTS) - {"accuracy_v_cost"}  # these statistics tell no tokens
    assert made == {f"{name}.{ending}" for name in expected for ending in ("png", "svg")}
    assert all(path.stat().st_size > 1000 for path in (SUITE / "plots").iterdir())
    output = capsys.readouterr().out
    assert "No accuracy_v_cost: The statistics of the runs contain neither costs nor tokens." in output
    assert "No bbq_bars: " in output


def labels(axis) -> list[str]:
    return [text.get_text() for text in axis.get_ticklabels()]


def test_scores_stand_best_first_with_their_intervals() -> None:
    make_suite()
    figure = RUN_PLOTS["score_intervals"](SuiteRuns(str(SUITE)))
    axes = {ax.get_title(): ax for ax in figure.axes if ax.get_visible()}
    ax = axes["simple_mcqa"]
    assert labels(ax.yaxis) == ["a/one", "b/two", "c/three"]
    (segments,) = [c.get_segments() for c in ax.collections[:1]]
    # 30 of 40: the lower end of Wilson's interval, and the upper one of Blaker's, which is above it
    assert [x for x, _ in segments[0]] == pytest.approx([0.598060, 0.858682], rel=1e-4)
    assert "gradbench_lse" in axes and not [title for title in axes if title.startswith("llvm")]


def test_scaling_has_a_line_for_each_tool_and_part() -> None:
    make_suite()
    (ax,) = RUN_PLOTS["ad_scaling"](SuiteRuns(str(SUITE))).axes
    lines = {line.get_label(): line for line in ax.get_lines()}
    assert set(lines) == {f"{tool}, {part}" for tool in ("ad/x", "ad/y") for part in ("primal", "derivative")}
    assert list(lines["ad/y, primal"].get_xdata()) == [10, 100]
    assert list(lines["ad/y, primal"].get_ydata()) == pytest.approx([3e-4 * 1.04, 3e-3 * 1.04])
    assert ax.get_xscale() == ax.get_yscale() == "log"


def test_reductions_have_a_geometric_mean() -> None:
    make_suite()
    (ax,) = RUN_PLOTS["compiler_reductions"](SuiteRuns(str(SUITE))).axes
    assert labels(ax.yaxis) == ["crc32", "sha1", "geometric mean"]
    points = {line.get_label(): list(line.get_xdata()) for line in ax.get_lines()}
    assert points["llvm/greedy"] == [1.1, 1.2]


def test_costs_are_tokens_where_no_price_is_known() -> None:
    for model, right, tokens in [("a/one", 30, 100.0), ("b/two", 20, 5000.0)]:
        folder = make_run(SUITE, zeros_and_ones(right, 40), model, "simple_mcqa")
        import json

        stats = json.loads((folder / "stats.json").read_text())
        for name, value in [("num_instances", 40.0), ("num_prompt_tokens", tokens), ("num_completion_tokens", 1.0)]:
            stats.append({"name": {"name": name, "split": "test"}, "count": 1, "sum": value, "sum_squared": value**2,
                          "min": value, "max": value, "mean": value, "variance": 0, "stddev": 0})  # fmt: skip
        (folder / "stats.json").write_text(json.dumps(stats))
    (ax,) = RUN_PLOTS["accuracy_v_cost"](SuiteRuns(str(SUITE))).axes
    assert ax.get_xlabel() == "Tokens of the runs (no prices known)" and ax.get_ylabel() == "exact_match on simple_mcqa"
    assert sorted(text.get_text() for text in ax.texts) == ["a/one", "b/two"]


@pytest.mark.parametrize("name", RUN_PLOTS)
def test_a_figure_that_the_suite_has_nothing_for_says_so(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    make_run(SUITE, zeros_and_ones(1, 4), groups=["x"], metric="brevity")
    with pytest.raises(NothingToPlot):
        RUN_PLOTS[name](SuiteRuns(str(SUITE)))
    assert run_command("--plots", name) == 1
    assert f"Cannot make {name}: " in capsys.readouterr().out


def test_a_suite_without_anything_to_show_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    make_run(SUITE, zeros_and_ones(1, 4), groups=["x"], metric="brevity")
    assert run_command() == 1
    assert "can be shown" in capsys.readouterr().err


def test_rank_correlation_is_scipys() -> None:
    stats = pytest.importorskip("scipy.stats")
    xs, ys = [1.0, 2.0, 2.0, 4.0, 7.0, 0.5], [3.0, 1.0, 4.0, 4.0, 9.0, 2.0]
    assert spearman(xs, ys) == pytest.approx(stats.spearmanr(xs, ys).statistic)
    assert spearman([1.0, 1.0], [1.0, 2.0]) is None
