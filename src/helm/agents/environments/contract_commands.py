"""Rules about commands: output, status, input, limits, the shell, interrupts."""

import threading
import time

from helm.agents.environments.box import Box
from helm.agents.environments.contract_basis import (
    Subject,
    expect,
    require,
    rule,
    settles,
    short,
    started_environment,
    started_session,
)
from helm.common.sandbox.session_contract import SessionEnded, SessionRefused


@rule()
def tells_output_and_status(subject: Subject) -> None:
    """Standard output and standard error come in their order, byte for byte, with the status; a missing program is no success."""
    with started_session(subject) as (session, _):
        found = session.run(["sh", "-c", "echo out; echo err >&2; printf 'a\\000b\\377'; exit 3"], wall_s=30)
        expect((found.status, found.returncode), ("ok", 3), "The end of a command with `exit 3`")
        expect(found.output, b"out\nerr\na\0b\xff", "Its output")
        expect(session.run(["sh", "-c", ":"], wall_s=30).returncode, 0, "The status of a command that does nothing")
        try:
            missing = session.run(["contract-no-such-program"], wall_s=30)
        except SessionRefused:
            pass
        else:
            require(missing.status == "ok" and missing.returncode not in (0, None), "A missing program succeeded.")


@rule()
def passes_arguments_unchanged(subject: Subject) -> None:
    """Arguments arrive as they are: spaces, quotes, line breaks, wildcards, dollar signs, leading dashes, none at all."""
    odd = ["a b", "'", '"', "$HOME", "`id`", "*", "-n", "--", "", "two\nlines", "\\n", "ü", ";", "x=y"]
    with started_session(subject) as (session, _):
        found = session.run(["sh", "-c", 'for one; do printf "%s|" "$one"; done', "sh", *odd], wall_s=30)
        expect(found.output, "".join(f"{one}|" for one in odd).encode(), "The arguments inside")


@rule()
def gives_input(subject: Subject) -> None:
    """A program reads what it is given, whole, and then the end of its input; without input, that comes at once."""
    data = bytes(range(256)) * 2000
    with started_session(subject) as (session, folder):
        session.make_folder(folder)
        session.run(["sh", "-c", 'cat > "$1/in"', "sh", folder], wall_s=60, stdin=data)
        expect(session.read(f"{folder}/in", 1 << 22), data, "What a program read")
        expect(session.run(["cat"], wall_s=30).output, b"", "What a program read without input")
        found = session.run(["sh", "-c", ":"], wall_s=60, stdin=data)
        expect((found.status, found.returncode), ("ok", 0), "A program that does not read its input")
        expect(session.run_in_shell("cat; echo end", wall_s=30).output, b"end\n", "A shell's command that reads")


@rule()
def gives_folder_and_variables(subject: Subject) -> None:
    """Commands start in the working folder, which can be written, or in the one that is named, with the variables given."""
    with started_environment(subject) as box:
        assert isinstance(box, Box)
        session = box.session
        expect(
            session.run(["sh", "-c", "pwd"], wall_s=30).output.decode().rstrip("\n"), box.workdir, "The working folder"
        )
        expect(session.run_in_shell("pwd", wall_s=30).output.decode().rstrip("\n"), box.workdir, "That of the shell")
        given = {"CONTRACT": "two words; $HOME", "EMPTY": ""}
        command = 'pwd; echo "$CONTRACT${EMPTY-unset}"; echo x > "$1/contract-w" && echo written'
        folder = f"{box.workdir.rstrip('/')}/contract folder"
        session.make_folder(folder)
        found = session.run(["sh", "-c", command, "sh", box.workdir], wall_s=30, environment=given, folder=folder)
        expect(found.output, f"{folder}\ntwo words; $HOME\nwritten\n".encode(), "Folder, variables, and writing")
        expect(
            session.run(["sh", "-c", "echo -$CONTRACT-"], wall_s=30).output, b"--\n", "Variables of the next command"
        )


@rule()
def ends_what_takes_too_long(subject: Subject) -> None:
    """A command is ended at the end of its time, with its children; what it has printed is kept, and the session goes on."""
    with started_session(subject) as (session, _):
        began = time.monotonic()
        found = session.run(["sh", "-c", "echo begun; sleep 543 & sleep 543; echo on"], wall_s=1.0)
        expect((found.status, found.output), ("timeout", b"begun\n"), "A command that sleeps")
        found = session.run_in_shell("echo begun; sleep 543; while :; do :; done", wall_s=1.0)
        require(found.status in ("timeout", "timeout_ended"), f"A shell's command that sleeps: {found.status}.")
        require(found.output.startswith(b"begun\n"), f"Its output was lost: {short(found.output)}.")
        require(time.monotonic() - began < 45, "The end of two commands after 1 s each took more than 45 s.")
        seen = session.run(["sh", "-c", "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '"], wall_s=30).output
        require(b"sleep 543" not in seen.replace(b"'", b""), "A command goes on after the end of its time.")
        expect(session.run_in_shell("echo on", wall_s=30).output, b"on\n", "The next command")


@rule()
def keeps_background_processes(subject: Subject) -> None:
    """What a command leaves in the background lives on, and delays nothing."""
    with started_session(subject) as (session, _):
        began = time.monotonic()
        session.run(["sh", "-c", "sleep 541 & echo out"], wall_s=60)
        session.run_in_shell("sleep 542 &", wall_s=60)
        require(time.monotonic() - began < 40, "Background processes delay the end of their commands.")
        command = "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n'"

        def both_live() -> bool:
            return {b"541", b"542"} <= set(session.run(["sh", "-c", command], wall_s=30).output.split(b"\n"))

        time.sleep(0.5)
        require(settles(both_live), "A background process has ended with its command.")


