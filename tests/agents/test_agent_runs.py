"""Runs of agents by the command, with a real server for the model."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from agent_support import ToolCallServer, function_call
from cluster_support import without_timings
from helm.benchmark.running.episode_estimate import tokens_of_turns

TASKS = """
defaults:
  environment:
    class_name: helm.agents.environments.python_domain.PythonDomain
    args: {class_name: agent_support.Shop, data: {stock: {apple: 5, pear: 2}}}
  agent: {class_name: helm.agents.agents.ReactLoop}
tasks:
  - id: sell
    instruction: Sell two apples.
    check: {class_name: helm.agents.checks.DomainCheck, args: {arguments: {item: apple, left: 3}}}
    solution: {calls: [{name: sell, arguments: {item: apple, number: 2}}]}
  - id: count
    instruction: How many pears are there?
    answer: [2, two]
    solution: {calls: [{name: count, arguments: {item: pear}}], answer: "2"}
"""


def answer(body):
    """Count, then sell or say the number, by the number of answers so far."""
    task = next(m["content"] for m in body["messages"] if m["role"] == "user")
    turn = sum(m["role"] == "assistant" for m in body["messages"])
    if turn == 0:
        return {"tool_calls": [function_call("count", {"item": "pear"})]}
    if turn == 1 and "Sell" in task:
        return {"tool_calls": [function_call("sell", {"item": "apple", "number": 2})]}
    return {"tool_calls": [function_call("submit", {"answer": "Two"})]}


@pytest.fixture
def server():
    made = ToolCallServer(answer)
    yield made
    made.close()


def command(folder, *entries, **options):
    (folder / "tasks.yaml").write_text(options.pop("tasks", TASKS))
    named = {f"--{name.replace('_', '-')}": value for name, value in options.items()}
    flags = [name if value is None else f"{name}={value}" for name, value in named.items()]
    return [
        sys.executable, "-m", "helm.benchmark.run", "--suite", "s", "-m", "100", "--progress", "lines", "--no-probe", *flags,
        "-r", *entries,
    ]  # fmt: skip


def run(folder, *entries, check=True, **options):
    done = subprocess.run(
        command(folder, *entries, **options), cwd=folder, env=environment(), capture_output=True, text=True, timeout=120
    )
    assert not check or done.returncode == 0, done.stderr + done.stdout
    return done


def environment():
    return {**os.environ, "PYTHONPATH": os.path.dirname(__import__("agent_support").__file__)}


def read(folder, run_name, file_name):
    return json.loads((folder / "benchmark_output" / "runs" / "s" / run_name / file_name).read_text())


def stat(folder, run_name, name):
    found = [s for s in read(folder, run_name, "stats.json") if s["name"]["name"] == name]
    return found[0].get("mean") if found else None


def test_a_model_at_a_server_and_the_baselines(tmp_path, server):
    entry = "agent_tasks:path=tasks.yaml,epochs=2,temperature=0.5"
    done = run(
        tmp_path, f"{entry},model={server.url}#m", f"{entry},model=agents/oracle", f"{entry},model=agents/nothing"
    )
    names = sorted(os.listdir(tmp_path / "benchmark_output" / "runs" / "s"))
    model = next(name for name in names if "oracle" not in name and "nothing" not in name and name.startswith("agent"))
    oracle, nothing = (next(name for name in names if word in name) for word in ("oracle", "nothing"))
    assert [stat(tmp_path, name, "agent_success") for name in (model, oracle, nothing)] == [1.0, 1.0, 0.0]
    assert stat(tmp_path, model, "agent_turns") == 2.5
    assert stat(tmp_path, model, "agent_pass_hat_2") == 1.0
    assert stat(tmp_path, nothing, "agent_tokens_per_success") is None
    coverage = read(tmp_path, model, "coverage.json")
    assert coverage["requests"]["status"] == {"submitted": 4}
    assert "Success" in done.stdout
    # The epochs are separate draws, and nothing is asked twice within one.
    states = read(tmp_path, model, "scenario_state.json")["request_states"]
    assert [state["request"]["epoch"] for state in states] == [0, 1, 0, 1]
    assert len({json.dumps(state["request"]) for state in states}) == 4
    assert all(state["result"]["events"][0]["kind"] == "message" for state in states)
    assert not (tmp_path / "benchmark_output" / "runs" / "s" / model / "episodes").exists()


def test_kill_9_in_the_middle_pays_nothing_twice(tmp_path):
    """The process is killed four times; each answer is sent once, whatever the cache."""
    slow = ToolCallServer(lambda body: (time.sleep(0.05), answer(body))[1])
    tasks = TASKS + "".join(
        f"  - {{id: more{number}, instruction: 'Sell two apples ({number}).',"
        " check: {class_name: helm.agents.checks.DomainCheck, args: {arguments: {item: apple, left: 3}}}}\n"
        for number in range(20)
    )
    entry = f"agent_tasks:path=tasks.yaml,model={slow.url}#m"
    in_flight = 0
    for _ in range(4):
        process = subprocess.Popen(
            command(tmp_path, entry, tasks=tasks, num_threads=2)[:-2] + ["--disable-cache", "-r", entry],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        before = len(slow.bodies)
        while len(slow.bodies) < before + 8 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        in_flight += 2
    done = subprocess.run(
        [*command(tmp_path, entry, tasks=tasks)[:-2], "--disable-cache", "-r", entry],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    repeated = sum(count - 1 for count in slow.counts.values())
    assert repeated <= in_flight, (
        f"{repeated} answers were paid for twice"
    )  # those that were on their way when it was killed
    name = next(name for name in os.listdir(tmp_path / "benchmark_output" / "runs" / "s") if name.startswith("agent"))
    assert stat(tmp_path, name, "agent_success") == 1.0
    assert len(read(tmp_path, name, "scenario_state.json")["request_states"]) == 22
    slow.close()


@pytest.mark.parametrize(
    ("tasks", "words"),
    [
        ("tasks: 3", "expected an object with a list `tasks`"),
        ("tasks: [{id: a}]", "task 'a' lacks an `instruction`"),
        ("tasks: [{id: a, instruction: x, chek: 1}]", "unknown field 'chek'. Did you mean 'check'?"),
        ("tasks: [{id: a, instruction: x}, {id: a, instruction: y}]", "2 tasks with the id 'a'"),
        ("tasks: [{id: a, instruction: x, limits: {turn: 3}, agent: {class_name: a.B}}]", "Did you mean 'turns'?"),
        ("tasks: [{id: a, instruction: x}]", "neither the run entry nor the task names an agent"),
    ],
)
def test_a_wrong_task_file_is_explained(tmp_path, tasks, words):
    done = run(tmp_path, "agent_tasks:path=tasks.yaml,model=simple/model1", check=False, tasks=tasks)
    assert done.returncode == 1 and words in done.stderr + done.stdout


PRICED = "agent_tasks:path=tasks.yaml,agent=react,turns=4,model=openai/gpt-4o-mini-2024-07-18"


def test_a_dry_run_estimates_turns_tokens_and_money(tmp_path, server):
    """As many turns as earlier runs had, at most the limit; a prompt cache makes repeated prompts cheaper."""
    done = run(tmp_path, PRICED, "agent_tasks:path=tasks.yaml,model=agents/oracle", check=False, dry_run=None)
    found = json.loads((tmp_path / "benchmark_output" / "runs" / "s" / "estimate.json").read_text())
    asking, oracle = found["runs"]
    episodes = asking["episodes"]
    assert (asking["instances"], asking["requests"], oracle["requests"]) == (2, 8, 0)
    assert (episodes["episodes"], episodes["usual_turns"], episodes["most_turns"]) == (2, 4.0, 4)
    assert (
        0
        < asking["cost"]["low"]
        < episodes["cost_with_prompt_cache"]
        < asking["cost"]["expected"]
        < asking["cost"]["worst"]
    )
    assert oracle["cost"] == {"low": 0.0, "expected": 0.0, "worst": 0.0}
    assert "about 4 turns each, at most 4" in done.stdout and "there is no key" in done.stderr

    earlier = f"agent_tasks:path=tasks.yaml,agent=react,model={server.url}#m"
    run(tmp_path, earlier)
    run(tmp_path, PRICED, check=False, dry_run=None)
    found = json.loads((tmp_path / "benchmark_output" / "runs" / "s" / "estimate.json").read_text())
    name = next(name for name in os.listdir(tmp_path / "benchmark_output" / "runs" / "s") if "openai-compat" in name)
    assert found["runs"][0]["episodes"]["usual_turns"] == stat(tmp_path, name, "agent_turns") == 2.5


@pytest.mark.parametrize(
    ("turns", "wanted"), [(1, (100, 0, 10)), (2, (240, 100, 20)), (3, (420, 240, 30)), (0, (0, 0, 0))]
)
def test_the_tokens_of_turns(turns, wanted):
    """Each prompt has all before it; only what is new since the last one cannot be in a prompt cache."""
    found = tokens_of_turns(turns, first=100, output=10, result=30)
    assert (found.prompt, found.repeated, found.completion) == wanted


MANY = TASKS + "".join(
    f"  - {{id: more{number}, instruction: 'Sell two apples ({number}).', group: {'ab'[number % 2]},"
    " check: {class_name: helm.agents.checks.DomainCheck, args: {arguments: {item: apple, left: 3}}},"
    " solution: {calls: [{name: sell, arguments: {item: apple, number: 2}}]}}\n"
    for number in range(12)
)
SPOOLED = """
import helm.agents.executor
from helm.benchmark.adaptation import spooled_states
from helm.benchmark.run import main

