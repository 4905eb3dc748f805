"""What is counted while runs are at work."""

import threading
from dataclasses import dataclass

import pytest

from helm.common.budgets.spending import BudgetExceeded
from helm.common.concurrency import parallel_map, track
from helm.common.telemetry.progress import CommandProgress, RunProgress, counting, current_run, is_counted
from helm.common.telemetry.progress_report import RunReport


@dataclass
class Answer:
    success: bool = True
    cached: bool = False
    outcome: str | None = None


@pytest.fixture
def run():
    return CommandProgress(["a"], clock=iter(range(100)).__next__).runs[0]


def test_a_run_that_waits_knows_nothing(run):
    report = run.report()
    assert (report.state, report.stage, report.total, report.started_at) == ("waiting", None, None, None)


def test_results_are_counted_by_where_they_come_from_and_how_they_ended(run):
    with counting(run):
        run.expect("requests", 5)
        for result in (Answer(), Answer(cached=True), Answer(False, outcome="filtered"), Answer(False)):
            run.count(result)
        run.count(Answer(), is_resumed=True)
    report = run.report()
    assert (report.done, report.cached, report.resumed, report.total) == (5, 1, 1, 5)
    assert report.outcomes == {"ok": 2, "filtered": 1, "unknown": 1}
    assert (report.state, report.started_at, report.ended_at) == ("done", 1, 2)
    assert run.num_finished_now == 4


@pytest.mark.parametrize(
    "error, state",
    [
        (ValueError("first\nsecond"), "failed"),
        (BudgetExceeded("all is spent"), "stopped"),
        (KeyboardInterrupt(), "stopped"),
    ],
)
def test_how_a_run_ended(run, error, state):
    with pytest.raises(type(error)), counting(run):
        run.stage = "metrics"
        raise error
    report = run.report()
    assert report.state == state and report.stage == "metrics", "where it was"
    assert (report.error_type, report.message) == (("ValueError", "first") if state == "failed" else (None, None))


def test_a_run_that_is_skipped_is_not_done(run):
    with counting(run):
        current_run().skip()
    assert run.report().state == "skipped"


def test_a_long_message_is_cut(run):
    with pytest.raises(ValueError), counting(run):
        raise ValueError("x" * 10_000)
    assert len(run.report().message) <= 300


def test_threads_count_for_the_run_they_were_started_for():
    runs = CommandProgress(["a", "b"]).runs
    seen = {}

    def work(item):
        current_run().count(Answer())
        return current_run().name

    def one(run):
        with counting(run):
            current_run().expect("requests", 200)
            seen[run.name] = set(parallel_map(work, range(200), 8))

    threads = [threading.Thread(target=one, args=(run,)) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {"a": {"a"}, "b": {"b"}}
    assert [run.report().done for run in runs] == [200, 200]


def test_what_a_stage_works_through_is_seen_while_it_lasts(run):
    with counting(run):
        for _ in track(range(3), "annotations"):
            pass
        works = []
        for _ in track(range(3), "annotations"):
            works.append(run.report().work)
        assert [(work.description, work.done, work.total) for work in works] == [
            ("annotations", done, 3) for done in range(3)
        ]
        assert run.report().work is None


def test_the_requests_themselves_are_counted_once(run):
    with counting(run):
        run.expect("requests", 2)
        for _ in track(range(2), "requests"):
            assert run.report().work is None


def test_without_a_command_counts_go_nowhere():
    assert not is_counted()
    current_run().expect("requests", 3)
    current_run().count(Answer())
    assert current_run().report().done == 0


def test_another_process_may_tell_of_a_run():
    run = RunProgress("a")
    run.tell(RunReport("a", state="running", total=10, done=4, resumed=1, worker="node7"))
    assert run.state == "running" and run.report().worker == "node7" and run.num_finished_now == 3


def test_counting_costs_next_to_nothing(run):
    import time

    answer = Answer()
    started = time.thread_time()
    for _ in range(20_000):
        run.count(answer)
    assert (time.thread_time() - started) / 20_000 < 6.6e-6, "1% of the time of a request at 1,500 a second"
