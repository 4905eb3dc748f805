"""Rules about files, the network, keys, ports and tools."""

import os
import socket

from helm.agents.environments.box import Box
from helm.agents.environments.contract_basis import (
    ContractBroken,
    Subject,
    expect,
    expect_error,
    require,
    rule,
    started_environment,
    started_session,
)
from helm.agents.tools.tool import ToolSet
from helm.common.sandbox.dialing import reaches
from helm.common.sandbox.session_contract import SessionRefused


@rule()
def moves_files(subject: Subject) -> None:
    """Files go in and come out byte for byte: binary, empty, large, with odd names, with their modes."""
    binary = bytes(range(256))
    with started_session(subject) as (session, folder):
        contents = {
            "all": binary, "empty": b"", "large": binary * 12_000, "no newline": b"x", "a b/c d": b"space", "it's": b"quote",
            "$(id)": b"dollar", "-n": b"dash", "ü": b"umlaut", "END": b"END\n", "two\nlines": b"line", "*": b"star",
        }  # fmt: skip
        for name, data in contents.items():
            session.write(f"{folder}/{name}", data)
            expect(session.read(f"{folder}/{name}", 1 << 23), data, f"The content of {name!r}")
        session.write_all({f"{folder}/all of/{n}": (data, 0o644) for n, data in contents.items()})
        for name, data in contents.items():
            expect(session.read(f"{folder}/all of/{name}", 1 << 23), data, f"The content of {name!r}, one of several")
        session.write(f"{folder}/program", b"#!/bin/sh\necho runs\n", 0o755)
        expect(session.run([f"{folder}/program"], wall_s=30).output, b"runs\n", "A file with the mode 755")
        session.write(f"{folder}/all", b"new")
        expect(session.read(f"{folder}/all"), b"new", "A file that was replaced")
        expect(session.read(f"{folder}/large", 1000), (binary * 4)[:1000], "The first 1000 bytes of a file")


@rule()
def lists_and_empties_folders(subject: Subject) -> None:
    """Regular files are listed with their sizes, up to a number, without following links; emptying deletes nothing elsewhere."""
    with started_session(subject) as (session, folder):
        sizes = {
            f"{folder}/{name}": size for name, size in {"a": 0, "b/c d": 3, "b/two\nlines": 5, ".hidden": 2}.items()
        }
        session.write_all({path: (b"x" * size, 0o644) for path, size in sizes.items()})
        session.write("/tmp/contract-outside/kept", b"kept")
        session.run(["sh", "-c", 'cd "$1"; ln -s /tmp/contract-outside link; mkfifo pipe; :', "sh", folder], wall_s=30)
        expect(dict(session.list_files(folder)), sizes, "The files of a folder")
        expect(len(session.list_files(folder, 2)), 2, "The number of files of a folder, at most 2")
        expect(session.list_files(f"{folder}/none"), [], "The files of a folder that is not there")
        session.empty(f"{folder}/link")
        session.empty(folder)
        expect(session.list_files(folder), [], "The files of an emptied folder")
        expect(session.read("/tmp/contract-outside/kept"), b"kept", "A file behind a link of the emptied folder")


@rule()
def refuses_what_is_not_possible(subject: Subject) -> None:
    """Reading what is no file, and writing where none can be, raises SessionRefused, and the session goes on."""
    with started_session(subject) as (session, folder):
        session.write(f"{folder}/file", b"x")
        for what, function in (
            ("Reading a missing file", lambda: session.read(f"{folder}/none")),
            ("Reading a folder", lambda: session.read(folder)),
            ("Writing below a file", lambda: session.write(f"{folder}/file/below", b"")),
            ("Writing into /proc", lambda: session.write("/proc/contract/x", b"")),
            ("Making a folder below a file", lambda: session.make_folder(f"{folder}/file/below")),
        ):
            expect_error(SessionRefused, function, what)
        expect(session.read(f"{folder}/file"), b"x", "A file afterwards")


@rule()
def reaches_no_network_unless_it_says_so(subject: Subject) -> None:
    """Unless `describe()` says that there is a network, no program inside reaches this machine or any other."""
    with started_environment(subject) as box, socket.create_server(("127.0.0.1", 0)) as listener:
        assert isinstance(box, Box)
        network = box.describe().get("network")
        require(isinstance(network, str), "describe() does not say what `network` there is: 'none', or another word.")
        if network != "none":
            return
        for host, port in (listener.getsockname(), ("1.1.1.1", 53)):
            require(not reaches(box.session, host, port), f"A program inside reaches {host}, and network is 'none'.")


@rule()
def keeps_keys_out(subject: Subject) -> None:
    """No key, token or password in a variable of this process is visible inside."""
    words = ("KEY", "TOKEN", "SECRET", "PASSWORD")
    secrets = {name: value for name, value in os.environ.items() if any(word in name.upper() for word in words)}
    with started_session(subject) as (session, _):
        command = "env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null; set; :"
        seen = session.run_in_shell(command, wall_s=30).output
        for name, value in secrets.items():
            require(len(value) < 8 or os.fsencode(value) not in seen, f"The value of {name} is visible inside.")


@rule()
def listens_or_refuses(subject: Subject) -> None:
    """Programs inside reach a port of theirs that this process serves; where that cannot be, SessionRefused says so."""
    with started_session(subject) as (session, _):
        try:
            listener = session.listen(8399)
        except SessionRefused as e:
            require(bool(str(e)), "The refusal has no words.")
            return
        with listener:
            require(reaches(session, "127.0.0.1", 8399) is not False, "A program inside does not reach the port.")


@rule()
def its_tools_work(subject: Subject) -> None:
    """The agent's tools work in it, and a program's end is told to outside agents."""
    with started_environment(subject) as box:
        assert isinstance(box, Box)
        tools = ToolSet(box.offered_tools())

        def call(name: str, **arguments: object) -> str:
            tool = tools.get(name)
            if tool is None:
                raise ContractBroken(f"It offers no tool '{name}'.")
            return tool.call(arguments).content

        call("create", path="contract.txt", text="one\ntwo\n")
        call("replace", path="contract.txt", old="two", new="three")
        expect(
            call("bash", command="cat contract.txt; exit_ () { return 3; }; exit_"),
            "one\nthree\n[exit status 3]",
            "bash",
        )
        expect(call("view", path="contract.txt").split(), ["1", "one", "2", "three"], "view")
        require("contract.txt" in call("list"), "The tool `list` does not show a file.")
        require("three" in call("search", pattern="thr.e"), "The tool `search` does not find a line.")
        box.put(f"{box.workdir.rstrip('/')}/contract.bin", b"\0\1")
        ended = box.run_program(["sh", "-c", "wc -c < contract.bin; exit 4"], {}, 30.0)
        expect((ended.status, ended.returncode, ended.output.strip()), ("ok", 4, "2"), "The end of a program")
