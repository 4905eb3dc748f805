"""A small Slurm: `sbatch`, `squeue`, `sacct` and `scancel` as real programs, which run array jobs as real processes here.

    python fake_slurm.py COMMAND ARGUMENTS...

Its state is in the folder `FAKE_SLURM`: for each task a file with its state, its process and when it began and ended. A
process that dies by SIGKILL stands for a machine that failed.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

COMMANDS = ("sbatch", "squeue", "sacct", "scancel")
ACTIVE = ("PENDING", "RUNNING")


def install(folder: Path) -> dict[str, str]:
    """Put the commands into `folder/bin`; returns the variables of the environment that make them be used."""
    (folder / "bin").mkdir(parents=True)
    (folder / "state").mkdir()
    for name in COMMANDS:
        path = folder / "bin" / name
        path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{os.path.abspath(__file__)}" {name} "$@"\n')
        path.chmod(0o755)
    return {"PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}", "FAKE_SLURM": str(folder / "state")}


def tasks(folder: Path) -> dict[str, dict]:
    """Task to what is known of it."""
    paths = sorted(folder.glob("*_*.json"), key=lambda path: [int(part) for part in path.stem.split("_")])
    return {path.stem: json.loads(path.read_text()) for path in paths}


def write(folder: Path, task: str, **content: object) -> None:
    path = folder / f"{task}.json"
    old = json.loads(path.read_text()) if path.exists() else {}
    temporary = folder / f".{task}.{os.getpid()}"
    temporary.write_text(json.dumps({**old, **content}))
    temporary.rename(path)


def is_asked_for(task: str, names: list[str]) -> bool:
    return not names or task in names or task.split("_")[0] in names


def sbatch(folder: Path, arguments: list[str]) -> None:
    *flags, script = arguments
    assert "--parsable" in flags, "the number of the job is read by a program"
    is_command = script.startswith("--wrap=")  # a job that is no array; here it is one of one task
    text = f"#!/bin/sh\n{script.removeprefix('--wrap=')}\n" if is_command else Path(script).read_text()
    options = {"array": "0-0%1", "output": "slurm-%A.out", "chdir": os.getcwd()} if is_command else {}
    options.update(flag.removeprefix("--").partition("=")[::2] for flag in flags if is_command)
    options.update(
        line.removeprefix("#SBATCH --").partition("=")[::2] for line in text.splitlines() if line.startswith("#SBATCH")
    )
    numbers = [int(path.name) for path in folder.iterdir() if path.name.isdigit()]
    job = str(max(numbers, default=100) + 1)
    (folder / job).write_text(json.dumps({"script": text, "options": options, "flags": flags}))
    last, _, limit = options["array"].removeprefix("0-").partition("%")
    for number in range(int(last) + 1):
        write(folder, f"{job}_{number}", state="PENDING")
    subprocess.Popen(
        [sys.executable, "-I", "-S", __file__, "control", job, limit],
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    print(job)


def control(folder: Path, job: str, limit: str) -> None:
    """The process that starts the tasks of a job, as many at once as it may."""
    content = json.loads((folder / job).read_text())
    options, script = content["options"], folder / f"{job}.sh"
    script.write_text(content["script"])
    after = next((flag.rpartition(":")[2] for flag in content["flags"] if flag.startswith("--dependency")), None)
    while after and any(
        known["state"] in ACTIVE for task, known in tasks(folder).items() if is_asked_for(task, [after])
    ):
        time.sleep(0.05)
    running: dict[str, subprocess.Popen] = {}
    while True:
        mine = {task: known for task, known in tasks(folder).items() if is_asked_for(task, [job])}
        for task, process in list(running.items()):
            if process.poll() is not None:
                code = running.pop(task).returncode
                state = "NODE_FAIL" if code == -signal.SIGKILL else "FAILED" if code else "COMPLETED"
                if mine[task]["state"] == "RUNNING":
                    write(folder, task, state=state)
                write(folder, task, ended=time.time())
        for task, known in mine.items():
            if known["state"] == "PENDING" and len(running) < int(limit):
                job, number = task.split("_")
                environment = {**os.environ, "SLURM_ARRAY_JOB_ID": job, "SLURM_ARRAY_TASK_ID": number}
                output = options["output"].replace("%A", job).replace("%a", number)
                with open(os.path.join(options["chdir"], output), "ab") as file:
                    running[task] = subprocess.Popen(
                        ["sh", str(script)], cwd=options["chdir"], env=environment, stdout=file, stderr=file
                    )
                write(folder, task, state="RUNNING", pid=running[task].pid, began=time.time())
        if not running and not any(known["state"] in ACTIVE for known in mine.values()):
            return
        time.sleep(0.05)


def _names(arguments: list[str]) -> list[str]:
    return next((a.removeprefix("--jobs=").split(",") for a in arguments if a.startswith("--jobs=")), [])


def squeue(folder: Path, arguments: list[str]) -> None:
    assert "--noheader" in arguments and "--array" in arguments and "--format=%i %T" in arguments
    for task, known in tasks(folder).items():
        if is_asked_for(task, _names(arguments)):
            print(task, known["state"].split()[0])  # without "by"


def sacct(folder: Path, arguments: list[str]) -> None:
    assert "--noheader" in arguments and "--format=State" in arguments
    for task, known in tasks(folder).items():
        if is_asked_for(task, _names(arguments)):
            print(known["state"])


def scancel(folder: Path, arguments: list[str]) -> None:
    names = [argument for argument in arguments if not argument.startswith("--")]
    name = next((a.removeprefix("--signal=") for a in arguments if a.startswith("--signal=")), None)
    for task, known in tasks(folder).items():
        if is_asked_for(task, names) and known["state"] in ACTIVE:
            if name is None:
                write(folder, task, state="CANCELLED by 0")
            if known["state"] == "RUNNING":
                os.kill(known["pid"], signal.Signals[f"SIG{name or 'TERM'}"])


if __name__ == "__main__":
    globals()[sys.argv[1]](
        Path(os.environ["FAKE_SLURM"]), *([sys.argv[2:]] if sys.argv[1] in COMMANDS else sys.argv[2:])
    )
