"""Hostile code of a task, through every kind of function: it reaches nothing, and what it uses up is bounded."""

import os
import re
import socket
import threading
from dataclasses import replace
from textwrap import dedent

import pytest

from helm.benchmark.lm_eval.run_spec import make_file_run_spec
from helm.benchmark.lm_eval.task_code import collect_code
from helm.benchmark.lm_eval.task_files import read_task_file
from helm.benchmark.lm_eval.task_worker import LIMITS, TaskError, do_job
from helm.common.data.data_session import data_session
from helm.common.errors import ConfigError
from helm.common.sandbox.selection import get_sandbox

pytest.importorskip("jinja2")

TIGHT = replace(LIMITS, wall_s=60.0, memory_bytes=256 << 20, processes=24, output_bytes=1 << 20, scratch_bytes=16 << 20)
SHORT = replace(TIGHT, wall_s=4.0)

ROWS = [{"q": "1 + 1", "a": "2"}, {"q": "2 + 2", "a": "4"}]

BASE = """
    task: odd
    dataset_path: made
    output_type: generate_until
    training_split: train
    test_split: test
    doc_to_text: q
    doc_to_target: a
    num_fewshot: 1
    """

# For each kind of function: the keys that name it, and what it does after the attack.
KINDS = {
    "process_docs": ("process_docs: !function code.f", "return args[0]"),
    "doc_to_text": ("doc_to_text: !function code.f", "return args[0]['q']"),
    "doc_to_target": ("doc_to_target: !function code.f", "return args[0]['a']"),
    "doc_to_choice": (
        "doc_to_choice: !function code.f\noutput_type: multiple_choice\ndoc_to_target: '0'", "return ['2', '4']",
    ),
    "process_results": ("process_results: !function code.f\nmetric_list: [{metric: m}]", "return {'m': 1}"),
    "metric": ("metric_list: [{metric: !function code.f, aggregation: mean}]", "return 1"),
    "aggregation": ("metric_list: [{metric: exact_match, aggregation: !function code.f}]", "return 1"),
    "filter": (
        "filter_list: [{name: x, filter: [{function: custom, filter_fn: !function code.f}, {function: take_first}]}]",
        "return args[0]",
    ),
    "samples": ("fewshot_config: {samples: !function code.f}", "return [{'q': 'x', 'a': 'y'}]"),
    "custom_dataset": (
        "custom_dataset: !function code.f",
        "import datasets; return {s: datasets.Dataset.from_list([{'q': 'x', 'a': 'y'}] * 3) for s in ('train', 'test')}",
    ),
    "class": ("class: !function code.Odd", "return None"),
}  # fmt: skip

REACH = """
reached = []
def attempt(name, action):
    try:
        action()
    except BaseException:
        return
    reached.append(name)
import os, socket, subprocess, sys
attempt('network', lambda: socket.create_connection(('127.0.0.1', {port}), 1))
attempt('secret file', lambda: open({secret!r}).read())
attempt('shadow', lambda: open('/etc/shadow').read())
attempt('home', lambda: os.listdir(os.path.expanduser('~root'))[0])
attempt('key', lambda: os.environ['OPENAI_API_KEY'])
processes = [p for p in os.listdir('/proc') if p.isdigit()]
attempt('environment of others', lambda: [open(f'/proc/{{p}}/environ').read().index('OPENAI_API_KEY') for p in processes])
attempt('write', lambda: open('/usr/mark', 'w'))
attempt('write beside', lambda: open({mark!r}, 'w'))
attempt('name server', lambda: socket.getaddrinfo('example.org', 80))
attempt('parent', lambda: os.kill({pid}, 0))
if reached:
    raise RuntimeError('REACHED ' + ', '.join(reached))
"""

LOOP = "while True: pass"
FORKS = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"
OUTPUT = "import sys\nwhile True: sys.stdout.write('x' * 65536); sys.stdout.flush()"
MEMORY = "held = []\nwhile True: held.append(b'x' * (1 << 24))"
EXIT = "import sys; sys.exit(0)"
QUIET_EXIT = "import os; os._exit(0)"


def write_task(folder, kind, attack):
    keys, ending = KINDS[kind]
    given = {line.split(":")[0] for line in keys.splitlines()}
    kept = [line for line in dedent(BASE).strip().splitlines() if line.split(":")[0] not in given]
    (folder / "odd.yaml").write_text("\n".join([*kept, keys]) + "\n", encoding="utf-8")
    body = "".join(f"    {line}\n" for line in [*attack.strip().splitlines(), ending])
    code = f"def f(*args, **kwargs):\n{body}"
    if kind == "class":
        code += "from lm_eval.api.task import ConfigurableTask\nclass Odd(ConfigurableTask):\n"
        code += "    def doc_to_text(self, doc):\n        f(doc)\n        return doc['q']\n"
    (folder / "code.py").write_text(code, encoding="utf-8")
    return str(folder / "odd.yaml")


