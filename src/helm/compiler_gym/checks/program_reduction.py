"""Smaller programs on which a compiler still fails, by LLVM's `llvm-reduce`."""

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from helm.common.hierarchical_logger import hwarn

_PROBE = """\
import os, socket, sys
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(sys.argv[1])
    connection.sendall(os.path.abspath(sys.argv[2]).encode())
    connection.shutdown(socket.SHUT_WR)
    sys.exit(0 if connection.recv(1) == b"1" else 1)
"""
"""What llvm-reduce calls with the path of a candidate; it asks us."""

_GRACE_S = 60.0
"""Time for llvm-reduce to end after we have begun to answer no."""


def reduce_program(program: str, bitcode: bytes, fails: Callable[[bytes], bool], budget_s: float) -> bytes:
    """Return a smaller program that fails; the same one if none was found.

    Args:
        program: path of `llvm-reduce`, of the LLVM that wrote the bitcode.
        bitcode: a program that fails.
        fails: tests a program.
        budget_s: after this time, no further program is tested, in seconds.
    """
    smallest = bitcode
    deadline = time.monotonic() + budget_s

    def answer(path: Path) -> bool:
        nonlocal smallest
        candidate = path.read_bytes()
        if time.monotonic() >= deadline or not fails(candidate):
            return False
        smallest = candidate
        return True

    with tempfile.TemporaryDirectory(prefix="helm-reduce-") as folder:
        source, probe, address = Path(folder) / "program.bc", Path(folder) / "probe.py", str(Path(folder) / "socket")
        source.write_bytes(bitcode)
        probe.write_text(_PROBE)
        with _Answering(address, answer):
            words = [program, "-j=1", f"--test={sys.executable}"]
            words += [f"--test-arg={word}" for word in ("-I", "-S", str(probe), address)]
            words += ["--output-bitcode", "-o", str(Path(folder) / "reduced.bc"), str(source)]
            try:
                done = subprocess.run(
                    words,
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=budget_s + _GRACE_S,
                    env={**os.environ, "TMPDIR": folder},
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                hwarn(f"{program} was stopped: {error}")
            else:
                if done.returncode != 0:
                    hwarn(
                        f"{program} failed with status {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}"
                    )
    return smallest


class _Answering:
    """Answers questions about files that come over a socket, one after the other, until the block ends."""

    def __init__(self, address: str, answer: Callable[[Path], bool]):
        self._answer = answer
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(address)
        self._socket.listen(16)
        self._thread = threading.Thread(target=self._serve, name="llvm-reduce", daemon=True)

    def __enter__(self) -> "_Answering":
        self._thread.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # nobody is connected
        self._socket.close()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                self._reply(connection)

    def _reply(self, connection: socket.socket) -> None:
        try:
            path = b"".join(iter(lambda: connection.recv(4096), b"")).decode()
            is_interesting = self._answer(Path(path))
        except Exception as error:  # a candidate that breaks the test shows nothing, and the others still count
            hwarn(f"A candidate could not be tested: {type(error).__name__}: {error}")
            is_interesting = False
        try:
            connection.sendall(b"1" if is_interesting else b"0")
        except OSError:
            pass  # llvm-reduce was stopped
