"""Runs a program of the comparisons with lm-evaluation-harness in the sandbox, beside the worker that does jobs about tasks.

`lm_eval_tasks.py` and `lm_eval_parity.py` call `run_inside`; what they send along calls `begin`, inside.
"""

import json
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).parent

_PROGRAM = """\
import os, sys
sys.path.insert(0, os.getcwd())
import {module}
{module}.main()
"""


def run_inside(module, work, code_files, modules=()):
    """Run the `main` of a module of this folder. Returns the result, and the answers: a line of JSON each.

    Args:
        work: what `begin` returns there.
        code_files: the files of the tasks' code.
        modules: further modules of this folder that it imports.
    """
    from helm.benchmark.lm_eval.task_worker import worker_files
    from helm.common.sandbox.contract import SandboxLimits
    from helm.common.sandbox.selection import run_python

    limits = SandboxLimits(
        wall_s=1800, memory_bytes=6 << 30, processes=128, output_bytes=1 << 30, scratch_bytes=512 << 20, open_files=512,
        address_space_bytes=32 << 30,
    )  # fmt: skip
    files = {f"{name}.py": (HERE / f"{name}.py").read_bytes() for name in (module, "lm_eval_sandbox", *modules)}
    files.update(worker_files())
    files.update({f"task_code/{name}": content for name, content in code_files.items()})
    result = run_python(_PROGRAM.format(module=module), stdin=json.dumps(work).encode(), files=files, limits=limits)
    lines = result.stdout.decode().splitlines()
    return result, [json.loads(line) for line in lines if line.endswith("}")]


def begin():
    """Prepare this process, in the sandbox. Returns the work, the file for answers, and the folder with `task_code`."""
    from helm_worker.stand_ins import install

    work = json.load(sys.stdin)
    target = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # code of tasks prints what it likes
    install(os.getcwd())
    return work, target, os.getcwd()
