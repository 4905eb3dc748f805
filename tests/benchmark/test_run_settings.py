"""One object has every setting of a run, from the command line to runners, executors and other machines."""

import argparse
import json
import sys
from dataclasses import asdict, dataclass, fields, replace

import pytest

from helm.benchmark import run, run_settings
from helm.benchmark.cluster.worker_setup import current_setup, read_setup
from helm.benchmark.executing.execution import ExecutionSpec
from helm.benchmark.executor import Executor
from helm.benchmark.run_settings import RunSettings
from helm.benchmark.runner import Runner, create_runner
from helm.common.authentication import Authentication
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig, SqliteCacheBackendConfig
from helm.common.codec import dump_json

WORDS = ["-m", "1", "-r", "simple_mcqa:model=simple/model1"]
MODULE = "run_settings_test"


class OldRunner(Runner):
    """As plugins for HELM have them: with HELM's constructor, and a change to the specification."""

    made: list = []

    def __init__(
        self,
        execution_spec,
        output_path,
        suite,
        skip_instances,
        cache_instances,
        cache_instances_only,
        skip_completed_runs,
        exit_on_error,
    ):
        super().__init__(
            replace(execution_spec, parallelism=1),
            output_path,
            suite,
            skip_instances,
            cache_instances,
            cache_instances_only,
            skip_completed_runs,
            exit_on_error=exit_on_error,
        )
        self.made.append(self)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, MODULE, sys.modules[__name__])
    return tmp_path


def test_every_flag_is_a_field_under_its_name():
    flags = {action.dest for action in run.build_parser()._actions if action.dest != "help"}
    assert flags == {item.name for item in fields(RunSettings) if item.metadata}


def test_without_flags_the_settings_are_the_defaults():
    given = RunSettings.of(run.parse_args(["-m", "all"]))
    assert asdict(replace(given, command=None)) == asdict(RunSettings())


@pytest.mark.parametrize(("words", "expected"), [([], (4, 256)), (["-n", "7"], (7, 7))])
def test_a_number_of_threads_limits_the_requests_too(words, expected):
    settings = RunSettings.of(run.parse_args([*WORDS, *words]))
    assert (settings.num_threads, settings.max_in_flight) == expected


def test_a_flag_reaches_a_runner_of_a_plugin_with_helms_constructor(folder):
    OldRunner.made.clear()
    flags = ["--on-failure", "exclude", "--suite", "s", "--exit-on-error", "--runner-class-name", f"{MODULE}.OldRunner"]
    run.main([*WORDS, *flags])
    (runner,) = OldRunner.made
    settings = runner.settings
    assert (settings.on_failure, settings.suite, settings.exit_on_error) == ("exclude", "s", True)
    assert settings.num_threads == runner.executor.settings.num_threads == 1
    assert settings.command.startswith("helm-run -m 1 ") and settings.began_at
    assert list((folder / "benchmark_output/runs/s").glob("simple*/stats.json"))


def test_a_new_field_is_a_flag_and_reaches_runner_executor_and_worker():
    """The whole of what a new flag needs, but for the place that uses it."""

    @dataclass(frozen=True, repr=False, eq=False)
    class More(RunSettings):
        tea: int = run_settings._flag("--tea", type=int, default=2, help="cups of tea")

    parser = argparse.ArgumentParser()
    More.add_flags(parser)
    settings = More.of(parser.parse_args(["-m", "1", "--tea", "5"]))
    runner = create_runner(Runner, settings)
    assert runner.settings.tea == runner.executor.settings.tea == 5
    assert json.loads(dump_json(current_setup(runner.settings)))["settings"]["tea"] == 5


def test_settings_reach_workers_as_json_without_what_may_hold_keys():
    words = ["--base-url", "http://h/v1?api_key=secret", "--cache-instances", "--max-cost", "2", "--no-batch-api"]
    settings = RunSettings.of(run.parse_args([*WORDS, *words]))
    text = dump_json(current_setup(settings))
    there = read_setup(text).settings
    assert "secret" not in text and there.run_entries == [] and there.base_url is None
    assert asdict(there) == asdict(settings.for_worker())
    assert (there.cache_instances, there.max_cost, there.batch_api) == (True, 2.0, False)


def test_helms_specification_is_a_way_to_settings_and_back():
    spec = ExecutionSpec(
        None,
        Authentication("k"),
        "env",
        3,
        True,
        SqliteCacheBackendConfig("elsewhere"),
        settings=RunSettings(on_failure="fail", no_probe=True, max_in_flight=7),
    )
    settings = spec.to_settings()
    assert (settings.api_key, settings.num_threads, settings.max_in_flight, settings.dry_run) == ("k", 3, 7, True)
    assert (settings.on_failure, settings.no_probe, settings.cache_path) == ("fail", True, "elsewhere")
    assert replace(ExecutionSpec.of(settings), settings=spec.settings) == spec
    assert replace(spec, settings=None).to_settings().max_in_flight == 3
    uncached = ExecutionSpec.of(ExecutionSpec(None, Authentication(""), "env", 1).to_settings())
    assert uncached.cache_backend_config == BlackHoleCacheBackendConfig()
    assert Executor(spec).settings.num_threads == 3


def test_settings_do_not_show_their_secrets():
    assert "secret" not in repr(RunSettings(api_key="secret", cache_uri="redis://:secret@h"))
