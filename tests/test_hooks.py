"""Hooks of whole commands: which events arrive, in which order, and that they change nothing."""

import json
import threading

import pytest

from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.common.errors import ConfigError
from helm.common.telemetry.hook_events import HookDispatcher, metrics_of, params_of, without_secrets
from helm.common.telemetry.hook_loading import load_hooks
from helm.common.telemetry.hooks import Hooks
from hooks_support import NAME, RECORDER, RUN, helm_run
from scripted_chat_server import ScriptedChatServer

BROKEN = """
import sys

from helm.common.telemetry.hooks import Hooks


class Broken(Hooks):
    def on_request(self, event):
        event.params["temperature"] = 7.0

    def on_run_end(self, event):
        raise AssertionError("it was to be off")


class Exiting(Hooks):
    def on_run_start(self, event):
        sys.exit(3)
"""

JUDGED = """
from dataclasses import replace

from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.annotation.annotator import AnnotatorSpec
from helm.benchmark.run_spec import get_run_spec_function, run_spec_function

PREFIX = "helm.benchmark"


@run_spec_function("judged")
def get_judged_spec():
    run_spec = get_run_spec_function("simple_short_answer_qa")()
    annotators = [AnnotatorSpec(f"{PREFIX}.annotation.harm_bench_annotator.HarmBenchAnnotator")]
    metrics = [MetricSpec(f"{PREFIX}.metrics.safety_metrics.SafetyScoreMetric")]
    return replace(run_spec, name="judged", annotators=annotators, metric_specs=metrics)
"""


def events_of(folder):
    return [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]


def files_of(folder, name=NAME):
    return {path.name: path.read_bytes() for path in (folder / "benchmark_output/runs/s" / name).iterdir()}


@pytest.fixture
def recorder(tmp_path):
    (tmp_path / "recorder.py").write_text(RECORDER)
    return tmp_path


def test_events_arrive_in_the_order_in_which_things_happen(recorder):
    done = helm_run(recorder, "--hooks", "recorder.py")
    assert done.returncode == 0, done.stderr
    events = events_of(recorder)
    kinds = [event["event"] for event in events]
    assert kinds == ["command_start", "run_start", *["request"] * 6, *["instance"] * 3, "run_end", "command_end"]
    assert [event["at"] for event in events] == sorted(event["at"] for event in events)
    assert events[0]["run_names"] == [NAME] and events[-1]["state"] == "finished"
    requests = events[2:8]
    assert sorted((event["number"], event["state"]) for event in requests) == sorted(
        (number, state) for number in (1, 2, 3) for state in ("sent", "answered")
    )
    assert {(event["stage"], event["model"], event["prompt"], event["completions"]) for event in requests} == {
        ("execution", "simple/model1", None, None)
    }
    end = events[-2]
    stats = json.loads(files_of(recorder)["stats.json"])
    (exact,) = [stat for stat in stats if stat["name"] == {"name": "exact_match", "split": "test"}]
    assert end["metrics"]["test/exact_match"] == end["score"] == exact["mean"]
    assert end["requests"] == {"done": 3, "cached": 0, "resumed": 0}
    assert end["params"]["adapter_spec.model"] == "simple/model1"
    assert not [path for path in end["files"] if path.endswith("scenario_state.json")]
    scores = [event["scores"]["exact_match"] for event in events if event["event"] == "instance"]
    assert sum(scores) / 3 == pytest.approx(exact["mean"])


def test_texts_are_shown_if_they_are_asked_for(recorder):
    assert helm_run(recorder, "--hooks", "recorder.Recorder", "--hook-texts").returncode == 0
    events = events_of(recorder)
    answered = [event for event in events if event.get("state") == "answered"]
    assert len(answered) == 3 and all("Question:" in event["prompt"] and event["completions"] for event in answered)
    assert [path for path in events[-2]["files"] if path.endswith("scenario_state.json")]


def test_a_hook_that_fails_is_off_and_the_run_is_as_without_it(recorder, tmp_path_factory):
    (recorder / "broken.py").write_text(BROKEN)
    plain = tmp_path_factory.mktemp("plain")
    assert helm_run(plain).returncode == 0
    done = helm_run(recorder, "--hooks", "broken.py", "recorder.py")
    assert done.returncode == 0
    warnings = [line for line in done.stderr.splitlines() if " is off from now on" in line]
    assert len(warnings) == 2
    assert "Exiting failed in on_run_start" in warnings[0]
    assert "Broken failed in on_request" in warnings[1] and "mappingproxy" in warnings[1]
    assert len(events_of(recorder)) == 13
    with_hooks, without = files_of(recorder), files_of(plain)
    for name in ("run_spec.json", "scenario.json"):
        assert with_hooks[name] == without[name]
    assert with_hooks.keys() == without.keys()


def test_a_failed_run_and_an_answer_from_the_cache(recorder):
    def judge(prompt):
        return "no score here"

    (recorder / "judged.py").write_text(JUDGED)
    server = ScriptedChatServer({"Question": {"content": "Paris"}}, judge)
    try:
        entry = f"judged:model=openai-compat/m@{server.url}"
        arguments = ["--plugins", "judged.py", "--grader", f"{server.url}#judge", "--hooks", "recorder.py"]
        done = helm_run(recorder, *arguments, "--price", "1000,1000", entry=entry)
        first = events_of(recorder)
        assert done.returncode == 1
        server.judge = lambda prompt: "<reasoning>Fine.</reasoning><score>1</score>"
        again = helm_run(recorder, *arguments, entry=entry)
    finally:
        server.close()
    second = events_of(recorder)
    failure = first[-2]
    assert (failure["event"], failure["state"], failure["stage"]) == ("run_failure", "failed", "metrics")
    assert failure["error_type"] and failure["message"] and failure["metrics"] is None
    assert first[-1]["state"] == "failed" and first[-1]["prompt_tokens"] == 60
    answered = [event for event in first if event.get("state") == "answered"]
    assert [(event["stage"], event["prompt_tokens"], event["completion_tokens"]) for event in answered] == [
        (stage, 10, 5) for stage in ("execution", "annotation") for _ in range(3)
    ]
    assert {event["cost_usd"] for event in answered} == {0.015} and {event["kind"] for event in answered} == {
        "text_completion"
    }
    assert again.returncode == 1  # the judge's reply is in the cache
    cached = [event for event in second if event.get("state") == "answered"]
    assert {(event["cached"], event["prompt_tokens"], event["cost_usd"]) for event in cached} == {(True, None, None)}
    name = next(event["run"] for event in first if event["event"] == "run_start")
    assert name.endswith(",grader=openai-compat_judge")


