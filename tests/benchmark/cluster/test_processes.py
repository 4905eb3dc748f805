"""`--processes N`: several processes make the requests of a run; what comes out, and what kills cost, is that of one process."""

import json
import os
import re
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

import helm
from cluster_support import MODEL, CountingModel, differences, finish_run, run_files, start_run
from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.assembly.run_arguments import parse_args, validate_args
from helm.benchmark.cluster.run_worker import AskedRequest, Shard, ShardJournal
from helm.benchmark.executing.request_journal import RequestJournal, result_text
from helm.benchmark.run_settings import RunSettings
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.scenarios.scenario import Input, Instance, ScenarioSpec
from helm.common.codec import dump_json, from_json
from helm.common.errors import ConfigError
from helm.common.request import GeneratedOutput, Request, RequestResult
from hooks_support import RECORDER

SUITE = Path("benchmark_output/runs/default")
NUM_INSTANCES = 60
ENTRIES = [
    f"simple_classification:model={MODEL}",  # its questions are made in no time
    "simple_mcqa:model=simple/model1",  # a model in the process
]
RUN = SUITE / "simple_classification:model=openai-compat_loopback"
FLAGS = ["-m", str(NUM_INSTANCES)]
TWO = ["--processes", "2"]
CACHE, NO_CACHE = [], ["--disable-cache"]


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """Files of the runs as one process makes them."""
    model, folder = CountingModel(), tmp_path_factory.mktemp("alone")
    finish_run(folder, "-r", *ENTRIES, *FLAGS, OPENAI_BASE_URL=model.url)
    model.close()
    return run_files(folder / SUITE)


def of_models(files: dict) -> dict:
    return {name: text for name, text in files.items() if name.startswith("simple_classification")}


