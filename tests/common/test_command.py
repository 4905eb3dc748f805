"""Every console script ends in the same way: wrong options, errors of the user's, readers that leave, Ctrl-C."""

import argparse
import configparser
import os
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from helm.common.commands.command import command_main
from helm.common.errors import ConfigError, HelmError


def console_scripts():
    setup = configparser.ConfigParser()
    setup.read(Path(__file__).parents[2] / "setup.cfg")
    lines = setup["options.entry_points"]["console_scripts"].strip().splitlines()
    return dict(line.replace(" ", "").split("=") for line in lines)


SCRIPTS = console_scripts()
NAMES = {"crfm-proxy-server": "helm-proxy-server"}  # a second name for the same command

# Options a letter of which is wrong, with all that is required, and the option that is meant.
WRONG_OPTIONS = {
    "helm-run": (["-m", "1", "--siute", "x"], "--suite"),
    "helm-summarize": (["--siute", "x"], "--suite"),
    "helm-rescore": (["--siute", "x"], "--suite"),
    "helm-cache": (["inspect", "--lcoal-path", "x"], "--local-path"),
    "helm-batch": (["list", "--lcoal-path", "x"], "--local-path"),
    "helm-probe": (["a/b", "--lcoal-path", "x"], "--local-path"),
    "helm-proxy-server": (["--prot", "1"], "--port"),
    "crfm-proxy-server": (["--prot", "1"], "--port"),
    "crfm-proxy-cli": (["list", "--gruop", "x"], "--group"),
    "helm-watch": (["--siute", "x"], "--suite"),
    "helm-runs": (["list", "--siute", "x"], "--suite"),
    "helm-data": (["list", "--oflfine"], "--offline"),
    "helm-create-plots": (["--suite", "x", "--plost", "y"], "--plots"),
    "helm-compare": (["--siute", "x"], "--suite"),
    "helm-gate": (["--siute", "x"], "--suite"),
    "helm-agent": (["replay", "a", "b", "--epohc", "1"], "--epoch"),
    "helm-export": (["--siute", "x"], "--suite"),
    "helm-query": (["--lkae", "x"], "--lake"),
    "helm-import": (["x.json", "--suite", "x", "--formta", "jsonl"], "--format"),
    "helm-server": (["--siute", "x"], "--suite"),
    "gradbench": (["report", "in", "-o", "out", "--otuput", "x"], "--output"),
    "helm-compiler-validate": (["x", "--rewrad", "y"], "--reward"),
    "helm-compiler-service": (["--prot", "1"], "--port"),
}

# What a command cannot do in an empty folder, and a part of what it says of that.
ERRORS = {
    "helm-run": (["-m", "1", "-r", "simple_mqca:model=simple/model1"], "Did you mean 'simple_mcqa'?"),
    "helm-summarize": (["--suite", "absent"], "absent"),
    "helm-rescore": (["--suite", "absent"], "absent"),
    "helm-cache": (["inspect", "absent.sqlite"], "absent.sqlite"),
    "helm-batch": (["forget", "absent"], "absent"),
    "helm-probe": (["no-such/model"], "no-such/model"),
    "helm-proxy-server": (["--port", "99999"], "99999"),
    "crfm-proxy-server": (["--port", "99999"], "99999"),
    "crfm-proxy-cli": (["--api-key-path", "absent.txt", "list"], "absent.txt"),
    "helm-watch": (["--suite", "absent"], "absent"),
    "helm-runs": (["list", "--suite", "absent"], "absent"),
    "helm-data": (["fetch", "simple_mqca"], "simple_mqca"),
    "helm-create-plots": (["--suite", "absent"], "absent"),
    "helm-compare": (["absent", "missing"], "absent"),
    "helm-gate": (["absent", "--fail-under", "x=1"], "absent"),
    "helm-agent": (["replay", "absent", "x"], "absent"),
    "helm-export": (["absent", "--to", "x.csv"], "absent"),
    "helm-query": (["SELECT 1", "--lake", "absent"], "absent"),
    "helm-import": (["absent.json", "--suite", "x"], "absent.json"),
    "helm-server": (["-o", "absent"], "absent"),
    "gradbench": (["report", "absent", "-o", "out"], "absent"),
    "helm-compiler-validate": (["absent"], "absent"),
    "helm-compiler-service": (["--backend", "lvm", "--port", "0"], "Did you mean 'llvm'?"),
}
PREFIXES = {"gradbench": "", "helm-compiler-validate": "helm-compiler-validate: ", "helm-compiler-service": "ERROR: "}
ERROR_STATUS = {"helm-compiler-validate": 2}


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HELM_DEBUG", raising=False)
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)