@rule()
def cuts_long_output(subject: Subject) -> None:
    """Of a flood of output, beginning and end are kept within the limit, and the cut is said."""
    with started_session(subject) as (session, _):
        found = session.run(
            ["sh", "-c", "echo first; head -c 3000000 /dev/zero | tr '\\0' y; echo; echo last"],
            wall_s=60,
            output_bytes=1000,
        )
        expect((found.status, found.returncode), ("ok", 0), "A command with much output")
        require(len(found.output) < 1200, f"{len(found.output)} bytes of output came, with a limit of 1000.")
        require(found.output.startswith(b"first\n"), "The beginning of its output is lost.")
        require(found.output.endswith(b"last\n"), "The end of its output is lost.")
        require(b"left out" in found.output, "The cut in the output is not said.")
        endless = session.run_in_shell("while :; do echo yyyy; done", wall_s=1.0, output_bytes=1000)
        require(
            endless.status.startswith("timeout") and len(endless.output) < 1200, "An endless output is not bounded."
        )


@rule()
def keeps_the_shells_state(subject: Subject) -> None:
    """The shell keeps folder, variables and functions; a command with a mistake or with our own kind of marks ends nothing."""
    with started_session(subject) as (session, _):
        first = session.run_in_shell("cd /tmp; A=1; f() { echo f $1; }; false", wall_s=30)
        expect((first.status, first.returncode, first.output), ("ok", 1, b""), "A first command")
        expect(session.run_in_shell("pwd; echo $A; f x", wall_s=30).output, b"/tmp\n1\nf x\n", "The shell's state")
        wrong = session.run_in_shell("if then", wall_s=30)
        require(wrong.status == "ok" and wrong.returncode not in (0, None), "A mistake of syntax counts as success.")
        odd = session.run_in_shell("printf '\\000abc 0\\000'; echo 'it''s' \"$A\"", wall_s=30)
        expect(odd.output, b"\0abc 0\0its 1\n", "Output with zero bytes")
        expect(session.run_in_shell("echo -$A-", wall_s=30, restart=True).output, b"--\n", "A restarted shell")


@rule()
def survives_the_end_of_the_shell(subject: Subject) -> None:
    """A command may end the shell: that is said, and the next command has a new one."""
    with started_session(subject) as (session, _):
        found = session.run_in_shell("A=1; echo bye; exit 3", wall_s=30)
        expect((found.status, found.output), ("ended", b"bye\n"), "A command that ends the shell")
        found = session.run_in_shell("echo -$A-", wall_s=30)
        expect((found.status, found.output), ("ok", b"--\n"), "The next one")


@rule()
def an_attack_on_everything_inside_is_no_success(subject: Subject) -> None:
    """A command that kills all it can has no success; afterwards the sandbox works, or says that it has ended."""
    with started_session(subject) as (session, _):
        try:
            found = session.run(["sh", "-c", "kill -9 -1; kill -9 1; kill -9 $$"], wall_s=30)
            require((found.status, found.returncode) != ("ok", 0), "A command that killed itself has succeeded.")
            found = session.run_in_shell("kill -9 -1; kill -9 $$", wall_s=30)
            require((found.status, found.returncode) != ("ok", 0), "A shell that killed itself has succeeded.")
            expect(session.run(["sh", "-c", "echo alive"], wall_s=30).output, b"alive\n", "The next command")
        except SessionEnded:
            pass


@rule()
def is_interrupted_from_another_thread(subject: Subject) -> None:
    """`interrupt` ends the program that runs, at once; without one, it does nothing."""
    with started_session(subject) as (session, _):
        session.interrupt()
        timer = threading.Timer(2.0, session.interrupt)
        timer.start()
        try:
            found = session.run(["sleep", "20"], wall_s=30)
        finally:
            timer.cancel()
            timer.join()
        expect(found.status, "interrupted", "A program that is interrupted")
        require(found.elapsed_s < 15, f"It ended after {found.elapsed_s:.0f} s only.")
        expect(session.run(["sh", "-c", "echo on"], wall_s=30).output, b"on\n", "The next command")


@rule()
def stops_everything(subject: Subject) -> None:
    """After `stop_all`, nothing inside changes files, and they can be read."""
    with started_session(subject) as (session, folder):
        session.make_folder(folder)
        session.run_in_shell(
            f"(i=0; while :; do i=$((i + 1)); echo $i >> {folder}/clock; sleep 0.02; done) >/dev/null 2>&1 &", wall_s=30
        )
        require(settles(lambda: any(size for _, size in session.list_files(folder))), "Nothing runs in the background.")
        session.stop_all()
        first = session.read(f"{folder}/clock")
        time.sleep(0.5)
        expect(session.read(f"{folder}/clock"), first, "A file that a stopped program has written")


@rule()
def opens_programs_beside_the_others(subject: Subject) -> None:
    """A program runs beside commands and talks by a socket, in a folder and with variables; closing the socket ends its input."""
    with started_session(subject) as (session, folder):
        session.make_folder(folder)
        talk = 'pwd; while read -r line; do echo "$WORD $line"; done; echo over > over'
        with session.open_program(["sh", "-c", talk], environment={"WORD": "said"}, folder=folder) as program:
            program.settimeout(30.0)
            with program.makefile("rwb") as lines:
                expect(lines.readline(), f"{folder}\n".encode(), "The folder of a program beside others")
                for number in range(3):
                    lines.write(b"%d\n" % number)
                    lines.flush()
                    expect(lines.readline(), b"said %d\n" % number, "What a program beside others answers")
                    expect(session.run(["sh", "-c", "echo x"], wall_s=30).output, b"x\n", "A command beside it")
        require(settles(lambda: f"{folder}/over" in dict(session.list_files(folder))), "Its input did not end.")
