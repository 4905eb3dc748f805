"""The daemons of a real Slurm with one node, this machine, without accounting: munged, slurmctld and slurmd, in a folder.

They need root (slurmd starts jobs as their users) and the packages slurm-wlm and munge. Nothing of the system's own
configuration is read or changed: the programs find theirs by the variable `SLURM_CONF`.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel")
_START_S = 60.0

_CONF = """
ClusterName=helm
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
MinJobAge=300
KillWait=5
InactiveLimit=0
SlurmctldTimeout=30
SlurmdTimeout=30
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> str:
    """Why a real Slurm cannot be started here; empty if it can."""
    if os.geteuid() != 0:
        return "a real Slurm needs root"
    absent = [name for name in PROGRAMS if _find(name) is None]
    return f"there is no {', '.join(absent)}" if absent else ""


def _find(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


class RealSlurm:
    """Started by `start`; `stop` ends the daemons and all of their jobs."""

    def __init__(self) -> None:
        # The path of a socket may have 107 characters, which the folders of tests exceed.
        self.folder = Path(tempfile.mkdtemp(prefix="slurm-"))
        self._daemons: dict[str, subprocess.Popen[bytes]] = {}
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        self.host = socket.gethostname().split(".")[0]
        ports = {"controller_port": _free_port(), "node_port": _free_port()}
        self.conf = self.folder / "slurm.conf"
        self.conf.write_text(_CONF.format(host=self.host, folder=self.folder, **ports))
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self.environment = {"SLURM_CONF": str(self.conf)}

    def start(self) -> None:
        munge = ["munged", "--foreground", "--force", "--num-threads=2", f"--key-file={self.folder}/munge.key"]
        munge += [
            f"--{name}={self.folder}/munge.{name.split('-')[0]}"
            for name in ("socket", "pid-file", "log-file", "seed-file")
        ]
        self._begin("munged", munge)
        self._wait(lambda: (self.folder / "munge.socket").exists())
        self.begin_controller()
        self.begin_node()
        self._wait(self.is_ready)

    def begin_controller(self) -> None:
        self._begin("slurmctld", ["slurmctld", "-D", "-i"])

    def begin_node(self) -> None:
        self._begin("slurmd", ["slurmd", "-D", "-N", self.host])

    def _begin(self, name: str, command: list[str]) -> None:
        program = _find(command[0])
        assert program is not None
        with open(self.folder / f"{name}.out", "ab") as output:
            self._daemons[name] = subprocess.Popen(
                [program, *command[1:]], stdout=output, stderr=output, env={**os.environ, **self.environment}
            )

    def is_ready(self) -> bool:
        done = self.call("sinfo", "--noheader", "--format=%T")
        return done.strip() in ("idle", "mixed", "allocated")

    def call(self, *command: str) -> str:
        """Return the output of one of Slurm's commands; empty if it fails."""
        done = subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, **self.environment}, timeout=60
        )
        return done.stdout if done.returncode == 0 else ""

    def _wait(self, is_done) -> None:
        end = time.monotonic() + _START_S
        while not is_done():
            dead = [name for name, process in self._daemons.items() if process.poll() is not None]
            if dead or time.monotonic() > end:
                texts = [path.read_text(errors="replace")[-2000:] for path in sorted(self.folder.glob("*.out"))]
                texts += [path.read_text(errors="replace")[-2000:] for path in sorted(self.folder.glob("*.log"))]
                raise RuntimeError(f"Slurm does not start; ended: {dead}\n" + "\n---\n".join(texts))
            time.sleep(0.1)

    def kill(self, name: str) -> None:
        """Kill a daemon, as a machine that fails does; `begin_controller` or `begin_node` starts it again."""
        self._daemons[name].kill()
        self._daemons[name].wait()

    def stop(self) -> None:
        self.call("scancel", "--user=root")
        for name in ("slurmd", "slurmctld", "munged"):
            process = self._daemons.get(name)
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
