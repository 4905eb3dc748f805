"""`gradbench suite`: every eval against every tool, and the second time only what is missing."""

import shlex
import sys

import pytest

from helm.gradbench import main as gradbench
from helm.gradbench.report.measurements import read_runs


def run_suite(folder, *tools, evals=("hello",)):
    flags = [flag for name in evals for flag in ("-e", name)] + [flag for name in tools for flag in ("-t", name)]
    with pytest.raises(SystemExit) as exit_:
        gradbench.main(["suite", *flags, "-o", str(folder)])
    return exit_.value.code


def test_what_has_a_log_is_not_run_again(tmp_path, capsys):
    dead = shlex.join(["$", sys.executable, "-c", "pass"])
    assert run_suite(tmp_path, "numpy", dead) == 0
    assert "error\n" in capsys.readouterr().out
    logs = {path: path.stat().st_mtime_ns for path in tmp_path.glob("hello/*.jsonl")}
    assert len(logs) == 2 and not list(tmp_path.rglob("*.part"))
    (tmp_path / "hello" / "numpy.jsonl").rename(tmp_path / "hello" / "numpy.jsonl.part")  # as if broken off
    assert run_suite(tmp_path, "numpy", dead) == 0
    assert capsys.readouterr().out.count("exists already") == 1
    good = next(run for run in read_runs(tmp_path) if run.tool == "numpy")
    assert len(good.measurements) == 8 and all(m.counts for m in good.measurements)


@pytest.mark.parametrize(
    ("evals", "tools", "text"),
    [
        (["gnm"], ["numpy"], "Unknown eval 'gnm'."),
        (["hello"], ["numpi"], "Unknown tool 'numpi'."),
        (["gmm -d 0"], ["numpy"], "gmm: d must be 1 or more"),
        (["hello", "hello"], ["numpy"], "eval: the logs of 'hello' and 'hello' would have the same name hello."),
        (["hello", "'x"], ["numpy"], "failed to split command"),
    ],
)
def test_what_cannot_be_run_is_said_before_anything_is(tmp_path, capsys, evals, tools, text):
    assert run_suite(tmp_path / "logs", *tools, evals=evals) == 1
    out, err = capsys.readouterr()
    assert (out, (tmp_path / "logs").exists()) == ("", False)
    assert text in err


def test_evals_judge_strictly_unless_asked_to_follow_the_original(tmp_path, capsys):
    for folder, flags in (("strict", []), ("compat", ["--compat"])):
        with pytest.raises(SystemExit):
            gradbench.main(["suite", "-e", "hello", "-t", "numpy", "-o", str(tmp_path / folder), *flags])
        start = (tmp_path / folder / "hello" / "numpy.jsonl").read_text().splitlines()[0]
        assert ('"strict": true' in start) == (folder == "strict")


def test_an_empty_command_is_an_error(tmp_path, capsys):
    assert run_suite(tmp_path, "$") == 1
    assert capsys.readouterr().err == "tool: empty command\n"
