"""The rules that every environment has to keep; `helm.agents.environments.contract` applies them."""

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from helm.agents.environments.box import Box
from helm.agents.environments.environment import Environment
from helm.agents.errors import InfrastructureFailure
from helm.agents.tools.tool import ToolSet
from helm.common.agent_request import SANDBOX, EpisodeLimits
from helm.common.errors import HelmError
from helm.common.sandbox.dialing import reaches
from helm.common.sandbox.session_contract import Session, SessionEnded, SessionRefused

PARALLEL = 4
"""The number of environments that have to work at the same time."""

_LIMITS = EpisodeLimits(seconds=600.0)
_SETTLE_S = 5.0


class ContractBroken(HelmError):
    """An environment does not do what it has to."""


@dataclass(frozen=True)
class Subject:
    """What is held to the contract.

    Args:
        make: returns a new environment, not started.
        kill: ends a running environment from outside, as a failing machine does; None if that cannot be done.
        leftovers: returns the names of everything that environments of this class keep outside this process, such as pods; None
            if there is nothing of the kind.
    """

    make: Callable[[], Environment]
    kill: Callable[[Environment], None] | None = None
    leftovers: Callable[[], Collection[str]] | None = None


@dataclass(frozen=True)
class Rule:
    """One rule of the contract.

    Args:
        name: short.
        says: what an environment has to do.
        function: raises ContractBroken, or what the environment raises.
        is_for_boxes: whether it concerns only environments with files and a shell.
        needs_kill: whether it concerns only subjects that can be killed.
    """

    name: str
    says: str
    function: Callable[[Subject], None]
    is_for_boxes: bool
    needs_kill: bool = False

    def __str__(self) -> str:
        return self.name

    def check(self, subject: Subject) -> None:
        """Hold a subject to the rule, in environments of its own. Raises: ContractBroken; whatever the environment raises."""
        self.function(subject)


RULES: list[Rule] = []
"""All rules, in the order in which they are best read."""


def _rule(is_for_boxes: bool = True, needs_kill: bool = False) -> Callable[[Callable[[Subject], None]], None]:
    def add(function: Callable[[Subject], None]) -> None:
        says = " ".join((function.__doc__ or "").split())
        RULES.append(Rule(function.__name__.replace("_", " "), says, function, is_for_boxes, needs_kill))

    return add


@contextmanager
def _started(subject: Subject) -> Iterator[Environment]:
    environment = subject.make()
    try:
        environment.start(_LIMITS)
        yield environment
    finally:
        environment.close()


@contextmanager
def _session(subject: Subject) -> Iterator[tuple[Session, str]]:
    """Start a box, and give its session and the path of a fresh folder."""
    with _started(subject) as box:
        assert isinstance(box, Box)
        yield box.session, f"{box.workdir.rstrip('/')}/contract"


def _expect(found: object, expected: object, what: str) -> None:
    if found != expected:
        raise ContractBroken(f"{what}: expected {_short(expected)}, not {_short(found)}.")


def _require(is_kept: bool, problem: str) -> None:
    if not is_kept:
        raise ContractBroken(problem)


def _expect_error(kind: type[Exception], function: Callable[[], object], what: str) -> Exception:
    try:
        found = function()
    except kind as e:
        return e
    except Exception as e:
        raise ContractBroken(f"{what}: expected {kind.__name__}, not {type(e).__name__}: {e}") from e
    raise ContractBroken(f"{what}: expected {kind.__name__}, not the result {_short(found)}.")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:200]} ... {text[-80:]}"


def _in_threads(functions: Sequence[Callable[[], None]]) -> None:
    """Run functions at the same time, and raise the first exception of one."""
    problems: list[BaseException] = []

    def run(function: Callable[[], None]) -> None:
        try:
            function()
        except BaseException as e:
            problems.append(e)

    threads = [threading.Thread(target=run, args=(function,), daemon=True) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]


