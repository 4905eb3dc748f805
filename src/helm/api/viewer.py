"""The pages of `helm-server`, opened from Python."""

import os
import re
import subprocess
import sys
import tempfile
import time
import weakref
from typing import IO, Any

from helm.common.errors import HelmError

_START_S = 60.0
_STOP_S = 10.0
_LOOK_S = 0.05
_ADDRESS = re.compile(rb"(http://127\.0\.0\.1:\d+/)")

# The server ends when its standard input does, and so with this process, however that ends.
_PROGRAM = """
import os, signal, sys, threading

def wait():
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)

threading.Thread(target=wait, daemon=True).start()
from helm.benchmark.server import main
main(sys.argv[1:])
"""


class ViewerHandle:
    """A server that shows results on this machine. It ends with `close`, with a `with` block, or with this process."""

    def __init__(self, process: "subprocess.Popen[bytes]", log: IO[bytes], url: str):
        self.url = url
        """The address of the pages."""
        self._end = weakref.finalize(self, _stop, process, log)

    def close(self) -> None:
        """End the server. Further calls do nothing."""
        self._end()

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return not self._end.alive

    def __enter__(self) -> "ViewerHandle":
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<viewer at {self.url}{', closed' if self.is_closed else ''}>"

    def _repr_html_(self) -> str:
        if self.is_closed:
            return "<p>The viewer is closed.</p>"
        return f'<p><a href="{self.url}" target="_blank" rel="noopener">Results at {self.url}</a></p>'


def open_viewer(output_path: str, suite: str, port: int) -> ViewerHandle:
    """Start the server; see `Results.open_viewer`."""
    from helm.common.optional_dependencies import needs_extra

    with needs_extra("server"):
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    arguments = ["--output-path", os.path.abspath(output_path), "--port", str(port)]
    if suite:
        arguments += ["--suite", suite]
    log = tempfile.TemporaryFile()
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT
    )
    try:
        return ViewerHandle(process, log, _wait_for_address(process, log))
    except BaseException:
        _stop(process, log)
        raise


def _wait_for_address(process: "subprocess.Popen[bytes]", log: IO[bytes]) -> str:
    deadline = time.monotonic() + _START_S
    while True:
        is_over = process.poll() is not None
        log.seek(0)
        text = log.read()
        found = _ADDRESS.search(text)
        if found and not is_over:
            return found[1].decode()
        if is_over or time.monotonic() > deadline:
            lines = text.decode("utf-8", "replace").strip().splitlines()
            raise HelmError(f"The viewer could not be started: {lines[-1] if lines else 'it gave no reason.'}")
        time.sleep(_LOOK_S)


def _stop(process: "subprocess.Popen[bytes]", log: IO[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(_STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    log.close()
