"""Runs in the sandbox: programs, one after the other, and returns what they wrote. Reads a task from standard input.

A task has `files` (names of those that programs may change), `programs` (names that must be installed), `asked` (names that
may be), `commands` (`argv`, `must_succeed`, and `served`: a folder that is served by HTTP while the command runs), `outputs`
(names of files to return), `environment` and `wall_s`.
"""

import base64
import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import time

MAX_BYTES = {"stdout": 10_000_000, "stderr": 200_000}  # a browser writes its page to standard output


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, *args):
        pass


def serve(folder):
    """Serve a folder at a port of this machine; returns the address."""
    handler = functools.partial(Handler, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/"


def run(command, environment, end):
    argv = command["argv"]
    if command["served"]:
        os.makedirs(command["served"], exist_ok=True)
        address = serve(command["served"])
        argv = [word.replace("{address}", address) for word in argv]
    env = {**os.environ, **environment}
    left = max(0.1, end - time.monotonic())
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=left, env=env)
    except subprocess.TimeoutExpired:
        return {"returncode": None, "stdout": "", "stderr": ""}
    texts = {name: getattr(done, name)[-most:].decode("utf-8", "replace") for name, most in MAX_BYTES.items()}
    return {"returncode": done.returncode, **texts}


def own(name):
    """Make a file ours, since the sandbox may run programs as another user than the owner of its files."""
    shutil.copyfile(name, f"{name}.own")
    os.replace(f"{name}.own", name)


def main():
    task = json.load(sys.stdin)
    for name in task.get("files", []):
        own(name)
    end = time.monotonic() + task["wall_s"]
    missing = [name for name in task["programs"] if shutil.which(name) is None]
    ran, contents = [], {}
    for command in [] if missing else task["commands"]:
        ran.append(run(command, task["environment"], end))
        if ran[-1]["returncode"] is None or (ran[-1]["returncode"] and command["must_succeed"]):
            break
    for name in task["outputs"]:
        if os.path.isfile(name) and not os.path.islink(name):
            with open(name, "rb") as file:
                contents[name] = base64.b64encode(file.read()).decode("ascii")
    installed = [name for name in task.get("asked", []) if shutil.which(name) is not None]
    json.dump({"missing": missing, "installed": installed, "ran": ran, "contents": contents}, sys.stdout)


main()
