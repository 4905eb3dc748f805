"""Runs on a real Ray cluster of two machines, which are two sets of processes here."""

import json
import os
import re
import shlex
import signal
import time
from pathlib import Path

import pytest

from cluster_support import MODEL, differences, finish_run, run_files, start_run

pytestmark = pytest.mark.ray

SUITE = Path("benchmark_output/runs/cluster")
SYNTHETIC = "synthetic_reasoning:mode={},model=" + MODEL
ENTRIES = [
    SYNTHETIC.format("pattern_match"),
    SYNTHETIC.format("variable_substitution"),
    "simple_mcqa:model=simple/model1",
    "gradbench_hello:model=gradbench/numpy",
]
COMPILER_ENTRIES = ["llvm:program=crc32,model=llvm/Oz", "llvm:program=crc32,model=llvm/greedy"]
FLAGS = ["-m", "24", "--suite", "cluster"]
RAY = ["--engine", "ray"]


def worker_pids(mark: str) -> list:
    """Processes of workers of the test's cluster, those that run something first."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                title = (folder / "cmdline").read_bytes()
                environment = (folder / "environ").read_bytes()
            except OSError:
                continue
            if title.startswith(b"ray::RayWorker") and mark.encode() in environment:
                found.append((title.startswith(b"ray::RayWorker "), int(folder.name)))
    return [pid for _, pid in sorted(found)]


def config(folder: Path, **settings: object) -> None:
    """`runner_config.yaml` of a command that starts in the folder."""
    (folder / "prod_env").mkdir(parents=True, exist_ok=True)
    (folder / "prod_env/runner_config.yaml").write_text(json.dumps(settings))


@pytest.fixture(scope="module")
def local_suite(tmp_path_factory):
    """Files of the suite as one process makes them."""
    from cluster_support import CountingModel

    model, folder = CountingModel(), tmp_path_factory.mktemp("local")
    finish_run(folder, "-r", *ENTRIES, *FLAGS, OPENAI_BASE_URL=model.url)
    model.close()
    return run_files(folder / SUITE)


def test_two_workers_write_the_files_of_a_local_run(ray_cluster, local_suite, model, tmp_path):
    output = finish_run(tmp_path, "-r", *ENTRIES, *FLAGS, *RAY, OPENAI_BASE_URL=model.url)
    assert differences(local_suite, run_files(tmp_path / SUITE)) == []
    assert set(model.counts.values()) == {1}
    assert "worker 2 is ready" in output and "2 machines" in output
    assert "Language models: 72 requests" in output
    again = finish_run(tmp_path, "-r", *ENTRIES, *FLAGS, *RAY, "--skip-completed-runs", OPENAI_BASE_URL=model.url)
    assert again.count("because run is completed") == len(ENTRIES) and set(model.counts.values()) == {1}


@pytest.mark.parametrize("shard_size", [0, 5], ids=["whole runs", "shards"])
@pytest.mark.parametrize("flags", [[], ["--disable-cache"]], ids=["cache", "no cache"])
def test_killing_a_worker_changes_nothing(ray_cluster, local_suite, model, tmp_path, shard_size, flags):
    config(tmp_path, ray_shard_size=shard_size)
    model.delay_s = 0.2
    arguments = ["-r", *ENTRIES[:2], *FLAGS, *RAY, *flags, "-n", "2"]
    process = start_run(tmp_path, *arguments, OPENAI_BASE_URL=model.url)
    model.wait_for(6)
    victim = worker_pids(ray_cluster)[-1]
    os.kill(victim, signal.SIGKILL)
    output = process.communicate(timeout=300)[0]
    assert process.returncode == 0, output
    assert "was lost" in output
    expected = {name: text for name, text in local_suite.items() if name.startswith("synthetic")}
    assert differences(expected, run_files(tmp_path / SUITE)) == []
    num_twice = sum(count - 1 for count in model.counts.values())
    assert num_twice <= model.most_in_flight, "more was sent again than was in flight"


@pytest.mark.parametrize("shard_size", [0, 5], ids=["whole runs", "shards"])
def test_killing_a_machine_changes_nothing(local_suite, model, tmp_path, cluster_to_break, shard_size):
    """All processes of one of two machines end at once, as when its power fails: Ray's daemons and our worker."""
    config(tmp_path, ray_shard_size=shard_size)
    model.delay_s = 0.2
    model.may_answer.clear()
    arguments = ["-r", *ENTRIES[:2], *FLAGS, *RAY, "-n", "2"]
    process = start_run(tmp_path, *arguments, OPENAI_BASE_URL=model.url)
    output = ""
    while "worker 1 is ready" not in output or "worker 2 is ready" not in output:  # one on each machine
        line = process.stdout.readline()
        assert line, output
        output += line
    model.may_answer.set()
    model.wait_for(model.num_requests + 6)
    (lost,) = cluster_to_break.worker_nodes
    cluster_to_break.remove_node(lost, allow_graceful=False)
    output += process.stdout.read()
    assert process.wait(timeout=60) == 0, output
    assert "was lost" in output
    expected = {name: text for name, text in local_suite.items() if name.startswith("synthetic")}
    assert differences(expected, run_files(tmp_path / SUITE)) == []
    num_twice = sum(count - 1 for count in model.counts.values())
    assert num_twice <= model.most_in_flight, "more was sent again than was in flight"
    finish_run(tmp_path, *arguments, "--skip-completed-runs", OPENAI_BASE_URL=model.url)
    assert sum(count - 1 for count in model.counts.values()) == num_twice, "an answer was paid for again"