def _settles(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + _SETTLE_S
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def _children() -> set[str]:
    """Return the processes that this one has started, on Linux."""
    found: set[str] = set()
    for task in os.listdir("/proc/self/task") if os.path.isdir("/proc/self/task") else ():
        with suppress(OSError), open(f"/proc/self/task/{task}/children", encoding="ascii") as file:
            found.update(file.read().split())
    return found


def _descriptors() -> set[str]:
    return set(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else set()


@_rule(is_for_boxes=False)
def starts_and_says_what_it_is(subject: Subject) -> None:
    """It starts, offers tools whose names are allowed and differ, and its description, state and artifacts are JSON and bytes."""
    with _started(subject) as environment:
        ToolSet(environment.offered_tools())
        described = environment.describe()
        _require(bool(described.get("name")), "describe() has no name.")
        for what, value in (("describe()", described), ("state()", environment.state())):
            try:
                json.dumps(value, allow_nan=False)
            except (TypeError, ValueError) as e:
                raise ContractBroken(f"{what} is no JSON value: {e}") from e
        artifacts = environment.artifacts()
        _require(all(isinstance(data, bytes) for data in artifacts.values()), "artifacts() holds something but bytes.")


@_rule(is_for_boxes=False)
def closes_without_a_start(subject: Subject) -> None:
    """It can be closed when it was never started, as after a start that failed."""
    subject.make().close()


@_rule(is_for_boxes=False)
def leaves_nothing(subject: Subject) -> None:
    """After the end, no process, open file or object outside is left, also of what ran in the background."""
    _use(subject)  # what is made once for all
    before, children, open_files = set(subject.leftovers() if subject.leftovers else ()), _children(), _descriptors()
    _use(subject)
    _require(_settles(lambda: _children() <= children), f"Processes are left: {sorted(_children() - children)}.")
    more = len(open_files)
    _require(_settles(lambda: len(_descriptors()) <= more), f"Open files are left: {len(_descriptors()) - more}.")
    if subject.leftovers is not None:
        found = subject.leftovers
        _require(_settles(lambda: set(found()) <= before), f"Left behind: {sorted(set(found()) - before)}.")


def _use(subject: Subject) -> None:
    with _started(subject) as environment:
        if isinstance(environment, Box):
            environment.session.run_in_shell("sleep 600 &", wall_s=30)
            environment.session.run(["sh", "-c", "sleep 600 >/dev/null 2>&1 & echo x"], wall_s=30)


@_rule(is_for_boxes=False)
def is_fresh_for_each_episode(subject: Subject) -> None:
    """What one episode has done is unknown to the next: files, variables, processes, data."""
    with _started(subject) as environment:
        first = environment.state()
        if isinstance(environment, Box):
            path = f"{environment.workdir.rstrip('/')}/contract-left"
            environment.session.run_in_shell(f"LEFT=1; echo x > {path}; echo x > /tmp/contract-left", wall_s=30)
            environment.session.run_in_shell("(exec -a contract-left sleep 600) &", wall_s=30)
    with _started(subject) as environment:
        _expect(environment.state(), first, "The state at the beginning of a second episode")
        if isinstance(environment, Box):
            found = environment.session.run_in_shell(
                f"echo -$LEFT-; ls {path} /tmp/contract-left 2>/dev/null; "
                "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -x contract-[l]eft; :",
                wall_s=30,
            )
            _expect(found.output, b"--\n", "What a second episode sees of the first")


@_rule()
def episodes_do_not_meet(subject: Subject) -> None:
    """Several environments work at the same time, each with its own files and processes."""
    meeting = threading.Barrier(PARALLEL)

    def episode(number: int) -> None:
        with _session(subject) as (session, folder):
            with suppress(threading.BrokenBarrierError):
                meeting.wait(120)
            for step in range(3):
                session.write(f"{folder}/own", b"%d %d" % (number, step))
                output = session.run_in_shell(f'cat {folder}/own; N=$((N + 1)); echo " $N"', wall_s=60).output
                _expect(output, b"%d %d %d\n" % (number, step, step + 1), "What one of several environments sees")

    _in_threads([lambda number=number: episode(number) for number in range(PARALLEL)])  # type: ignore[misc]


@_rule()
def tells_output_and_status(subject: Subject) -> None:
    """Standard output and standard error come in their order, byte for byte, with the status; a missing program is no success."""
    with _session(subject) as (session, _):
        found = session.run(["sh", "-c", "echo out; echo err >&2; printf 'a\\000b\\377'; exit 3"], wall_s=30)
        _expect((found.status, found.returncode), ("ok", 3), "The end of a command with `exit 3`")
        _expect(found.output, b"out\nerr\na\0b\xff", "Its output")
        _expect(session.run(["sh", "-c", ":"], wall_s=30).returncode, 0, "The status of a command that does nothing")
        try:
            missing = session.run(["contract-no-such-program"], wall_s=30)
        except SessionRefused:
            pass
        else:
            _require(missing.status == "ok" and missing.returncode not in (0, None), "A missing program succeeded.")


@_rule()
def passes_arguments_unchanged(subject: Subject) -> None:
    """Arguments arrive as they are: spaces, quotes, line breaks, wildcards, dollar signs, leading dashes, none at all."""
    odd = ["a b", "'", '"', "$HOME", "`id`", "*", "-n", "--", "", "two\nlines", "\\n", "ü", ";", "x=y"]
    with _session(subject) as (session, _):
        found = session.run(["sh", "-c", 'for one; do printf "%s|" "$one"; done', "sh", *odd], wall_s=30)
        _expect(found.output, "".join(f"{one}|" for one in odd).encode(), "The arguments inside")


@_rule()
def gives_input(subject: Subject) -> None:
    """A program reads what it is given, whole, and then the end of its input; without input, that comes at once."""
    data = bytes(range(256)) * 2000
    with _session(subject) as (session, folder):
        session.make_folder(folder)
        session.run(["sh", "-c", 'cat > "$1/in"', "sh", folder], wall_s=60, stdin=data)
        _expect(session.read(f"{folder}/in", 1 << 22), data, "What a program read")
        _expect(session.run(["cat"], wall_s=30).output, b"", "What a program read without input")
        found = session.run(["sh", "-c", ":"], wall_s=60, stdin=data)
        _expect((found.status, found.returncode), ("ok", 0), "A program that does not read its input")
        _expect(session.run_in_shell("cat; echo end", wall_s=30).output, b"end\n", "A shell's command that reads")


@_rule()
def gives_folder_and_variables(subject: Subject) -> None:
    """Commands start in the working folder, which can be written, or in the one that is named, with the variables given."""
    with _started(subject) as box:
        assert isinstance(box, Box)
        session = box.session
        _expect(
            session.run(["sh", "-c", "pwd"], wall_s=30).output.decode().rstrip("\n"), box.workdir, "The working folder"
        )
        _expect(session.run_in_shell("pwd", wall_s=30).output.decode().rstrip("\n"), box.workdir, "That of the shell")
        given = {"CONTRACT": "two words; $HOME", "EMPTY": ""}
        command = 'pwd; echo "$CONTRACT${EMPTY-unset}"; echo x > "$1/contract-w" && echo written'
        folder = f"{box.workdir.rstrip('/')}/contract folder"
        session.make_folder(folder)
        found = session.run(["sh", "-c", command, "sh", box.workdir], wall_s=30, environment=given, folder=folder)
        _expect(found.output, f"{folder}\ntwo words; $HOME\nwritten\n".encode(), "Folder, variables, and writing")
        _expect(
            session.run(["sh", "-c", "echo -$CONTRACT-"], wall_s=30).output, b"--\n", "Variables of the next command"
        )


@_rule()
def ends_what_takes_too_long(subject: Subject) -> None:
    """A command is ended at the end of its time, with its children; what it has printed is kept, and the session goes on."""
    with _session(subject) as (session, _):
        began = time.monotonic()
        found = session.run(["sh", "-c", "echo begun; sleep 543 & sleep 543; echo on"], wall_s=1.0)
        _expect((found.status, found.output), ("timeout", b"begun\n"), "A command that sleeps")
        found = session.run_in_shell("echo begun; sleep 543; while :; do :; done", wall_s=1.0)
        _require(found.status in ("timeout", "timeout_ended"), f"A shell's command that sleeps: {found.status}.")
        _require(found.output.startswith(b"begun\n"), f"Its output was lost: {_short(found.output)}.")
        _require(time.monotonic() - began < 45, "The end of two commands after 1 s each took more than 45 s.")
        seen = session.run(["sh", "-c", "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '"], wall_s=30).output
        _require(b"sleep 543" not in seen.replace(b"'", b""), "A command goes on after the end of its time.")
        _expect(session.run_in_shell("echo on", wall_s=30).output, b"on\n", "The next command")


@_rule()
def keeps_background_processes(subject: Subject) -> None:
    """What a command leaves in the background lives on, and delays nothing."""
    with _session(subject) as (session, _):
        began = time.monotonic()
        session.run(["sh", "-c", "sleep 541 & echo out"], wall_s=60)
        session.run_in_shell("sleep 542 &", wall_s=60)
        _require(time.monotonic() - began < 40, "Background processes delay the end of their commands.")
        command = "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n'"

        def both_live() -> bool:
            return {b"541", b"542"} <= set(session.run(["sh", "-c", command], wall_s=30).output.split(b"\n"))

        time.sleep(0.5)
        _require(_settles(both_live), "A background process has ended with its command.")


@_rule()
def cuts_long_output(subject: Subject) -> None:
    """Of a flood of output, beginning and end are kept within the limit, and the cut is said."""
    with _session(subject) as (session, _):
        found = session.run(
            ["sh", "-c", "echo first; head -c 3000000 /dev/zero | tr '\\0' y; echo; echo last"],
            wall_s=60,
            output_bytes=1000,
        )
        _expect((found.status, found.returncode), ("ok", 0), "A command with much output")
        _require(len(found.output) < 1200, f"{len(found.output)} bytes of output came, with a limit of 1000.")
        _require(found.output.startswith(b"first\n"), "The beginning of its output is lost.")
        _require(found.output.endswith(b"last\n"), "The end of its output is lost.")
        _require(b"left out" in found.output, "The cut in the output is not said.")
        endless = session.run_in_shell("while :; do echo yyyy; done", wall_s=1.0, output_bytes=1000)
        _require(
            endless.status.startswith("timeout") and len(endless.output) < 1200, "An endless output is not bounded."
        )


@_rule()
def keeps_the_shells_state(subject: Subject) -> None:
    """The shell keeps folder, variables and functions; a command with a mistake or with our own kind of marks ends nothing."""
    with _session(subject) as (session, _):
        first = session.run_in_shell("cd /tmp; A=1; f() { echo f $1; }; false", wall_s=30)
        _expect((first.status, first.returncode, first.output), ("ok", 1, b""), "A first command")
        _expect(session.run_in_shell("pwd; echo $A; f x", wall_s=30).output, b"/tmp\n1\nf x\n", "The shell's state")
        wrong = session.run_in_shell("if then", wall_s=30)
        _require(wrong.status == "ok" and wrong.returncode not in (0, None), "A mistake of syntax counts as success.")
        odd = session.run_in_shell("printf '\\000abc 0\\000'; echo 'it''s' \"$A\"", wall_s=30)
        _expect(odd.output, b"\0abc 0\0its 1\n", "Output with zero bytes")
        _expect(session.run_in_shell("echo -$A-", wall_s=30, restart=True).output, b"--\n", "A restarted shell")


@_rule()
def survives_the_end_of_the_shell(subject: Subject) -> None:
    """A command may end the shell: that is said, and the next command has a new one."""
    with _session(subject) as (session, _):
        found = session.run_in_shell("A=1; echo bye; exit 3", wall_s=30)
        _expect((found.status, found.output), ("ended", b"bye\n"), "A command that ends the shell")
        found = session.run_in_shell("echo -$A-", wall_s=30)
        _expect((found.status, found.output), ("ok", b"--\n"), "The next one")


@_rule()
def an_attack_on_everything_inside_is_no_success(subject: Subject) -> None:
    """A command that kills all it can has no success; afterwards the sandbox works, or says that it has ended."""
    with _session(subject) as (session, _):
        try:
            found = session.run(["sh", "-c", "kill -9 -1; kill -9 1; kill -9 $$"], wall_s=30)
            _require((found.status, found.returncode) != ("ok", 0), "A command that killed itself has succeeded.")
            found = session.run_in_shell("kill -9 -1; kill -9 $$", wall_s=30)
            _require((found.status, found.returncode) != ("ok", 0), "A shell that killed itself has succeeded.")
            _expect(session.run(["sh", "-c", "echo alive"], wall_s=30).output, b"alive\n", "The next command")
        except SessionEnded:
            pass


@_rule()
def moves_files(subject: Subject) -> None:
    """Files go in and come out byte for byte: binary, empty, large, with odd names, with their modes."""
    binary = bytes(range(256))
    with _session(subject) as (session, folder):
        contents = {
            "all": binary, "empty": b"", "large": binary * 12_000, "no newline": b"x", "a b/c d": b"space", "it's": b"quote",
            "$(id)": b"dollar", "-n": b"dash", "ü": b"umlaut", "END": b"END\n", "two\nlines": b"line", "*": b"star",
        }  # fmt: skip
        for name, data in contents.items():
            session.write(f"{folder}/{name}", data)
            _expect(session.read(f"{folder}/{name}", 1 << 23), data, f"The content of {name!r}")
        session.write_all({f"{folder}/all of/{n}": (data, 0o644) for n, data in contents.items()})
        for name, data in contents.items():
            _expect(session.read(f"{folder}/all of/{name}", 1 << 23), data, f"The content of {name!r}, one of several")
        session.write(f"{folder}/program", b"#!/bin/sh\necho runs\n", 0o755)
        _expect(session.run([f"{folder}/program"], wall_s=30).output, b"runs\n", "A file with the mode 755")
        session.write(f"{folder}/all", b"new")
        _expect(session.read(f"{folder}/all"), b"new", "A file that was replaced")
        _expect(session.read(f"{folder}/large", 1000), (binary * 4)[:1000], "The first 1000 bytes of a file")


@_rule()
def lists_and_empties_folders(subject: Subject) -> None:
    """Regular files are listed with their sizes, up to a number, without following links; emptying deletes nothing elsewhere."""
    with _session(subject) as (session, folder):
        sizes = {
            f"{folder}/{name}": size for name, size in {"a": 0, "b/c d": 3, "b/two\nlines": 5, ".hidden": 2}.items()
        }
        session.write_all({path: (b"x" * size, 0o644) for path, size in sizes.items()})
        session.write("/tmp/contract-outside/kept", b"kept")
        session.run(["sh", "-c", 'cd "$1"; ln -s /tmp/contract-outside link; mkfifo pipe; :', "sh", folder], wall_s=30)
        _expect(dict(session.list_files(folder)), sizes, "The files of a folder")
        _expect(len(session.list_files(folder, 2)), 2, "The number of files of a folder, at most 2")
        _expect(session.list_files(f"{folder}/none"), [], "The files of a folder that is not there")
        session.empty(f"{folder}/link")
        session.empty(folder)
        _expect(session.list_files(folder), [], "The files of an emptied folder")
        _expect(session.read("/tmp/contract-outside/kept"), b"kept", "A file behind a link of the emptied folder")


@_rule()
def refuses_what_is_not_possible(subject: Subject) -> None:
    """Reading what is no file, and writing where none can be, raises SessionRefused, and the session goes on."""
    with _session(subject) as (session, folder):
        session.write(f"{folder}/file", b"x")
        for what, function in (
            ("Reading a missing file", lambda: session.read(f"{folder}/none")),
            ("Reading a folder", lambda: session.read(folder)),
            ("Writing below a file", lambda: session.write(f"{folder}/file/below", b"")),
            ("Writing into /proc", lambda: session.write("/proc/contract/x", b"")),
            ("Making a folder below a file", lambda: session.make_folder(f"{folder}/file/below")),
        ):
            _expect_error(SessionRefused, function, what)
        _expect(session.read(f"{folder}/file"), b"x", "A file afterwards")


@_rule()
def is_interrupted_from_another_thread(subject: Subject) -> None:
    """`interrupt` ends the program that runs, at once; without one, it does nothing."""
    with _session(subject) as (session, _):
        session.interrupt()
        timer = threading.Timer(2.0, session.interrupt)
        timer.start()
        try:
            found = session.run(["sleep", "20"], wall_s=30)
        finally:
            timer.cancel()
            timer.join()
        _expect(found.status, "interrupted", "A program that is interrupted")
        _require(found.elapsed_s < 15, f"It ended after {found.elapsed_s:.0f} s only.")
        _expect(session.run(["sh", "-c", "echo on"], wall_s=30).output, b"on\n", "The next command")


@_rule()
def stops_everything(subject: Subject) -> None:
    """After `stop_all`, nothing inside changes files, and they can be read."""
    with _session(subject) as (session, folder):
        session.make_folder(folder)
        session.run_in_shell(
            f"(i=0; while :; do i=$((i + 1)); echo $i >> {folder}/clock; sleep 0.02; done) >/dev/null 2>&1 &", wall_s=30
        )
        _require(
            _settles(lambda: any(size for _, size in session.list_files(folder))), "Nothing runs in the background."
        )
        session.stop_all()
        first = session.read(f"{folder}/clock")
        time.sleep(0.5)
        _expect(session.read(f"{folder}/clock"), first, "A file that a stopped program has written")


@_rule()
def reaches_no_network_unless_it_says_so(subject: Subject) -> None:
    """Unless `describe()` says that there is a network, no program inside reaches this machine or any other."""
    with _started(subject) as box, socket.create_server(("127.0.0.1", 0)) as listener:
        assert isinstance(box, Box)
        network = box.describe().get("network")
        _require(isinstance(network, str), "describe() does not say what `network` there is: 'none', or another word.")
        if network != "none":
            return
        for host, port in (listener.getsockname(), ("1.1.1.1", 53)):
            _require(not reaches(box.session, host, port), f"A program inside reaches {host}, and network is 'none'.")


@_rule()
def keeps_keys_out(subject: Subject) -> None:
    """No key, token or password in a variable of this process is visible inside."""
    words = ("KEY", "TOKEN", "SECRET", "PASSWORD")
    secrets = {name: value for name, value in os.environ.items() if any(word in name.upper() for word in words)}
    with _session(subject) as (session, _):
        command = "env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null; set; :"
        seen = session.run_in_shell(command, wall_s=30).output
        for name, value in secrets.items():
            _require(len(value) < 8 or os.fsencode(value) not in seen, f"The value of {name} is visible inside.")


@_rule()
def listens_or_refuses(subject: Subject) -> None:
    """Programs inside reach a port of theirs that this process serves; where that cannot be, SessionRefused says so."""
    with _session(subject) as (session, _):
        try:
            listener = session.listen(8399)
        except SessionRefused as e:
            _require(bool(str(e)), "The refusal has no words.")
            return
        with listener:
            _require(reaches(session, "127.0.0.1", 8399) is not False, "A program inside does not reach the port.")


@_rule()
def its_tools_work(subject: Subject) -> None:
    """The agent's tools work in it, and a program's end is told to outside agents."""
    with _started(subject) as box:
        assert isinstance(box, Box)
        tools = ToolSet(box.offered_tools())

        def call(name: str, **arguments: object) -> str:
            tool = tools.get(name)
            if tool is None:
                raise ContractBroken(f"It offers no tool '{name}'.")
            return tool.call(arguments).content

        call("create", path="contract.txt", text="one\ntwo\n")
        call("replace", path="contract.txt", old="two", new="three")
        _expect(
            call("bash", command="cat contract.txt; exit_ () { return 3; }; exit_"),
            "one\nthree\n[exit status 3]",
            "bash",
        )
        _expect(call("view", path="contract.txt").split(), ["1", "one", "2", "three"], "view")
        _require("contract.txt" in call("list"), "The tool `list` does not show a file.")
        _require("three" in call("search", pattern="thr.e"), "The tool `search` does not find a line.")
        box.put(f"{box.workdir.rstrip('/')}/contract.bin", b"\0\1")
        ended = box.run_program(["sh", "-c", "wc -c < contract.bin; exit 4"], {}, 30.0)
        _expect((ended.status, ended.returncode, ended.output.strip()), ("ok", 4, "2"), "The end of a program")


@_rule()
def an_ended_sandbox_is_no_answer(subject: Subject) -> None:
    """After the end, each use raises SessionEnded, and each tool InfrastructureFailure: the agent is told nothing."""
    with _started(subject) as box:
        assert isinstance(box, Box)
        session, tools = box.session, ToolSet(box.offered_tools())
        session.run_in_shell("true", wall_s=30)
        session.close()
        _is_over(session, box)
        for name, arguments in (("bash", {"command": "true"}), ("view", {"path": "x"}), ("list", {})):
            tool = tools.get(name)
            if tool is not None:
                error = _expect_error(InfrastructureFailure, lambda: tool.call(arguments), f"The tool `{name}`")  # noqa: B023
                _expect(getattr(error, "cause", None), SANDBOX, "The cause of the failure")
        session.close()
    _expect_error(InfrastructureFailure, lambda: box.session, "The session of a closed environment")
    _expect_error(SessionEnded, lambda: session.run(["sh", "-c", ":"], wall_s=5), "A command after the end")


def _is_over(session: Session, box: Box) -> None:
    path = f"{box.workdir.rstrip('/')}/contract"
    for what, function in (
        ("A command", lambda: session.run(["sh", "-c", ":"], wall_s=5)),
        ("A shell's command", lambda: session.run_in_shell("true", wall_s=5)),
        ("Writing", lambda: session.write(path, b"x")),
        ("Reading", lambda: session.read(path)),
        ("Listing", lambda: session.list_files(box.workdir)),
    ):
        _expect_error(SessionEnded, function, f"{what} after the end of the sandbox")


@_rule(needs_kill=True)
def a_killed_sandbox_is_no_answer(subject: Subject) -> None:
    """When it is ended from outside, a command under way raises SessionEnded soon, as does each use afterwards."""
    assert subject.kill is not None
    for use in ("run", "run_in_shell"):
        with _started(subject) as box:
            assert isinstance(box, Box)
            session = box.session
            session.run_in_shell("true", wall_s=30)
            timer = threading.Timer(1.0, subject.kill, [box])
            timer.start()
            began = time.monotonic()
            uses = {
                "run": lambda: session.run(["sleep", "100"], wall_s=90),  # noqa: B023
                "run_in_shell": lambda: session.run_in_shell("sleep 100", wall_s=90),  # noqa: B023
            }
            _expect_error(
                SessionEnded,
                uses[use],
                f"A command ({use}) under way when the sandbox is killed",
            )
            timer.join()
            _require(time.monotonic() - began < 60, "That took more than 60 s to be found.")
            _is_over(session, box)
