"""Runs untrusted programs, such as those written by a language model, where they can do no harm.

Callers only need `run` and `run_python`; `python -m helm.common.sandbox` reports what protects this machine.
"""

from helm.common.sandbox.contract import SandboxError, SandboxLimits, SandboxResult
from helm.common.sandbox.selection import get_sandbox, is_protected, run, run_python

__all__ = ["SandboxError", "SandboxLimits", "SandboxResult", "get_sandbox", "is_protected", "run", "run_python"]