def test_a_request_without_an_answer_has_an_event(recorder):
    entry = "simple_short_answer_qa:model=openai-compat/m@http://127.0.0.1:9/v1"
    done = helm_run(recorder, "--hooks", "recorder.py", "--no-probe", entry=entry, HELM_RETRIES="0")
    assert done.returncode == 1
    events = events_of(recorder)
    failed = [event for event in events if event["event"] == "request" and event["state"] == "failed"]
    assert failed and all(event["outcome"] for event in failed)
    assert events[-2]["event"] == "run_failure" and events[-2]["stage"] == "execution"


def test_a_run_that_is_there_has_no_events(recorder):
    assert helm_run(recorder).returncode == 0
    assert helm_run(recorder, "--hooks", "recorder.py", "--skip-completed-runs").returncode == 0
    assert [event["event"] for event in events_of(recorder)] == ["command_start", "command_end"]


def test_an_installed_package_adds_a_hook_by_an_entry_point(recorder):
    metadata = recorder / "watching-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: watching\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[helm.hooks]\nrecorder = recorder:Recorder\nbad = no_such_module:X\n")
    done = helm_run(recorder)
    assert done.returncode == 0 and "Failed to load plugin entry point: bad" in done.stderr
    assert len(events_of(recorder)) == 13


@pytest.mark.parametrize(
    "hook, message",
    [
        ("opentelemetri", "not 'opentelemetri'. Did you mean 'opentelemetry'?"),
        ("no.such.Hook", "cannot import no.such.Hook"),
        ("json.JSONDecoder", "is no subclass of"),
    ],
)
def test_a_hook_that_does_not_exist_is_refused(hook, message):
    with pytest.raises(ConfigError) as caught:
        load_hooks([hook])
    assert message in str(caught.value)


def test_a_command_without_hooks_loads_and_calls_nothing_of_them(tmp_path):
    program = f"""
import sys
from helm.benchmark import run

called = []
sys.setprofile(lambda frame, kind, value: called.append(frame.f_code.co_filename) if kind == "call" else None)
run.main(["-r", "{RUN}", "-m", "3", "--suite", "s"])
sys.setprofile(None)
assert len(called) > 1000
assert not [name for name in sys.modules if name.startswith(("helm.common.telemetry.hook", "helm.common.telemetry.sinks"))]
"""
    (tmp_path / "program.py").write_text(program)
    import subprocess
    import sys

    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


class Slow(Hooks):
    def __init__(self):
        self.numbers, self.threads, self.gate = [], set(), threading.Event()

    def on_request(self, event):
        self.gate.wait(60)
        self.threads.add(threading.current_thread().name)
        self.numbers.append(event)


def test_threads_do_not_wait_for_a_slow_hook_and_it_is_called_by_one_thread():
    hook = Slow()
    dispatcher = HookDispatcher([hook])
    threads = [
        threading.Thread(target=lambda k=k: [dispatcher.send("on_request", (k, i)) for i in range(200)])
        for k in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads) and not hook.numbers
    hook.gate.set()
    dispatcher.close()
    assert len(hook.numbers) == 1600 and hook.threads == {"helm-hooks"}
    for k in range(8):
        assert [i for thread, i in hook.numbers if thread == k] == list(range(200))


def test_a_hook_that_hangs_does_not_hold_the_command_for_ever(monkeypatch, caplog):
    monkeypatch.setattr("helm.common.telemetry.hook_events._LONGEST_WAIT_S", 0.2)
    hook = Slow()
    dispatcher = HookDispatcher([hook])
    dispatcher.send("on_request", 1)
    dispatcher.close()
    assert not hook.numbers
    hook.gate.set()


def test_params_have_no_secrets():
    from helm.benchmark.adaptation.adapter_spec import AdapterSpec
    from helm.benchmark.run_spec import RunSpec
    from helm.benchmark.specs import ScenarioSpec

    args = {
        "url": "http://me:secret@host/v1?api_key=secret&x=1",
        "api_key": "secret",
        "max_tokens": 5,
        "long": "x" * 2000,
    }
    params = params_of(RunSpec("r", ScenarioSpec("a.B", args), AdapterSpec(method="generation"), []))
    assert "secret" not in str(params)
    assert params["scenario_spec.args.url"] == "http://me:***@host/v1?api_key=***&x=1"
    assert params["scenario_spec.args.max_tokens"] == 5 and len(params["scenario_spec.args.long"]) == 500
    with pytest.raises(TypeError):
        params["name"] = "other"
    assert without_secrets("no address") == "no address"


def test_metrics_without_a_mean_are_left_out():
    stats = [
        Stat(MetricName("a", "test")).add(1.0),
        Stat(MetricName("b", "test")),
        Stat(MetricName("c")).add(float("nan")),
    ]
    assert metrics_of(stats) == {"test/a": 1.0}
