"""The `gradbench` command around the exchange itself: commands, logs, signals, outcomes."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from helm.common.errors import HelmError
from helm.gradbench import main as gradbench
from helm.gradbench.evals.driver import parse_eval
from helm.gradbench.terminal import format_duration, format_float, format_json, should_color

GRADBENCH = [sys.executable, "-m", "helm.gradbench.main"]
STUB = Path(__file__).with_name("stub_tool.py")


def run_command(capsys, *arguments):
    with pytest.raises(SystemExit) as exit_:
        gradbench.main(arguments)
    out, err = capsys.readouterr()
    return exit_.value.code, out, err


@pytest.mark.parametrize(
    ("eval_command", "tool_command", "text"),
    [
        ("", "x", "eval: empty command"),
        ("'x", "x", "eval: failed to split command"),
        ("no-such-eval", "x", "eval: No such file or directory (os error 2)"),
        ("cat", " ", "tool: empty command"),
        ("true", "no-such-tool", "tool: No such file or directory (os error 2)"),
    ],
)
def test_a_command_that_cannot_be_started_is_an_error(capsys, eval_command, tool_command, text):
    assert run_command(capsys, "run", "--eval", eval_command, "--tool", tool_command) == (1, "", text + "\n")


def test_a_log_that_cannot_be_written_is_an_error_before_anything_starts(capsys, tmp_path):
    arguments = ["run", "--eval", "no-such", "--tool", "no-such", "-o", str(tmp_path / "missing" / "log")]
    assert run_command(capsys, *arguments) == (
        1,
        "",
        f"No such file or directory (os error 2)\nThe log {tmp_path / 'missing' / 'log'} cannot be written.\n",
    )


@pytest.mark.parametrize("arguments", [[], ["run"], ["run", "--eval", "x"], ["frobnicate"]])
def test_usage_errors_exit_with_2(capsys, arguments):
    assert run_command(capsys, *arguments)[0] == 2


@pytest.mark.parametrize(("verb", "name", "near"), [("eval", "gnm", "gmm"), ("tool", "numpi", "numpy")])
def test_a_wrong_name_is_answered_with_the_nearest(capsys, verb, name, near):
    code, out, err = run_command(capsys, verb, name)
    assert (code, out) == (1, "")
    assert f"'{name}'" in err and f"Did you mean '{near}'?" in err


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["evall"], "evall: did you mean eval?"),
        (["log", "sumary"], "sumary: did you mean summary?"),
        (["run", "--evl", "x", "--tool", "y"], "--evl: did you mean --eval?"),
        (["eval", "gmm", "--mim-runs", "3"], "--mim-runs: did you mean --min-runs?"),
        (["eval", "ht", "--model", "smal"], "smal: did you mean small?"),
    ],
)
def test_usage_errors_offer_the_nearest_name(capsys, arguments, text):
    code, out, err = run_command(capsys, *arguments)
    assert (code, out) == (2, "")
    *_, hint, error = err.splitlines()
    assert hint == text and ": error: " in error


def test_a_wrong_value_of_an_option_is_told(capsys):
    code, out, err = run_command(capsys, "run", "--eval", "true", "--tool", "true", "--timeout", "-1")
    assert (code, out) == (2, "") and err.rstrip().endswith("0 seconds or more, not -1")


@pytest.mark.parametrize(
    ("flags", "text"),
    [
        ("gmm -d 2 0", "gmm: d must be 1 or more, got 0."),
        ("gmm -n -5", "gmm: n must be 1 or more, got -5."),
        ("gmm --gamma 0", "gmm: gamma must be above 0, got 0.0."),
        ("gmm --min-seconds nan", "gmm: min_seconds must be 0 or more, got nan."),
        ("lse --min-runs -1", "lse: min_runs must be 0 or more, got -1."),
        ("lse --min-runs 0 --min-seconds 0", "so no run is requested"),
        ("llsq -n 1", "llsq: n must be 2 or more, got 1."),
        ("lstm -c 1", "lstm: c must be 2 or more, got 1."),
        ("det -l 0", "det: l must be 1 or more, got 0."),
        ("ode -s 0", "ode: s must be 1 or more, got 0."),
        ("kmeans -k 0", "kmeans: k must be 1 or more, got 0."),
        ("ht --seed -1", "ht: seed must be 0 or more, got -1."),
    ],
)
def test_sizes_that_ask_for_nothing_are_refused_before_the_first_message(capsys, flags, text):
    code, out, err = run_command(capsys, "eval", *flags.split())
    assert (code, out) == (1, "")
    assert text in err


@pytest.mark.parametrize("name", ["ba", "ht"])
def test_a_range_without_problems_is_an_error(name):
    with pytest.raises(HelmError, match=f"{name}: there is no .* with an index from 30 to 31"):
        list(parse_eval(name, ["--min", "30", "--max", "31"]).evaluations())


def test_a_strict_eval_takes_no_zeros_for_a_gradient_and_says_that_it_is_strict(tmp_path):
    (tmp_path / "zeros.py").write_text(
        "from helm.gradbench.tool import Tool\n"
        "from helm.gradbench.tools.numpy_derivatives import lse\n"
        "tool = Tool('zeros')\n"
        "tool.function('lse', 'primal')(lambda v: lse.FUNCTIONS['primal'].evaluate(lse.FUNCTIONS['primal'].prepare(v)))\n"
        "tool.function('lse', 'gradient')(lambda v: [0.0] * len(v['x']))\n"
        "tool.run()\n"
    )
    command = shlex.join([sys.executable, str(tmp_path / "zeros.py")])
    codes = []
    for flags in ("", " --strict"):
        eval_command = shlex.join(GRADBENCH) + f" eval lse -n 30000 --min-seconds 0{flags}"
        log = tmp_path / "log.jsonl"
        words = [*GRADBENCH, "run", "--eval", eval_command, "--tool", command, "-o", str(log)]
        codes.append(subprocess.run(words, capture_output=True, timeout=60).returncode)
        assert (b'"config": {"strict": true}' in log.read_bytes().splitlines()[0]) == bool(flags)
    assert codes == [0, 4]


def test_a_line_that_is_no_message_ends_a_tool_with_one_line(capfd):
    for text, reason in ((b"hello\n", "is no message"), (b"{}\n", "has no id")):
        process = subprocess.run([*GRADBENCH, "tool", "numpy"], input=text, capture_output=True, timeout=60)
        assert (process.returncode, process.stdout) == (1, b"")
        (line,) = process.stderr.decode().splitlines()
        assert line.startswith("numpy: ") and "line 1 of standard input" in line and reason in line


LOG = (
    b'{ "elapsed": { "nanoseconds": 1 }, "message": {"id": 0, "kind": "start", "eval": "toy"} }\n'
    b'{ "elapsed": { "nanoseconds": 2 }, "response": {"id": 0} }\n'
    b'{ "elapsed": { "nanoseconds": 3 }, "message": {"id": 1, "kind": "evaluate", "module": "m", "function": "f", "input": 1} }\n'
    b'{ "elapsed": { "nanoseconds": 4 }, "response": {"id": 1, "success": true, "output": 1} }\n'
)


def test_a_log_may_be_trimmed_in_place_and_is_kept_when_that_fails(capsys, tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_bytes(LOG)
    assert run_command(capsys, "log", "trim", str(log), "-o", str(log)) == (0, "", "")
    trimmed = log.read_bytes()
    assert trimmed.count(b"\n") == 4 and b"input" not in trimmed
    (tmp_path / "bad.jsonl").write_bytes(LOG + b"{oops\n")
    assert run_command(capsys, "log", "trim", str(tmp_path / "bad.jsonl"), "-o", str(log))[0] == 1
    assert log.read_bytes() == trimmed and len(list(tmp_path.iterdir())) == 2


def test_output_that_nobody_reads_ends_a_run_without_a_traceback(tmp_path):
    log = tmp_path / "log.jsonl"
    sides = ["--eval", shlex.join(GRADBENCH) + " eval hello", "--tool", shlex.join(GRADBENCH) + " tool numpy"]
    with subprocess.Popen(
        [*GRADBENCH, "run", *sides, "-o", str(log)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        error = process.stderr.read()
    assert (process.returncode, error) == (1, b"Broken pipe (os error 32)\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "arguments", [["eval", "hello"], ["log", "trim", "LOG"], ["log", "summary", "LOG"], ["exit-code", "x"]]
)
def test_a_full_disk_is_one_line(tmp_path, arguments):
    (tmp_path / "log.jsonl").write_bytes(LOG)
    words = [str(tmp_path / "log.jsonl") if word == "LOG" else word for word in arguments]
    with open("/dev/full", "wb") as full:
        process = subprocess.run([*GRADBENCH, *words], stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert process.returncode == 1
    assert len(process.stderr.splitlines()) == 1


def test_a_report_into_what_is_no_folder_is_one_line(capsys, tmp_path):
    (tmp_path / "logs" / "toy").mkdir(parents=True)
    (tmp_path / "logs" / "toy" / "a.jsonl").write_bytes(LOG)
    code, out, err = run_command(capsys, "report", str(tmp_path / "logs"), "-o", "/dev/null/report")
    assert (code, out) == (1, "")
    assert err == "Not a directory: /dev/null/report\n"


def test_the_folder_of_the_header_is_printed(capsys):
    code, out, _ = run_command(capsys, "include")
    assert code == 0 and (Path(out.rstrip("\n")) / "gradbench.hpp").is_file()


def test_a_command_is_never_given_to_a_shell(tmp_path, capfd):
    target = tmp_path / "made-by-a-shell"
    with pytest.raises(SystemExit):
        gradbench.main(["run", "--eval", f"true > {target} ; touch {target}", "--tool", "true"])
    assert not target.exists()


def toy_run(mode, eval_lines, *flags, log=None):
    """`gradbench run` of a scripted eval against the stub tool."""
    script = "import sys\nfor line in sys.argv[1:]:\n    print(line, flush=True)\n    sys.stdin.readline()\n"
    eval_command = shlex.join([sys.executable, "-S", "-c", script, *eval_lines])
    tool_command = shlex.join([sys.executable, "-S", str(STUB), mode, *([str(log)] if log else [])])
    command = [*GRADBENCH, "run", "--eval", eval_command, "--tool", tool_command, *flags]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


START = '{"id": 0, "kind": "start", "eval": "toy"}'
BAD = '{"id": 1, "kind": "evaluate", "module": "toy", "function": "bad", "input": 1}'


def test_the_limit_counts_for_a_whole_answer():
    process = toy_run("dribble", [START, BAD], "--timeout", "1")
    assert process.returncode == 5
    assert process.stdout.splitlines()[-1].endswith("⧖")


def test_a_response_with_another_id_passes_unless_strict():
    assert toy_run("wrong_id", [START, BAD]).returncode == 0
    process = toy_run("wrong_id", [START, BAD], "--strict")
    assert process.returncode == 1
    assert "the answer to message 1 has the id 8" in process.stdout


def test_a_crashing_eval_passes_unless_strict():
    command = [*GRADBENCH, "run", "--eval", "false", "--tool", shlex.join([sys.executable, "-S", str(STUB), "fail"])]
    assert subprocess.run(command, timeout=60).returncode == 0
    process = subprocess.run([*command, "--strict"], capture_output=True, text=True, timeout=60)
    assert (process.returncode, process.stdout) == (1, "eval ended with exit code 1\n")


def test_both_sides_may_write_more_than_a_pipe_holds(tmp_path):
    """The tool answers before it has read all of its input; the eval has its next message ready meanwhile."""
    eval_script = (
        "import sys\n"
        "big = '[' + '1.5, ' * 400000 + '2]'\n"
        "for i in range(3):\n"
        '    message = \'{"id": %d, "kind": "evaluate", "module": "m", "function": "f", "input": %s}\\n\'\n'
        "    sys.stdout.write(message % (i, big))\n"
        "sys.stdout.flush()\n"
        "assert sum(len(sys.stdin.readline()) > 2000000 for _ in range(3)) == 3\n"
    )
    tool_script = (
        "import sys\n"
        "big = '[' + '1.5, ' * 400000 + '2]'\n"
        "for i in range(3):\n"
        "    sys.stdin.read(1)\n"
        '    sys.stdout.write(\'{"id": %d, "success": true, "output": %s}\\n\' % (i, big))\n'
        "    sys.stdout.flush()\n"
        "    sys.stdin.readline()\n"
    )
    (tmp_path / "eval.py").write_text(eval_script)
    (tmp_path / "tool.py").write_text(tool_script)
    commands = [shlex.join([sys.executable, "-S", str(tmp_path / name)]) for name in ("eval.py", "tool.py")]
    command = [*GRADBENCH, "run", "--eval", commands[0], "--tool", commands[1], "--strict"]
    process = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (process.returncode, process.stdout.count("[1.5,1.5,1.5...")) == (0, 3)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"),
        (1000.0, "1000.0"),
        (1e15, "1000000000000000.0"),
        (1e16, "1e16"),
        (1.5e16, "1.5e16"),
        (123456789012345680.0, "1.2345678901234568e17"),
        (1e-5, "0.00001"),
        (1.25e-5, "0.0000125"),
        (1e-6, "1e-6"),
        (1e-7, "1e-7"),
        (-2.5e-10, "-2.5e-10"),
        (-0.0, "-0.0"),
        (0.1, "0.1"),
        (123.456, "123.456"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e308"),
        (100.0, "100.0"),
        (0.001, "0.001"),
    ],
)
def test_floats_are_shown_in_their_shortest_form(value, text):
    assert format_float(value) == text
    assert float(text) == value


def test_objects_are_shown_with_sorted_keys():
    assert format_json({"b": [1, 2.0], "a": {"z": None, "é": "ü\n"}}) == '{"a":{"z":null,"é":"ü\\n"},"b":[1,2.0]}'


def test_durations_take_eleven_characters():
    for nanoseconds in (0, 1, 999_999, 10**9 - 1, 10**9, 59 * 10**9, 60 * 10**9, 3599 * 10**9, 3600 * 10**9, 10**20):
        assert len(format_duration(nanoseconds)) == 11


class Screen:
    def __init__(self, is_terminal):
        self._is_terminal = is_terminal

    def isatty(self):
        return self._is_terminal


@pytest.mark.parametrize(
    ("environ", "is_terminal", "colored"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"CLICOLOR_FORCE": "1"}, False, True),
        ({"CLICOLOR_FORCE": "0"}, False, False),
        ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False, True),
    ],
)
def test_when_output_is_coloured(environ, is_terminal, colored):
    assert should_color(Screen(is_terminal), environ) == colored


def test_a_log_is_trimmed_to_standard_output_by_its_name_and_through_a_link(tmp_path):
    log = tmp_path / "a.jsonl"
    log.write_text('{"elapsed": {"nanoseconds": 1}, "message": {"id": 0, "kind": "start"}}\n')
    command = [*GRADBENCH, "log", "trim", str(log), "-o"]
    with open(tmp_path / "out", "wb") as file:
        subprocess.run([*command, "/dev/stdout"], stdout=file, check=True)
    assert (tmp_path / "out").read_text().count('"start"') == 1
    (tmp_path / "link").symlink_to(tmp_path / "target")
    (tmp_path / "target").touch()
    subprocess.run([*command, str(tmp_path / "link")], check=True)
    assert (tmp_path / "link").is_symlink() and (tmp_path / "target").read_bytes() == (tmp_path / "out").read_bytes()


def test_a_time_limit_that_is_no_number(capsys):
    code, _, err = run_command(capsys, "run", "--eval", "a", "--tool", "b", "--timeout", "abc")
    assert code == 2 and "a time limit must be a whole number of seconds, not 'abc'" in err
