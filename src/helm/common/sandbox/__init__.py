"""Runs programs that nobody vouches for, such as those a language model wrote, where they can do no harm.

`run` and `run_python` are all that callers need; `python -m helm.common.sandbox` says what protects this machine.
"""

from helm.common.sandbox.contract import SandboxError, SandboxLimits, SandboxResult
from helm.common.sandbox.selection import get_sandbox, is_protected, run, run_python

__all__ = ["SandboxError", "SandboxLimits", "SandboxResult", "get_sandbox", "is_protected", "run", "run_python"]
