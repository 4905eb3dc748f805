"""Reports this machine's sandbox: `python -m helm.common.sandbox`. Exits with status 1 if there is none."""

import os
import sys
import time

from helm.common.sandbox.contract import SandboxError
from helm.common.sandbox.selection import AUTO, VARIABLE, create_sandbox, get_sandbox, run_python


def main() -> int:
    for name in AUTO:
        sandbox = create_sandbox(name)
        try:
            sandbox.check()
            print(f"{name}: works: {sandbox.describe()}")
        except SandboxError as error:
            print(f"{name}: not available: {error}")
    try:
        chosen = get_sandbox()
        start = time.monotonic()
        result = run_python("print('ready')")
    except SandboxError as error:
        print(error)
        return 1
    setting = f" ({VARIABLE}={os.environ[VARIABLE]})" if os.environ.get(VARIABLE) else ""
    print(f"used: {chosen.name}{setting}")
    if result.stdout != b"ready\n":
        print(f"but Python does not run in it: {result.stderr.decode(errors='replace').strip()}")
        return 1
    print(f"one Python program: {(time.monotonic() - start) * 1000:.0f} ms")
    return 0 if chosen.is_protected else 1


if __name__ == "__main__":
    sys.exit(main())
