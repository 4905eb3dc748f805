"""What `progress.json` in a suite's folder says: how far the commands of the suite are. The format is in
docs/reference-files.md.
"""

import os
import time
from dataclasses import dataclass, field

from helm.common.telemetry.progress import WAITING

FILE_NAME = "progress.json"
SCHEMA_VERSION = 1

# States of a command, beside RUNNING and FAILED
STOPPING = "stopping"
FINISHED = "finished"
INTERRUPTED = "interrupted"
OUT_OF_BUDGET = "out_of_budget"
# What only a reader can say
KILLED = "killed"
SILENT = "silent"

_FRESH_S = 3.0
"""So shortly after it has written a command is not gone, whatever it seems: containers may share the name of their machine,
but not its processes."""
_SILENT_AFTER_S = 30.0
"""A command writes at least every few seconds, but may be held up by the disk or by a computation."""


@dataclass(frozen=True)
class WorkReport:
    """What a stage is at, where it works through items."""

    description: str

    done: int

    total: int | None = None


@dataclass(frozen=True)
class RunReport:
    """One run."""

    name: str

    state: str = WAITING
    """One of `helm.common.telemetry.progress.RUN_STATES`."""

    stage: str | None = None
    """As in error.json; where it is, was stopped, or failed."""

    unit: str = "requests"
    """What is counted: `requests`, `evaluations` of an AD tool, or `episodes` with a compiler."""

    total: int | None = None
    """None: not known yet."""

    done: int = 0

    cached: int = 0
    """Of those done, how many were in the response cache."""

    resumed: int = 0
    """Of those done, how many an earlier attempt had finished."""

    outcomes: dict[str, int] = field(default_factory=dict)
    """Of those done by this attempt: `ok`, and failures by type."""

    work: WorkReport | None = None

    worker: str | None = None
    """Where it runs, on a cluster."""

    started_at: float | None = None

    ended_at: float | None = None

    error_type: str | None = None

    message: str | None = None
    """The first line of the error."""


@dataclass(frozen=True)
class RateReport:
    """How fast it was during the last `window_s` seconds."""

    window_s: float

    requests_per_s: float
    """Requests, evaluations and episodes that were done, answers from the cache among them."""

    tokens_per_s: float


@dataclass(frozen=True)
class TokensReport:
    """Of language models, judges included; answers from the cache cost none."""

    prompt: int = 0

    completion: int = 0


@dataclass(frozen=True)
class CostReport:
    usd: float = 0.0

    unpriced_requests: int = 0
    """Requests whose cost is not known."""


@dataclass(frozen=True)
class BudgetReport:
    """Limits of the command and what is left of them; None: no such limit."""

    max_cost_usd: float | None = None

    cost_left_usd: float | None = None

    max_tokens: int | None = None

    tokens_left: int | None = None

    max_seconds: float | None = None

    seconds_left: float | None = None


@dataclass(frozen=True)
class EndpointReport:
    """The limiter of one endpoint and key."""

    endpoint: str
    """Address, without user and password."""

    window: int
    """How many requests may be in flight now."""

    in_flight: int

    waiting: int
    """Requests that wait for their turn."""

    sent: int

    rejected: int
    """Of those sent, how many the server refused for being too many."""

    requests_per_s: float | None = None
    """The pace that is held; None: as fast as the window lets through."""

    retrying: int = 0
    """Requests that failed and pause before they are tried again."""

    failed_tries: dict[str, int] = field(default_factory=dict)
    """Tries that failed, by outcome, whatever became of the request then."""

    retry_at: float | None = None
    """Nothing is sent before; None: no pause."""

    stopped: str | None = None
    """Why nothing more is sent."""


@dataclass(frozen=True)
class EtaReport:
    """When it may be over."""

    seconds: float

    basis: str
    """What the number was made of, for people."""


@dataclass(frozen=True)
class CommandReport:
    """One command, `helm-run` or another; times are seconds since 1970."""

    program: str

    host: str

    pid: int

    state: str

    started_at: float

    updated_at: float

    ended_at: float | None = None

    runs: list[RunReport] = field(default_factory=list)

    rate: RateReport | None = None

    tokens: TokensReport = TokensReport()

    cost: CostReport = CostReport()

    budget: BudgetReport = BudgetReport()

    failures: dict[str, int] = field(default_factory=dict)
    """Requests to language models that failed for good, by outcome; judges included."""

    errors: dict[str, int] = field(default_factory=dict)
    """Failed runs by type of error."""

    endpoints: list[EndpointReport] = field(default_factory=list)

    eta: EtaReport | None = None

    message: str | None = None
    """Why it ended, if not well."""

    @property
    def key(self) -> tuple[str, int, float]:
        return self.host, self.pid, self.started_at

    @property
    def is_over(self) -> bool:
        return self.ended_at is not None

    def num_runs(self, state: str) -> int:
        return sum(run.state == state for run in self.runs)

    def state_at(self, now: float | None = None) -> str:
        """The state as a reader sees it at `now` (seconds since 1970): a command that has not said that it is over is
        `killed` when its process is gone, and `silent` when it has not written for half a minute and its process cannot
        be looked for, being on another machine, or is still there.
        """
        now = time.time() if now is None else now
        age_s = now - self.updated_at
        if age_s > _FRESH_S and self.is_gone:
            return KILLED
        return SILENT if age_s > _SILENT_AFTER_S and not self.is_over else self.state

    @property
    def is_gone(self) -> bool:
        """It has not said that it is over, and there is no such process on this machine, if that is its machine."""
        import socket

        return not self.is_over and self.host == socket.gethostname() and not _is_alive(self.pid)


@dataclass(frozen=True)
class ProgressReport:
    """The file: the commands that are at work in the suite, and those that ended last, oldest first."""

    suite: str

    updated_at: float

    commands: list[CommandReport] = field(default_factory=list)

    schema_version: int = SCHEMA_VERSION


def _is_alive(pid: int) -> bool:
    if os.name == "nt":
        return True  # there is no harmless signal
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # it is somebody else's
    return True


def read_progress(suite_path: str) -> ProgressReport | None:
    """That of a suite's folder; None: no command has written one.

    Raises: ConfigError when the file is damaged or of a later version.
    """
    from helm.common.errors import ConfigError

    path = os.path.join(suite_path, FILE_NAME)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    import msgspec

    try:
        version = msgspec.json.decode(data)["schema_version"]
        if version == SCHEMA_VERSION:
            return msgspec.json.decode(data, type=ProgressReport)
    except (msgspec.MsgspecError, TypeError, LookupError, RecursionError) as e:
        raise ConfigError(f"{path} is not what it should be: {e}. It may be deleted.") from e
    raise ConfigError(f"{path} has schema_version {version}; this version reads {SCHEMA_VERSION}.")
