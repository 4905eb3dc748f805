"""What people read: lines, the panel, and when the command may be over."""

import io
from dataclasses import replace

import pytest

from helm.benchmark.live.snapshot import Snapshots, estimate_time_left
from helm.benchmark.live.text import (
    describe_command,
    describe_number,
    describe_rate,
    describe_time,
    share_done,
    summary_line,
)
from helm.benchmark.live.views import LinesView, create_view
from helm.common.budgets.spending import Spent
from helm.common.errors import ConfigError
from helm.common.telemetry.progress import CommandProgress, counting
from helm.common.telemetry.progress_report import RateReport, RunReport
from live_support import NOW, busy_command, command


@pytest.mark.parametrize(
    "seconds, text",
    [
        (0, "0 s"),
        (59.4, "59 s"),
        (60, "1 min"),
        (72, "1 min 12 s"),
        (660, "11 min"),
        (3600, "1 h"),
        (7500, "2 h 5 min"),
    ],
)
def test_times(seconds, text):
    assert describe_time(seconds) == text


@pytest.mark.parametrize(
    "number, text", [(0, "0"), (9999, "9,999"), (12_345, "12.3k"), (1_234_567, "1.23M"), (5e9, "5G")]
)
def test_numbers(number, text):
    assert describe_number(number) == text


@pytest.mark.parametrize("rate, text", [(42.12, "42.1/s"), (1520.0, "1,520/s"), (0.5, "30.0/min"), (0.001, "3.6/h")])
def test_rates(rate, text):
    assert describe_rate(rate) == text


def test_one_line_says_what_matters_first():
    assert summary_line(busy_command()) == (
        "2 of 5 runs, 270 of 550+ requests (40 cached, 20 resumed), 42.1/s, 9,100 tokens/s, about 1 min 35 s left, "
        "1 run failed, 3 rate_limited, $3.41 of $10.00 and 2 unpriced, 1.23M + 45.6k tokens"
    )


def test_tools_and_compilers_are_counted_in_their_own_units():
    runs = [
        RunReport(
            "gmm:model=gradbench/numpy", "running", "execution", "evaluations", 20, 5, outcomes={"ok": 4, "timeout": 1}
        ),
        RunReport("llvm:model=llvm/Oz", "running", "execution", "episodes", 8, 2, outcomes={"ok": 2}),
        RunReport("gsm:model=lab/m", "running", "execution", "requests", 10, 1),
    ]
    assert summary_line(command(runs=runs)) == (
        "0 of 3 runs, 2 of 8 episodes, 5 of 20 evaluations, 1 of 10 requests, 1 timeout"
    )


def test_everything_at_once():
    assert describe_command(busy_command(), "try", NOW)[0].startswith("try: running for 1 min (helm-run, process ")
    assert describe_command(busy_command(), "try", NOW)[2:] == [
        "  time left: about 1 min 35 s (about 4,000 requests left, 42.1 a second)",
        "  https://api.lab.org: 12 of 16 in flight, 3 waiting, at most 8.2/s, 2 to be tried again, "
        "failed tries: 4 rate_limited, 1 server, pause of 4 s",
        "  gsm:model=lab/m: 120 of 400 requests",
        "  wmt_14:language_pair=de-en,model=lab/m: metrics",
        "  bbq:model=lab/m: ScenarioError: no such file: x.csv",
        "  runs: 1 done, 1 waiting",
    ]


@pytest.mark.parametrize("width", [20, 40, 60, 80, 200])
@pytest.mark.parametrize("is_ascii", [False, True])
@pytest.mark.parametrize("height", [6, 12, 50])
def test_the_panel_fits_the_terminal(width, height, is_ascii):
    panel = pytest.importorskip("helm.benchmark.live.panel")
    lines = panel.Drawing(width, height, is_ascii).lines(busy_command(), "try", NOW)
    assert len(lines) < height
    assert all(line.cell_len <= width for line in lines), [line.plain for line in lines]
    if is_ascii:
        assert all(line.plain.isascii() for line in lines)


@pytest.mark.parametrize("report", [command(), command(runs=[RunReport("a")]), command(state="finished", ended_at=NOW)])
def test_the_panel_of_a_command_that_has_done_nothing(report):
    panel = pytest.importorskip("helm.benchmark.live.panel")
    assert panel.Drawing(80, 24).lines(report, "try", NOW)[0].plain.startswith("try ")


