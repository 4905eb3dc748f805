"""The format of `progress.json` in a suite's folder, which reports the progress of the suite's commands.

It is described in docs/reference-files.md.
"""

import os
import time
from dataclasses import dataclass, field

from helm.common.telemetry.progress import WAITING

FILE_NAME = "progress.json"
SCHEMA_VERSION = 1

# States of a command besides RUNNING and FAILED
STOPPING = "stopping"
FINISHED = "finished"
INTERRUPTED = "interrupted"
OUT_OF_BUDGET = "out_of_budget"
# States that only a reader can determine
KILLED = "killed"
SILENT = "silent"

# A command that has written this recently is alive, even if its process is not visible: containers may share the name of
# their machine, but not its processes.
_FRESH_S = 3.0
# A command writes at least every few seconds, but may be delayed by the disk or by a computation.
_SILENT_AFTER_S = 30.0


@dataclass(frozen=True)
class WorkReport:
    """The progress of a stage that processes items."""

    description: str

    done: int

    total: int | None = None


@dataclass(frozen=True)
class EpisodeReport:
    """An episode of an agent that is running."""

    task: str

    turns: int
    """The answers of the agent's model so far."""

    started_at: float

    cost_usd: float | None = 0.0
    """What its models cost so far; None if the price of a call is unknown."""


@dataclass(frozen=True)
class EpisodesReport:
    """The episodes of a run of agents."""

    done: int = 0
    """The number of those that this attempt has finished; the turns and costs are theirs."""

    turns: int = 0

    cost_usd: float | None = 0.0

    running: list[EpisodeReport] = field(default_factory=list)
    """The oldest of those that are running."""


@dataclass(frozen=True)
class RunReport:
    """The progress of one run."""

    name: str

    state: str = WAITING
    """One of `helm.common.telemetry.progress.RUN_STATES`."""

    stage: str | None = None
    """The stage at which it is, was stopped, or failed, as in error.json."""

    unit: str = "requests"
    """What is counted: `requests`, `evaluations` of an AD tool, or `episodes` with a compiler."""

    total: int | None = None
    """The total number; None if it is not known yet."""

    done: int = 0

    cached: int = 0
    """The number of those done that were in the response cache."""

    resumed: int = 0
    """The number of those done that an earlier attempt had finished."""

    outcomes: dict[str, int] = field(default_factory=dict)
    """The number of those done by this attempt, by outcome: `ok`, and failures by type."""

    work: WorkReport | None = None

    episodes: EpisodesReport | None = None
    """None if the run has no agents."""

    worker: str | None = None
    """The worker that executes it, on a cluster."""

    started_at: float | None = None

    ended_at: float | None = None

    error_type: str | None = None

    message: str | None = None
    """The first line of the error."""


@dataclass(frozen=True)
class RateReport:
    """The speed during the last `window_s` seconds."""

    window_s: float

    requests_per_s: float
    """The requests, evaluations and episodes done per second, including answers from the cache."""

    tokens_per_s: float


@dataclass(frozen=True)
class TokensReport:
    """The tokens of language models, including judges; answers from the cache cost none."""

    prompt: int = 0

    completion: int = 0


@dataclass(frozen=True)
class CostReport:
    usd: float = 0.0

    unpriced_requests: int = 0
    """The number of requests with unknown cost."""


@dataclass(frozen=True)
class BudgetReport:
    """The limits of the command and what is left of them; None if there is no such limit."""

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
    """The address, without user and password."""

    window: int
    """The most requests that may be in flight now."""

    in_flight: int

    waiting: int
    """The number of requests that wait for their turn."""

    sent: int

    rejected: int
    """The number of sent requests that the server refused as too many."""

    requests_per_s: float | None = None
    """The limit of the rate; None if only the window limits it."""

    retrying: int = 0
    """The number of requests that failed and pause before they are retried."""

    failed_tries: dict[str, int] = field(default_factory=dict)
    """The number of failed tries by outcome, whatever became of the requests."""

    retry_at: float | None = None
    """The end of the pause in sending; None if there is no pause."""

    stopped: str | None = None
    """Why no more requests are sent; None if they are."""


@dataclass(frozen=True)
class EtaReport:
    """The estimated time of the end."""

    seconds: float

    basis: str
    """What the estimate is based on, for people."""


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
    """The number of requests to language models, including judges, that failed permanently, by outcome."""

    errors: dict[str, int] = field(default_factory=dict)
    """The number of failed runs by type of error."""

    endpoints: list[EndpointReport] = field(default_factory=list)

    eta: EtaReport | None = None

    message: str | None = None
    """Why it ended, if it failed."""

    @property
    def key(self) -> tuple[str, int, float]:
        return self.host, self.pid, self.started_at

    @property
    def is_over(self) -> bool:
        return self.ended_at is not None

    def num_runs(self, state: str) -> int:
        return sum(run.state == state for run in self.runs)

    def state_at(self, now: float | None = None) -> str:
        """Return the state as a reader sees it at `now` (seconds since 1970).

        A command that has not reported its end is `killed` if its process is gone. It is `silent` if it has not written for
        half a minute and its process is still there, or cannot be checked because it is on another machine.
        """
        now = time.time() if now is None else now
        age_s = now - self.updated_at
        if age_s > _FRESH_S and self.is_gone:
            return KILLED
        return SILENT if age_s > _SILENT_AFTER_S and not self.is_over else self.state

    @property
    def is_gone(self) -> bool:
        """Whether it has not reported its end, but its process does not exist on this machine, if it runs here."""
        import socket

        return not self.is_over and self.host == socket.gethostname() and not _is_alive(self.pid)


@dataclass(frozen=True)
class ProgressReport:
    """The content of the file: the commands at work in the suite, and those that ended last, oldest first."""

    suite: str

    updated_at: float

    commands: list[CommandReport] = field(default_factory=list)

    schema_version: int = SCHEMA_VERSION


def _is_alive(pid: int) -> bool:
    if os.name == "nt":
        return True  # this system has no harmless signal
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # it belongs to another user
    return True


def read_progress(suite_path: str) -> ProgressReport | None:
    """Read the report in a suite's folder; return None if no command has written one.

    Raises ConfigError if the file is damaged or of a later version.
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
        raise ConfigError(f"{path} is damaged: {e}. It may be deleted.") from e
    raise ConfigError(f"{path} has schema_version {version}; this version reads {SCHEMA_VERSION}.")
