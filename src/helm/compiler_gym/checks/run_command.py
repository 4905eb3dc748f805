"""Runs a command in the current folder, and says how it ended. A program, not a module.

    python run_command.py SECONDS FILE... -- COMMAND...

prints a JSON object: `returncode` (or null after SECONDS), `stdout` and `stderr` (base64), and `files`, the SHA-256 of each FILE
after it, or null for one that is not there.
"""

import base64
import hashlib
import json
import subprocess
import sys
from pathlib import Path


def main(arguments: list[str]) -> None:
    end = arguments.index("--")
    seconds, names, command = float(arguments[0]), arguments[1:end], arguments[end + 1 :]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds)
        status, stdout, stderr = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        status, stdout, stderr = None, b"", b""
    files = {}
    for name in names:
        path = Path(name)
        files[name] = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
    texts = {"stdout": base64.b64encode(stdout).decode(), "stderr": base64.b64encode(stderr[-2000:]).decode()}
    print(json.dumps({"returncode": status, "files": files, **texts}))


if __name__ == "__main__":
    main(sys.argv[1:])