def workers_of(pid: int) -> list[int]:
    """Pids of a command's worker processes, oldest first."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                command = (folder / "cmdline").read_bytes()
            except (OSError, IndexError):
                continue
            if parent == pid and b"helm.benchmark.cluster.local_worker" in command:
                found.append(int(folder.name))
    return sorted(found)


def wait_for_end(pids: list[int], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < deadline, "a worker has outlived its command"
        time.sleep(0.02)


def journaled(folder: Path) -> set[int]:
    """Numbers of the requests whose results the journal and its parts hold."""
    found = set()
    for path in (folder / RUN).glob("requests.journal*"):
        for line in path.read_bytes().split(b"\0")[0].split(b"\n"):
            if line.startswith(b"["):
                entry = json.loads(line)
                found |= {entry[0]} if len(entry) == 2 else set()
    return found


def num_twice(counts: Counter) -> int:
    return sum(count - 1 for count in counts.values())


def test_two_processes_write_the_files_of_one(expected, model, tmp_path):
    output = finish_run(tmp_path, "-r", *ENTRIES, *FLAGS, *TWO, OPENAI_BASE_URL=model.url)
    assert "worker 2 is ready" in output and f"Language models: {2 * NUM_INSTANCES} requests" in output, output
    assert differences(expected, run_files(tmp_path / SUITE)) == []
    assert set(model.counts.values()) == {1} and len(model.counts) == NUM_INSTANCES
    assert list((tmp_path / RUN).glob("requests.journal*")) == []
    again = finish_run(tmp_path, "-r", *ENTRIES, *FLAGS, *TWO, "--skip-completed-runs", OPENAI_BASE_URL=model.url)
    assert "is ready" not in again and num_twice(model.counts) == 0
    # The response cache is that of one process, too.
    finish_run(tmp_path, "-r", *ENTRIES, *FLAGS, "--suite", "cached", OPENAI_BASE_URL=model.url)
    assert num_twice(model.counts) == 0


@pytest.mark.parametrize("flags", [CACHE, pytest.param(NO_CACHE, marks=pytest.mark.slow)], ids=str)
def test_killing_a_worker_changes_nothing(expected, model, tmp_path, flags):
    model.delay_s = 0.1
    process = start_run(tmp_path, "-r", *ENTRIES[:1], *FLAGS, *TWO, *flags, "-n", "4", OPENAI_BASE_URL=model.url)
    model.wait_for(16)
    victim = workers_of(process.pid)[0]
    os.kill(victim, signal.SIGKILL)
    output = process.communicate(timeout=120)[0]
    assert process.returncode == 0, output
    assert f"its worker was lost (process {victim} was ended by SIGKILL)" in output
    assert differences(of_models(expected), run_files(tmp_path / SUITE)) == []
    assert num_twice(model.counts) <= 2, "only what it had in flight, two requests, is sent again"


@pytest.mark.parametrize("flags", [pytest.param(CACHE, marks=pytest.mark.slow), NO_CACHE], ids=str)
def test_killing_the_command_changes_nothing(expected, model, tmp_path, flags):
    """What its workers have in flight then is finished and kept; they end."""
    model.delay_s = 0.1
    arguments = ["-r", *ENTRIES[:1], *FLAGS, *flags, "-n", "4"]
    process = start_run(tmp_path, *arguments, *TWO, OPENAI_BASE_URL=model.url)
    model.wait_for(16)
    workers = workers_of(process.pid)
    assert len(workers) == 2
    process.kill()
    process.communicate()
    wait_for_end(workers)
    done = journaled(tmp_path)
    assert len(done) == model.num_requests >= 16, "a request that was answered is on disk"
    finish_run(tmp_path, *arguments, *TWO, OPENAI_BASE_URL=model.url)
    assert differences(of_models(expected), run_files(tmp_path / SUITE)) == []
    assert num_twice(model.counts) == 0 and len(model.counts) == NUM_INSTANCES


def test_one_process_goes_on_where_several_were_killed(expected, model, tmp_path):
    model.delay_s = 0.05
    arguments = ["-r", *ENTRIES[:1], *FLAGS, "--disable-cache"]
    process = start_run(tmp_path, *arguments, "-n", "4", *TWO, OPENAI_BASE_URL=model.url)
    model.wait_for(20)
    workers = workers_of(process.pid)
    for pid in [process.pid, *workers]:
        os.kill(pid, signal.SIGKILL)
    process.communicate()
    wait_for_end(workers)
    output = finish_run(tmp_path, *arguments, OPENAI_BASE_URL=model.url)
    assert "requests were finished by an earlier attempt" in output
    assert differences(of_models(expected), run_files(tmp_path / SUITE)) == []
    assert num_twice(model.counts) <= 4, "no more than was in flight is sent again"


def test_ctrl_c_finishes_what_is_in_flight(expected, model, tmp_path):
    model.delay_s = 0.1
    arguments = ["-r", *ENTRIES[:1], *FLAGS, *TWO, "-n", "4"]
    process = start_run(tmp_path, *arguments, OPENAI_BASE_URL=model.url)
    model.wait_for(12)
    workers = workers_of(process.pid)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=60)[0]
    assert process.returncode == 130, output
    wait_for_end(workers, 5.0)
    assert model.num_requests < NUM_INSTANCES
    finish_run(tmp_path, *arguments, OPENAI_BASE_URL=model.url)
    assert differences(of_models(expected), run_files(tmp_path / SUITE)) == []
    assert num_twice(model.counts) == 0


def test_processes_share_one_budget(model, tmp_path):
    model.delay_s = 0.05
    output = finish_run(
        tmp_path, "-r", *ENTRIES[:1], *FLAGS, *TWO, "-n", "8", "--max-tokens-total", "2000",
        status=3, OPENAI_BASE_URL=model.url,
    )  # fmt: skip
    assert "tokens are used, and --max-tokens-total is 2,000" in output
    assert 20 <= model.num_requests <= 21, "each answer has 100 tokens; at most one more is sent"


def test_a_limit_of_requests_is_that_of_all_processes_together(model, tmp_path):
    finish_run(tmp_path, "-r", *ENTRIES[:1], *FLAGS, "--processes", "4", "-n", "2", OPENAI_BASE_URL=model.url)
    assert model.most_in_flight == 2


def test_workers_that_end_again_and_again_fail_the_run(model, tmp_path):
    (tmp_path / "prod_env").mkdir()
    (tmp_path / "prod_env/runner_config.yaml").write_text("max_worker_retries: 1\n")
    model.may_answer.clear()
    process = start_run(tmp_path, "-r", *ENTRIES[:1], *FLAGS, *TWO, OPENAI_BASE_URL=model.url)
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        for pid in workers_of(process.pid):
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.2)
    output = process.communicate(timeout=10)[0]
    assert process.returncode == 1, output
    assert "2 workers were lost in a row, the last one because of this: process" in output
    error = json.loads((tmp_path / RUN / "error.json").read_text())
    assert error["error_type"] == "WorkerLostError" and error["stage"] == "execution"


def test_a_failed_request_fails_the_run_as_in_one_process(tmp_path):
    """No server listens there, and nothing is tried again."""
    told = []
    for name, flags in (("one", []), ("two", TWO)):
        arguments = ["-r", *ENTRIES[:1], *FLAGS, *flags, "-n", "2", "--no-probe"]
        address = "http://127.0.0.1:1/v1"
        finish_run(tmp_path / name, *arguments, status=1, OPENAI_BASE_URL=address, HELM_RETRIES="0")
        error = json.loads((tmp_path / name / RUN / "error.json").read_text())
        assert "cannot connect" in error["message"]
        message = re.sub(r"after \d+ ms", "after a while", error["message"].partition(" Request:")[0])
        told.append((error["stage"], message))
    assert told[0] == told[1]


def test_hooks_are_told_what_one_process_tells(model, tmp_path):
    told = {}
    for name, flags in (("one", []), ("two", TWO)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "recorder.py").write_text(RECORDER)
        hooks = ["--hooks", "recorder.py", "--hook-texts", "--price", "1,2"]
        output = finish_run(folder, "-r", *ENTRIES, "-m", "8", *hooks, *flags, OPENAI_BASE_URL=model.url)
        (row,) = [line for line in output.split("\n") if line.startswith("simple_classification ")]
        assert "$0.00088" in row, "8 x (90 + 2 x 10) dollars for a million"
        events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
        assert [events[0]["event"], events[-1]["event"]] == ["command_start", "command_end"]
        told[name] = sorted((event["event"], event.get("state", ""), event.get("run", "")) for event in events)
    assert told["one"] == told["two"]


def test_a_shard_records_what_the_journal_would(tmp_path):
    """Idempotency keys come from the place of a request; the same request has the same one whoever sends it."""
    states = [
        new_request_state(Instance(Input(str(i)), [], id=f"id{i}"), Request(prompt=str(i), model_deployment="m/m"))
        for i in range(4)
    ]
    journal = RequestJournal(str(tmp_path), "run")
    journal.open(states)
    spec = RunSpec("run", ScenarioSpec("x.Y"), AdapterSpec(method="generation"), metric_specs=[])
    requests = [AskedRequest(state.request, state.instance.id, state.instance.input.text) for state in states[2:]]
    shard = Shard(spec, [2, 3], requests, [], [], journal.started_at, journal.name, journal.new_part(), journal.header)
    shard = from_json(dump_json(shard), Shard)
    lines: list[str] = []
    part = ShardJournal(shard, lines.append)
    assert [part.place_of(0), part.place_of(1)] == [journal.place_of(2), journal.place_of(3)]
    assert [state.request for state in shard.states()] == [state.request for state in states[2:]]
    assert [state.instance.id for state in shard.states()] == ["id2", "id3"]
    part.open(shard.states())
    result = RequestResult(True, [], [GeneratedOutput("a", 0, [])], False, 1, 1700000000)
    part.record_sent(0)
    part.record_sent(1)
    part.record_result(1, result)
    assert [json.loads(line)[0] for line in lines] == [1], "the position in the shard"

    journal.read_parts(states)
    assert journal.result(3) == result and journal.result(2) is None and journal.was_sent(2)
    part.close()
    journal.close()
    later = RequestJournal(str(tmp_path), "run")
    later.open(states)
    assert later.result(3) == result and later.was_sent(2) and later.started_at == journal.started_at
    later.close()
    other = RequestJournal(str(tmp_path), "another run")
    other.open(states)
    assert other.result(3) is None and not Path(shard.part or "").exists(), "it belongs to other questions"
    other.delete()


def test_damage_to_a_part_costs_its_line_alone(tmp_path):
    states = [new_request_state(Instance(Input(str(i)), [], id=f"id{i}"), Request(prompt=str(i))) for i in range(3)]
    journal = RequestJournal(str(tmp_path), "run")
    journal.open(states)
    answer = result_text(RequestResult(True, [], [GeneratedOutput("a", 0, [])], False))
    lines = [journal.header, f"[0,{answer}]", "[1,{", "[7]", f"[2,{answer}]", f"[1,{answer}"]
    Path(journal.new_part()).write_text("\n".join(lines))
    journal.read_parts(states)
    assert [journal.result(i) is not None for i in range(3)] == [True, False, True]
    journal.delete()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("flags, said", [
    (["--processes", "0"], "--processes takes 1 or more, not 0"),
    (["--processes", "2", "--engine", "slurm"], "its workers are processes already"),
    (["--processes", "2", "--runner-class-name", "a.B"], "that class says where requests are made"),
    (["--processes", "2", "--server-url", "http://localhost"], "the proxy server makes the requests"),
])  # fmt: skip
def test_what_cannot_be_combined_is_refused(flags, said):
    with pytest.raises(ConfigError, match=said):
        validate_args(parse_args(["-r", *ENTRIES, *FLAGS, *flags]))


def test_evaluate_takes_a_number_of_processes(model, tmp_path, monkeypatch):
    """A function of this process scores what others have asked."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_BASE_URL", model.url)
    rows = [{"input": f"question {i}", "target": "x"} for i in range(12)]

    def has_eight_letters(output):
        return float(len(output) == 8)

    results = helm.evaluate(rows, model=MODEL, metrics=[has_eight_letters], processes=2, progress="none")
    (run,) = results.runs
    found = {stat.mean for stat in run.stats() if stat.name.name == "has_eight_letters"}
    assert found == {1.0} and set(model.counts.values()) == {1} and len(model.counts) == 12


def test_workers_have_no_workers():
    assert RunSettings(processes=4).for_worker().processes == 1
