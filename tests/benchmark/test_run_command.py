"""The command itself: exit status, messages, and what it costs to start."""

import sys

import pytest

from helm.benchmark import run
from registries_support import empty_registries


class InterruptedRunner:
    def __init__(self, *arguments):
        assert len(arguments) == 8

    def run_all(self, run_specs):
        raise KeyboardInterrupt


class RecordingRunner(InterruptedRunner):
    runs: list = []

    def run_all(self, run_specs):
        self.runs.extend(run_specs)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HELM_DEBUG", raising=False)
    monkeypatch.setitem(sys.modules, "run_command_test_runners", sys.modules[__name__])
    with empty_registries():
        yield tmp_path


def fail(capsys, *argv) -> tuple[object, str]:
    with pytest.raises(SystemExit) as raised:
        run.main(list(argv))
    return raised.value.code, capsys.readouterr().err


def test_an_error_of_the_user_is_one_line(capsys):
    code, message = fail(capsys, "-r", "simple_mqca:model=simple/model1", "-m", "1")
    expected = "Unknown run spec name: simple_mqca. Did you mean 'simple_mcqa'?"
    assert (code, message) == (
        1,
        f"helm-run: error: {expected} (In the run entry 'simple_mqca:model=simple/model1'.)\n",
    )


def test_interruption_has_its_own_status_and_says_how_to_go_on(capsys):
    runner = "run_command_test_runners.InterruptedRunner"
    code, message = fail(capsys, "-r", "simple_mcqa:model=simple/model1", "-m", "1", "--runner-class-name", runner)
    assert code == 130 and "the same command continues from there" in message


def test_equal_entries_reach_the_runner_once(capsys):
    entry = "simple_mcqa:model=simple/model1"
    run.main(["-r", entry, entry, "-m", "1", "--runner-class-name", "run_command_test_runners.RecordingRunner"])
    assert [spec.name for spec in RecordingRunner.runs] == ["simple_mcqa:model=simple_model1"]
    assert "more than one run entry" in capsys.readouterr().err


@pytest.mark.parametrize(
    "argv, expected",
    [
        (["--runner-class-name", "no_such.Runner"], "Cannot import the runner class 'no_such.Runner'"),
        (["-n", "0"], "--num-threads takes 1 or more"),
        (["-m", "-1"], "--max-eval-instances takes 0 or more"),
        (["-o", "taken/output"], "Cannot make the output folder taken/output"),
    ],
)
def test_bad_arguments_are_named(capsys, folder, argv, expected):
    (folder / "taken").write_text("")
    code, message = fail(capsys, "-m", "1", "-r", "simple_mcqa:model=simple/model1", *argv)
    assert code == 1 and expected in message and message.count("\n") == 1


def test_a_flag_that_does_not_exist_is_refused_with_the_nearest(capsys):
    code, message = fail(capsys, "--conf-file", "x.conf", "-m", "1")
    assert code == 2 and "--conf-file: did you mean --conf-paths?" in message
    assert message.endswith("helm-run: error: unrecognized arguments: --conf-file x.conf\n")


def test_list_needs_no_other_flag(capsys):
    run.main(["--list"])
    assert "\nsynthetic_reasoning:mode" in capsys.readouterr().out


def test_describe_needs_no_other_flag_and_offers_the_nearest_name(capsys):
    run.main(["--describe", "simple_mcqa"])
    assert "simple_mcqa\n===========\n" in capsys.readouterr().out
    code, message = fail(capsys, "--describe", "simple_mcq")
    assert code == 1 and "no run spec 'simple_mcq'. Did you mean 'simple_mcqa'?" in message


def test_help_names_every_flag(capsys):
    with pytest.raises(SystemExit) as raised:
        run.main(["--help"])
    assert raised.value.code == 0
    text = capsys.readouterr().out
    for action in run.build_parser()._actions:
        assert action.option_strings[-1] in text and action.help


def test_perturbations_that_are_not_there_are_named_without_a_traceback():
    from helm.benchmark.augmentations.perturbation import PerturbationSpec, create_perturbation
    from helm.common.errors import ConfigError

    with pytest.raises(ConfigError, match="Cannot import the perturbation no_such_module.Absent"):
        create_perturbation(PerturbationSpec("no_such_module.Absent"))