def load(path, name, split, arguments):
    return [{"path": path, "name": name, "split": split, "rows": ROWS, "labels": {}}]


def run_both_jobs(path, limits=TIGHT):
    read = read_task_file(path)
    code = collect_code(read.config(), read.root)
    config = read.config()
    with data_session(trusted_code=[code.digest]):
        built = do_job({"action": "build", "config": config, "num_fewshot": 1}, "odd", code, load, limits)
        documents = []
        for i, one in enumerate(built["documents"]):
            answers = [[[-1.0, False]] if kind == "loglikelihood" else ["2"] for kind, *_ in one["requests"]]
            documents.append({"id": i, "doc": one["doc"], "responses": answers})
        return do_job({"action": "score", "config": config, "documents": documents}, "odd", code, load, limits)


@pytest.fixture(scope="module", autouse=True)
def _sandbox():
    assert get_sandbox().is_protected


@pytest.fixture
def reach(tmp_path, monkeypatch):
    """An attack on a server, a file and a key that are really there."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=lambda: _accept(server), daemon=True).start()
        yield REACH.format(
            port=server.getsockname()[1], secret=str(secret), mark=str(tmp_path / "mark"), pid=os.getpid()
        )


def _accept(server):
    while True:
        try:
            server.accept()
        except OSError:
            return


@pytest.mark.parametrize("kind", KINDS)
def test_code_of_a_task_reaches_no_network_files_or_keys(kind, tmp_path, reach):
    scored = run_both_jobs(write_task(tmp_path, kind, reach))
    assert scored["filters"][0]["aggregates"]
    assert not (tmp_path / "mark").exists()


def test_the_attack_itself_would_reach_them(tmp_path, reach):
    with pytest.raises(RuntimeError, match="REACHED network, secret file"):
        exec(reach, {})


ENDS = {
    "loop": (LOOP, "ended: it took longer"),
    "forks": (FORKS, "ended: it (started more|took longer)"),
    "output": (OUTPUT, "ended: it wrote more"),
    "memory": (MEMORY, "ended: it used more|MemoryError"),
    "exit": (EXIT, "SystemExit"),
    "quiet exit": (QUIET_EXIT, "ended without a result"),
}
QUICK = {("process_docs", "output"), ("metric", "memory"), ("filter", "exit"), ("class", "quiet exit")}


@pytest.mark.parametrize(
    ("kind", "end"),
    [pytest.param(kind, end, marks=[] if (kind, end) in QUICK else pytest.mark.slow) for kind in KINDS for end in ENDS],
)
def test_code_of_a_task_that_does_not_end_well_is_ended_and_named(kind, end, tmp_path):
    attack, message = ENDS[end]
    limits = SHORT if "longer" in message else TIGHT
    with pytest.raises(TaskError, match=f"(?s)task odd: .*({message})"):
        run_both_jobs(write_task(tmp_path, kind, attack), limits)


def test_a_failing_function_names_task_document_and_line(tmp_path):
    path = write_task(tmp_path, "process_results", "if args[0]['q'].startswith('2'):\n    raise ValueError('no')")
    with pytest.raises(TaskError, match=r"task odd: process_results, document 1: ValueError: no \(code.py, line 3\)"):
        run_both_jobs(path)


def test_code_runs_only_after_consent_for_exactly_this_code(tmp_path):
    path = write_task(tmp_path, "doc_to_text", "")
    with data_session(), pytest.raises(ConfigError, match="--trust-task-code sha256:[0-9a-f]{64}") as refused:
        make_file_run_spec(path)
    digest = re.search("sha256:[0-9a-f]{64}", str(refused.value))[0]
    with data_session(trusted_code=[digest]):
        spec = make_file_run_spec(path)
    assert spec.scenario_spec.args["code"] == {"digest": digest, "files": ["code.py"]}
    (tmp_path / "code.py").write_text("def f(doc):\n    return 'other'\n")
    with data_session(trusted_code=[digest]), pytest.raises(ConfigError, match="--trust-task-code"):
        make_file_run_spec(path)


def test_a_result_that_is_no_result_is_an_error(tmp_path):
    forged = (
        "import os\nfor fd in range(3, 20):\n    try: os.write(fd, b'[1, 2]')\n    except OSError: pass\nos._exit(0)"
    )
    with pytest.raises(TaskError, match="something else in place of the result|ended without a result"):
        run_both_jobs(write_task(tmp_path, "process_docs", forged))
