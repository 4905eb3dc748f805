"""What `error.json` says of a run whose last attempt failed; `helm.benchmark.running.run_writer` writes it."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class RunError:
    """The content of `error.json`; empty where the file says nothing, which files of others may do."""

    run: str = ""
    stage: str = ""
    instance_id: str = ""
    error_type: str = ""
    message: str = ""
    traceback: str = ""
    command: str | None = None
    """The command line that had asked for the run."""
    run_spec: Any = None
    """Plain values."""

    @staticmethod
    def of(content: Any) -> "RunError":
        """From what stands in the file."""
        data = content if isinstance(content, dict) else {}
        names = ("run", "stage", "instance_id", "error_type", "message", "traceback")
        texts = {name: str(data[name]) for name in names if data.get(name) not in (None, "")}
        command = data.get("command")
        return RunError(**texts, command=command if isinstance(command, str) else None, run_spec=data.get("run_spec"))

    @property
    def cause(self) -> str:
        """Stage and message, in one line."""
        message = " ".join((self.message or self.error_type or "no message").split())
        return f"{self.stage}: {message}" if self.stage else message