def test_ctrl_c_finishes_what_is_in_flight_and_goes_on_later(ray_cluster, local_suite, model, tmp_path):
    model.delay_s = 0.2
    arguments = ["-r", *ENTRIES[:2], *FLAGS, *RAY, "-n", "2"]
    process = start_run(tmp_path, *arguments, OPENAI_BASE_URL=model.url)
    model.wait_for(6)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=120)[0]
    assert process.returncode == 130, output
    assert model.num_requests < 40 and set(model.counts.values()) == {1}
    finish_run(tmp_path, *arguments, OPENAI_BASE_URL=model.url)
    expected = {name: text for name, text in local_suite.items() if name.startswith("synthetic")}
    assert differences(expected, run_files(tmp_path / SUITE)) == []
    assert set(model.counts.values()) == {1}


def test_workers_share_one_budget(ray_cluster, model, tmp_path):
    model.delay_s = 0.1
    output = finish_run(
        tmp_path, "-r", *ENTRIES[:2], *FLAGS, *RAY, "-n", "2", "--max-tokens-total", "1000",
        status=3, OPENAI_BASE_URL=model.url,
    )  # fmt: skip
    assert "tokens are used, and --max-tokens-total is 1,000" in output
    assert model.num_requests == 10, "100 tokens each"


PLUGIN = '''
import os, time
from helm.benchmark.run_spec import get_run_spec_function, run_spec_function
from helm.benchmark.model_deployment_registry import ClientSpec, ModelDeployment, register_model_deployment
from helm.clients.simple_client import SimpleClient
from dataclasses import replace

LOADED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "loaded.txt")


class HeavyClient(SimpleClient):
    """A model that takes its time to load."""

    def __init__(self, cache_config):
        super().__init__(cache_config)
        with open(LOADED, "a") as file:
            file.write(f"{os.getpid()}\\n")


class BrokenClient(SimpleClient):
    def make_request(self, request):
        raise ZeroDivisionError("broken on purpose")


def deployment(name, client, resources):
    register_model_deployment(
        ModelDeployment(name, ClientSpec(f"cluster_plugin.{client}"), resources=resources)
    )


deployment("heavy/model", "HeavyClient", {"num_cpus": 0.5, "accelerator_x": 1})
deployment("broken/model", "BrokenClient", None)
deployment("greedy/model", "HeavyClient", {"num_gpus": 99})


@run_spec_function("plugin_mcqa")
def plugin_mcqa(copy: int):
    return replace(get_run_spec_function("simple_mcqa")(), name=f"plugin_mcqa:copy={copy}")
'''


def test_resources_plugins_and_failures(ray_cluster, tmp_path):
    (tmp_path / "cluster_plugin.py").write_text(PLUGIN)
    config(tmp_path, ray_start_timeout_s=3)
    entries = [f"plugin_mcqa:copy={i},model=heavy/model" for i in range(3)]
    entries += [f"simple_mcqa:model={name}" for name in ("broken/model", "greedy/model", "simple/model1")]
    arguments = ["-r", *entries, *FLAGS, "--plugins", "./cluster_plugin.py"]
    output = finish_run(tmp_path, *arguments, *RAY, status=1, HELM_RETRIES="0")
    assert 'Failed runs: ["simple_mcqa:model=broken_model", "simple_mcqa:model=greedy_model"]' in output
    assert (
        "No machine of the cluster has 1 num_cpus and 99 num_gpus for greedy/model, and none joined within 3 s"
        in output
    )
    assert len((tmp_path / "loaded.txt").read_text().split()) == 1, "a loaded model was not kept"
    error = json.loads((tmp_path / SUITE / "simple_mcqa:model=broken_model/error.json").read_text())
    assert (error["stage"], error["error_type"]) == ("execution", "ExecutorError")
    assert "ZeroDivisionError: broken on purpose" in error["message"] and error["instance_id"]
    greedy = json.loads((tmp_path / SUITE / "simple_mcqa:model=greedy_model/error.json").read_text())
    assert greedy["error_type"] == "ClusterError"

    only_broken = ["-r", entries[3], *FLAGS, "--plugins", "./cluster_plugin.py", "--exit-on-error"]
    outputs = [finish_run(tmp_path, *only_broken, *engine, status=1, HELM_RETRIES="0") for engine in ([], RAY)]
    last = [text.strip().split("\n")[-1] for text in outputs]
    assert last[0] == last[1] and last[0].startswith("helm-run: error: ZeroDivisionError: broken on purpose")


