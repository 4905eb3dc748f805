"""A command that is asked for N runs does N runs, or says which ones it did not."""

import json
import sys

import pytest

from helm.benchmark import run
from helm.benchmark.runner import Runner
from helm.common.concurrency import overlap

MODULE = "runs_accounted_test"


class ChattyRunner(Runner):
    """As plugins for HELM have them: with a `run_one` of its own."""

    names: list = []

    def run_one(self, run_spec):
        self.names.append(run_spec.name)
        super().run_one(run_spec)


class ForgetfulRunner(Runner):
    def _run_each(self, run, run_specs, width, begin_group):
        run(0)


@pytest.fixture
def helm(tmp_path, monkeypatch, capsys):
    """Runs three runs that wait for an endpoint; returns exit status, all output, and standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setitem(sys.modules, MODULE, sys.modules[__name__])
    line = {"input": {"text": "Why?"}, "references": [{"output": {"text": "x"}, "tags": ["correct"]}], "split": "test"}
    entries = []
    for name in "abc":
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(line) + "\n")
        entries.append(f"custom_mcqa:path={tmp_path}/{name}.jsonl,num_train_instances=0,model=openai-compat/m")

    def helm(*flags):
        status = 0
        try:
            run.main(["-r", *entries, "-m", "1", *flags])
        except SystemExit as e:
            status = e.code
        captured = capsys.readouterr()
        return status, captured.out + captured.err, captured.err

    return helm


@pytest.mark.parametrize("width", [0, 1, 2, 8])
@pytest.mark.parametrize("can_overlap", [lambda i: True, lambda i: False, lambda i: i != 2])
def test_every_item_is_processed_whatever_the_width(width, can_overlap):
    done, begun = [], []
    overlap(done.append, range(5), can_overlap, width, begun.append)
    assert sorted(done) == [0, 1, 2, 3, 4] and sum(begun) == 5


def test_a_runner_with_a_run_one_of_its_own_does_every_run(helm):
    ChattyRunner.names.clear()
    status, out, _ = helm("-v", "--runner-class-name", f"{MODULE}.ChattyRunner", "--dry-run")
    assert status == 0 and len(set(ChattyRunner.names)) == 3 and "Done." in out


@pytest.mark.parametrize("flags", [("--engine", "slurm"), ("--engine", "local")])
def test_going_through_the_motions_goes_through_those_of_every_run(helm, flags):
    status, out, _ = helm("-v", "--skip-instances", *flags)
    assert status == 0 and out.count("Running custom_mcqa,") == 3


def test_a_runner_that_forgets_runs_is_an_error_that_names_them(helm):
    status, out, err = helm("--runner-class-name", f"{MODULE}.ForgetfulRunner", "--dry-run")
    assert status == 1
    assert "bug in ForgetfulRunner" in err and all(f"_{name}.jsonl" in err for name in "bc") and "_a.jsonl" not in err
