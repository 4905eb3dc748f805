"""Rules about the life of an environment: its start, its end, and others at the same time."""

import json
import threading
import time
from contextlib import suppress

from helm.agents.environments.box import Box
from helm.agents.environments.contract_basis import (
    PARALLEL,
    ContractBroken,
    Subject,
    child_processes,
    expect,
    expect_error,
    in_threads,
    open_descriptors,
    require,
    rule,
    settles,
    started_environment,
    started_session,
)
from helm.agents.errors import InfrastructureFailure
from helm.agents.tools.tool import ToolSet
from helm.common.agent_request import SANDBOX
from helm.common.sandbox.session_contract import Session, SessionEnded


@rule(is_for_boxes=False)
def starts_and_says_what_it_is(subject: Subject) -> None:
    """It starts, offers tools whose names are allowed and differ, and its description, state and artifacts are JSON and bytes."""
    with started_environment(subject) as environment:
        ToolSet(environment.offered_tools())
        described = environment.describe()
        require(bool(described.get("name")), "describe() has no name.")
        for what, value in (("describe()", described), ("state()", environment.state())):
            try:
                json.dumps(value, allow_nan=False)
            except (TypeError, ValueError) as e:
                raise ContractBroken(f"{what} is no JSON value: {e}") from e
        artifacts = environment.artifacts()
        require(all(isinstance(data, bytes) for data in artifacts.values()), "artifacts() holds something but bytes.")


@rule(is_for_boxes=False)
def closes_without_a_start(subject: Subject) -> None:
    """It can be closed when it was never started, as after a start that failed."""
    subject.make().close()


@rule(is_for_boxes=False)
def leaves_nothing(subject: Subject) -> None:
    """After the end, no process, open file or object outside is left, also of what ran in the background."""
    _use(subject)  # what is made once for all
    before, children, open_files = (
        set(subject.leftovers() if subject.leftovers else ()),
        child_processes(),
        open_descriptors(),
    )
    _use(subject)
    require(
        settles(lambda: child_processes() <= children), f"Processes are left: {sorted(child_processes() - children)}."
    )
    more = len(open_files)
    require(settles(lambda: len(open_descriptors()) <= more), f"Open files are left: {len(open_descriptors()) - more}.")
    if subject.leftovers is not None:
        found = subject.leftovers
        require(settles(lambda: set(found()) <= before), f"Left behind: {sorted(set(found()) - before)}.")


def _use(subject: Subject) -> None:
    with started_environment(subject) as environment:
        if isinstance(environment, Box):
            environment.session.run_in_shell("sleep 600 &", wall_s=30)
            environment.session.run(["sh", "-c", "sleep 600 >/dev/null 2>&1 & echo x"], wall_s=30)


@rule(is_for_boxes=False)
def is_fresh_for_each_episode(subject: Subject) -> None:
    """What one episode has done is unknown to the next: files, variables, processes, data."""
    with started_environment(subject) as environment:
        first = environment.state()
        if isinstance(environment, Box):
            path = f"{environment.workdir.rstrip('/')}/contract-left"
            environment.session.run_in_shell(f"LEFT=1; echo x > {path}; echo x > /tmp/contract-left", wall_s=30)
            environment.session.run_in_shell("(exec -a contract-left sleep 600) &", wall_s=30)
    with started_environment(subject) as environment:
        expect(environment.state(), first, "The state at the beginning of a second episode")
        if isinstance(environment, Box):
            found = environment.session.run_in_shell(
                f"echo -$LEFT-; ls {path} /tmp/contract-left 2>/dev/null; "
                "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -x contract-[l]eft; :",
                wall_s=30,
            )
            expect(found.output, b"--\n", "What a second episode sees of the first")


@rule()
def episodes_do_not_meet(subject: Subject) -> None:
    """Several environments work at the same time, each with its own files and processes."""
    meeting = threading.Barrier(PARALLEL)

    def episode(number: int) -> None:
        with started_session(subject) as (session, folder):
            with suppress(threading.BrokenBarrierError):
                meeting.wait(120)
            for step in range(3):
                session.write(f"{folder}/own", b"%d %d" % (number, step))
                output = session.run_in_shell(f'cat {folder}/own; N=$((N + 1)); echo " $N"', wall_s=60).output
                expect(output, b"%d %d %d\n" % (number, step, step + 1), "What one of several environments sees")

    in_threads([lambda number=number: episode(number) for number in range(PARALLEL)])  # type: ignore[misc]


@rule()
def an_ended_sandbox_is_no_answer(subject: Subject) -> None:
    """After the end, each use raises SessionEnded, and each tool InfrastructureFailure: the agent is told nothing."""
    with started_environment(subject) as box:
        assert isinstance(box, Box)
        session, tools = box.session, ToolSet(box.offered_tools())
        session.run_in_shell("true", wall_s=30)
        session.close()
        _is_over(session, box)
        for name, arguments in (("bash", {"command": "true"}), ("view", {"path": "x"}), ("list", {})):
            tool = tools.get(name)
            if tool is not None:
                error = expect_error(InfrastructureFailure, lambda: tool.call(arguments), f"The tool `{name}`")  # noqa: B023
                expect(getattr(error, "cause", None), SANDBOX, "The cause of the failure")
        session.close()
    expect_error(InfrastructureFailure, lambda: box.session, "The session of a closed environment")
    expect_error(SessionEnded, lambda: session.run(["sh", "-c", ":"], wall_s=5), "A command after the end")


def _is_over(session: Session, box: Box) -> None:
    path = f"{box.workdir.rstrip('/')}/contract"
    for what, function in (
        ("A command", lambda: session.run(["sh", "-c", ":"], wall_s=5)),
        ("A shell's command", lambda: session.run_in_shell("true", wall_s=5)),
        ("Writing", lambda: session.write(path, b"x")),
        ("Reading", lambda: session.read(path)),
        ("Listing", lambda: session.list_files(box.workdir)),
    ):
        expect_error(SessionEnded, function, f"{what} after the end of the sandbox")


@rule(needs_kill=True)
def a_killed_sandbox_is_no_answer(subject: Subject) -> None:
    """When it is ended from outside, a command under way raises SessionEnded soon, as does each use afterwards."""
    assert subject.kill is not None
    for use in ("run", "run_in_shell"):
        with started_environment(subject) as box:
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
            expect_error(
                SessionEnded,
                uses[use],
                f"A command ({use}) under way when the sandbox is killed",
            )
            timer.join()
            require(time.monotonic() - began < 60, "That took more than 60 s to be found.")
            _is_over(session, box)