@pytest.mark.parametrize("cache", ["sqlite", "redis", "postgres"])
def test_two_machines_share_one_cache(ray_cluster, model, tmp_path, request, cache):
    """The same questions in two runs, each on a machine of its own."""
    (tmp_path / "twins.py").write_text(
        "from dataclasses import replace\n"
        "from helm.benchmark.run_spec import get_run_spec_function, run_spec_function\n"
        '@run_spec_function("twin")\n'
        "def twin(number: int):\n"
        '    spec = get_run_spec_function("synthetic_reasoning")(mode="pattern_match")\n'
        '    return replace(spec, name=f"twin:number={number}")\n'
    )
    model.delay_s = 0.05
    arguments = ["--plugins", "./twins.py", "-r", *(f"twin:number={i},model={MODEL}" for i in range(2)), *FLAGS]
    if cache != "sqlite":
        arguments += ["--cache-uri", request.getfixturevalue(f"{cache}_uri")]
    output = finish_run(tmp_path, *arguments, *RAY, "-n", "4", OPENAI_BASE_URL=model.url)
    assert "worker 2 is ready" in output
    assert set(model.counts.values()) == {1} and len(model.counts) == 24
    assert bool(list(tmp_path.glob("prod_env/cache/*.sqlite"))) == (cache == "sqlite")


def test_results_go_to_an_object_store(ray_cluster, local_suite, model, tmp_path):
    pytest.importorskip("fsspec")
    store = tmp_path / "store"
    arguments = ["-r", ENTRIES[0], ENTRIES[2], *FLAGS, *RAY, "-o", f"file://{store}"]
    output = finish_run(tmp_path / "work", *arguments, OPENAI_BASE_URL=model.url)
    assert f"The results are in file://{store}/runs/cluster." in output
    found = run_files(store / "runs/cluster")
    assert len({name.split("/")[0] for name in found}) == 2
    assert differences({name: text for name, text in local_suite.items() if name in found}, found) == []
    assert not list((tmp_path / "work/prod_env/staging").glob("*/runs/cluster/s*/*.json")), "the disk fills up"
    again = finish_run(tmp_path / "work", *arguments, "--skip-completed-runs", OPENAI_BASE_URL=model.url)
    assert again.count("because run is completed") == 2 and set(model.counts.values()) == {1}


def test_progress_is_told_by_the_workers(ray_cluster, model, tmp_path):
    from helm.common.telemetry.progress_report import read_progress

    model.delay_s = 0.3
    process = start_run(tmp_path, "-r", *ENTRIES[:2], *FLAGS, *RAY, "-n", "4", OPENAI_BASE_URL=model.url)
    model.wait_for(12)
    time.sleep(2.5)
    (command,) = read_progress(str(tmp_path / SUITE)).commands
    assert process.poll() is None or command.is_over
    assert any(run.worker and run.worker.startswith("worker") and run.total == 24 and run.done for run in command.runs)
    output = process.communicate(timeout=120)[0]
    assert process.returncode == 0, output
    (command,) = read_progress(str(tmp_path / SUITE)).commands
    assert [(run.state, run.done) for run in command.runs] == [("done", 24)] * 2
    assert command.tokens.prompt == 48 * 90
    (endpoint,) = command.endpoints
    assert endpoint.sent == 48 and endpoint.endpoint.startswith("http://127.0.0.1")


def test_episodes_with_compilers_are_divided(ray_cluster, tmp_path):
    pytest.importorskip("llvmlite")
    arguments = ["-r", *COMPILER_ENTRIES, *FLAGS]
    finish_run(tmp_path / "local", *arguments)
    config(tmp_path, ray_shard_size=1)
    finish_run(tmp_path, *arguments, *RAY)
    expected = run_files(tmp_path / "local" / SUITE)
    assert len(expected) > 4 and differences(expected, run_files(tmp_path / SUITE)) == []


def test_the_commands_of_the_page_work(ray_cluster, tmp_path):
    text = (Path(__file__).parents[3] / "docs/howto-cluster.md").read_text(encoding="utf-8")
    commands = [block.strip() for block in re.findall(r"^```shell\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)]
    assert commands
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "helm-run"
        assert "The results are in" in finish_run(tmp_path, *arguments)