def run(script, *words, **options):
    module, _, function = SCRIPTS[script].partition(":")
    program = f"import sys; from {module} import {function}; sys.exit({function}(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", program, *words], stderr=subprocess.PIPE, text=True, check=False, timeout=300, **options
    )


def test_all_console_scripts_are_tried():
    assert SCRIPTS.keys() == WRONG_OPTIONS.keys() == ERRORS.keys()


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_option_that_is_meant_is_told(script, capsys):
    words, meant = WRONG_OPTIONS[script]
    wrong = next(word for word in words if word[2:] and sorted(word) == sorted(meant))
    module, _, function = SCRIPTS[script].partition(":")
    main = getattr(import_module(module), function)
    status = ends(lambda arguments: sys.exit(main(arguments)), words)
    out, err = capsys.readouterr()
    *_, hint, error = err.splitlines()
    assert hint == f"{wrong}: did you mean {meant}?" and out == ""
    if script == "helm-compiler-service":  # word for word and status for status those of CompilerGym's services
        assert (status, error) == (1, f"ERROR: Unrecognized command line argument '{wrong}'")
    else:
        assert status == 2 and f"error: unrecognized arguments: {wrong}" in error


@pytest.mark.parametrize("script", SCRIPTS)
def test_an_error_of_the_users_is_one_line(script):
    words, part = ERRORS[script]
    done = run(script, *words, stdout=subprocess.PIPE)
    *_, error = done.stderr.splitlines()
    assert done.returncode == ERROR_STATUS.get(script, 1), done.stderr
    assert error.startswith(PREFIXES.get(script, f"{NAMES.get(script, script)}: error: ")) and part in error
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_reader_that_leaves_is_no_error(script):
    reader, writer = os.pipe()
    os.close(reader)
    done = run(script, "--help", stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def make_main(body, **options):
    return command_main(lambda: argparse.ArgumentParser(prog="it"), **options)(body)


def ends(main, words=()):
    with pytest.raises(SystemExit) as raised:
        main([*words])
    return raised.value.code


@pytest.mark.parametrize("script", SCRIPTS)
def test_ctrl_c_is_told_and_has_its_own_status(script, monkeypatch, capsys):
    """As it reaches a command while it parses."""
    module, _, function = SCRIPTS[script].partition(":")
    main = getattr(import_module(module), function)

    def interrupt(*arguments):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(argparse.ArgumentParser, "parse_known_args", interrupt)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert ends(main) == 130
    finally:
        signal.signal(signal.SIGINT, handler)
    assert capsys.readouterr().err.startswith(f"\n{NAMES.get(script, script)}: interrupted.")


def test_what_is_left_after_ctrl_c_is_said(capsys):
    def body(args):
        raise KeyboardInterrupt

    assert ends(make_main(body, interrupted="All is kept.")) == 130
    assert capsys.readouterr().err == "\nit: interrupted. All is kept.\n"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (HelmError("Too few."), "it: error: Too few.\n"),
        (FileNotFoundError(2, "No such file", "x"), "it: error: No such file: x\n"),
        (TimeoutError("too late"), "it: error: too late\n"),
    ],
)
def test_errors_that_are_the_users(error, line, capsys, monkeypatch):
    def body(args):
        raise error

    assert ends(make_main(body)) == 1
    assert capsys.readouterr().err == line
    monkeypatch.setenv("HELM_DEBUG", "1")
    with pytest.raises(type(error)):
        make_main(body)([])


def test_notes_are_told_behind_the_message(capsys):
    def body(args):
        error = ConfigError("Bad value")
        error.add_note("(In line 3.)")
        raise error

    assert ends(make_main(body, prefix="", error_status=7)) == 7
    assert capsys.readouterr().err == "Bad value. (In line 3.)\n"


def test_other_errors_are_ours_and_keep_their_traceback():
    with pytest.raises(ZeroDivisionError):
        make_main(lambda args: 1 // 0)([])


def test_the_status_of_the_body_is_that_of_the_command():
    assert make_main(lambda args: None)([]) is None and make_main(lambda args: 0)([]) is None
    assert ends(make_main(lambda args: 3)) == 3


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a system without /dev/full")
def test_a_full_disk_is_told_once():
    with open("/dev/full", "w") as full:
        done = run("gradbench", "include", stdout=full)
    assert done.returncode == 1 and done.stderr == "No space left on device\n"