helm.agents.executor.AgentExecutor.most_states_in_memory = 3
spooled_states.SpooledStates.with_results = (
    lambda self, results, real=spooled_states.SpooledStates.with_results: print("spooled") or real(self, results)
)
main()
"""
TIMES = re.compile(
    r'"(elapsed_s|working_s|at|t|request_\w+|sum|sum_squared|min|max|mean|variance|stddev|latency_s)": [0-9.e-]+'
)


@pytest.mark.parametrize("epochs", ["", ",epochs=3,temperature=0.5"], ids=["once", "epochs"])
def test_episodes_kept_in_a_file_give_the_same_files(epochs, tmp_path):
    """All of the run's files but for times."""
    texts = {}
    for name, start in (("memory", ["-m", "helm.benchmark.run"]), ("file", ["-c", SPOOLED])):
        folder = tmp_path / name
        folder.mkdir()
        words = command(folder, f"agent_tasks:path=tasks.yaml,model=agents/oracle{epochs}", tasks=MANY)
        done = subprocess.run(
            [words[0], *start, *words[3:]], cwd=folder, env=environment(), capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr + done.stdout
        assert ("spooled" in done.stdout) == (name == "file")
        (made,) = [
            path for path in (folder / "benchmark_output" / "runs" / "s").iterdir() if path.name.startswith("agent")
        ]
        assert stat(folder, made.name, "agent_success") == 1.0
        texts[name] = {path.name: TIMES.sub("", without_timings(path)) for path in made.iterdir() if path.is_file()}
    assert (
        texts["memory"].keys() == texts["file"].keys()
        and {"scenario_state.json", "intervals.json"} <= texts["file"].keys()
    )
    for file_name, text in texts["memory"].items():
        assert texts["file"][file_name] == text, file_name