def test_names_and_messages_do_not_move_the_cursor():
    panel = pytest.importorskip("helm.benchmark.live.panel")
    runs = [RunReport("a\n\x1b[2Jb", "failed", "setup", error_type="E", message="\x1b]0;x\x07\r")]
    lines = panel.Drawing(80, 24).lines(command(runs=runs), "try", NOW)
    assert all(line.plain.isprintable() for line in lines)


def test_the_panel_shows_many_runs_by_the_ones_that_matter():
    panel = pytest.importorskip("helm.benchmark.live.panel")
    runs = [RunReport(f"run{i}", "running", "execution", total=9, done=i % 9) for i in range(300)]
    runs += [RunReport(f"bad{i}", "failed", "setup", error_type="E", message="m") for i in range(100)]
    lines = [line.plain for line in panel.Drawing(80, 24).lines(command(runs=runs), "try", NOW)]
    assert len(lines) < 24 and "bad99" in "".join(lines) and "and 292 more" in lines[-1]


def test_lines_are_said_every_ten_seconds_and_only_when_something_changed():
    clock, said = [0.0], []
    view = LinesView(said.append, lambda: clock[0])
    for second in range(60):
        clock[0] = second
        view.show_all([busy_command() if second < 30 else busy_command(failures={})])
    assert len(said) == 2 and said[0].startswith("Progress: 2 of 5 runs")


def test_without_a_terminal_there_is_no_panel():
    assert isinstance(create_view("auto", "try", io.StringIO()), LinesView)


def test_a_view_that_there_is_not():
    with pytest.raises(ConfigError, match="'pannel'. Did you mean 'panel'"):
        create_view("pannel")


# --- when it may be over


def test_the_time_left_counts_on_runs_whose_requests_are_not_made_yet():
    runs = [
        RunReport("a", "done", total=100, done=100),
        RunReport("b", "running", total=300, done=100),
        RunReport("c"),
        RunReport("d", "failed", total=100, done=3),
    ]
    eta = estimate_time_left(runs, RateReport(30.0, 10.0, 0.0))
    assert eta.seconds == pytest.approx((200 + 500 / 3) / 10)
    assert eta.basis == "about 367 requests left, 10 a second; 1 run is taken to be as large as the others"


@pytest.mark.parametrize("rate", [None, RateReport(1.0, 10.0, 0.0), RateReport(30.0, 0.0, 0.0)])
def test_without_a_rate_nobody_knows(rate):
    assert estimate_time_left([RunReport("a", "running", total=10)], rate) is None


def test_rates_are_of_the_last_half_minute():
    class Result:
        success, cached = True, False

    now = [NOW]
    progress = CommandProgress(["a"], clock=lambda: now[0])
    tokens = [0]
    snapshots = Snapshots(progress, "x", list, lambda: Spent(0, 0, tokens[0], 0, 0.0, 0, {}, 0.0), clock=lambda: now[0])
    with counting(progress.runs[0]) as run:
        run.expect("requests", 10_000)
        for second in range(100):
            now[0] = NOW + second
            for _ in range(10 if second < 50 else 2):
                run.count(Result())
                tokens[0] += 5
            report = snapshots.take()
    assert report.rate.window_s == pytest.approx(30)
    assert (report.rate.requests_per_s, report.rate.tokens_per_s) == (pytest.approx(2), pytest.approx(10))


def test_the_share_done_is_never_more_than_all():
    runs = [RunReport("a", "running", total=3, done=9), RunReport("b", "done"), RunReport("c")]
    assert share_done(command(runs=runs)) == pytest.approx(2 / 3)
    assert share_done(command()) == 1.0


def test_a_command_that_ended_has_no_time_left():
    report = replace(busy_command(), state="finished", ended_at=NOW)
    assert "left" not in summary_line(replace(report, eta=None)) and "42.1/s" not in summary_line(report)


def test_episodes_of_agents_show_turns_and_money():
    progress = CommandProgress(["agents"], clock=lambda: NOW)
    (run,) = progress.runs
    with counting(run):
        run.expect("episodes", 3)
        for turns, cost in ((3, 0.01), (5, 0.03)):
            with run.episode("done") as episode:
                for _ in range(turns):
                    episode.count(1, cost / turns)
            run.count(None)
        with run.episode("csv-totals") as episode:
            episode.count(1, 0.25)
            episode.count(0, 0.25)
            report = run.report()
    lines = describe_command(command(runs=[report]), "s", NOW + 12)
    assert "  agents: 2 of 3 episodes, 4 turns and $0.02 each" in lines
    assert "    csv-totals: turn 1, $0.5, 12 s" in lines
    with run.episode("free") as episode:
        episode.count(1, None)
    assert run.report().episodes.cost_usd is None and run.report().episodes.turns == 10
