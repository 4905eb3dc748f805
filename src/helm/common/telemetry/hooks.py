"""Hooks: objects of the user's own, or of other packages, that are told what a command does.

A hook is an instance of a subclass of `Hooks` and overrides what it wants to be told. `helm.common.telemetry.hook_events`
delivers the events; docs/howto-hooks.md shows how to write and select a hook.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ENTRY_POINT_GROUP = "helm.hooks"
"""Subclasses of `Hooks` that installed packages register in this group are active in all commands."""

SENT, ANSWERED, FAILED, DEFERRED = "sent", "answered", "failed", "deferred"


@dataclass(frozen=True)
class HookWishes:
    """What the hooks of a command want to be told, for processes that work for it."""

    requests: bool
    """Whether a hook wants to be told of requests."""

    instances: bool
    """Whether a hook wants to be told of instances."""

    shows_texts: bool
    """Whether hooks are told prompts and answers."""


@dataclass(frozen=True)
class CommandEvent:
    """A command begins or ends. Times are seconds since 1970."""

    at: float

    program: str
    """Name of the command, for example `helm-run`."""

    suite: str

    folder: str
    """The suite's folder."""

    run_names: tuple[str, ...]
    """The names of all runs that were asked for."""

    command: str | None = None
    """The command line without passwords; None if there is none."""

    state: str | None = None
    """At the end: `finished`, `failed`, `interrupted` or `out_of_budget`; None at the beginning."""

    message: str | None = None
    """The first line of the error that ended it."""

    cost_usd: float | None = None
    """At the end: what the requests of language models cost, in US dollars, as far as prices are known."""

    prompt_tokens: int = 0

    completion_tokens: int = 0


@dataclass(frozen=True)
class RunEvent:
    """A run begins, ends or fails. Times are seconds since 1970."""

    at: float

    run: str
    """The name of the run; it is also that of its folder."""

    suite: str

    folder: str
    """The run's folder."""

    model: str

    model_deployment: str

    params: Mapping[str, str | int | float | bool]
    """What the run spec says, as plain values under dotted names such as `adapter_spec.max_tokens`. Texts of more than 500
    characters are cut, and addresses have no passwords."""

    state: str | None = None
    """At the end: `done`, `failed`, or `stopped` if it was interrupted and resumes when the command is repeated."""

    seconds: float | None = None
    """At the end: the duration, including waiting."""

    score: float | None = None
    """The value of the headline metric of a run that is done; None if it has none."""

    score_name: str | None = None

    metrics: Mapping[str, float] | None = None
    """The means of all statistics of a run that is done, under `SPLIT/NAME` or `SPLIT/NAME.PERTURBATION`."""

    files: tuple[str, ...] = ()
    """The paths of the files that a run has written. With `shows_texts` False, those with prompts and answers are left out."""

    requests: Mapping[str, int] | None = None
    """At the end: the number of requests done (`done`, `cached`, `resumed`), and of failures by outcome."""

    cost_usd: float | None = None
    """What its requests have cost in US dollars; None if a price is unknown."""

    stage: str | None = None
    """Of a run that failed: the stage, as in error.json."""

    error_type: str | None = None

    message: str | None = None
    """Of a run that failed: the first line of the error."""


@dataclass(frozen=True)
class InstanceEvent:
    """One instance of a run was scored."""

    at: float

    run: str

    instance_id: str

    trial: int
    """The number of the draw of in-context examples."""

    perturbation: str | None
    """The name of the perturbation; None for the instance itself."""

    scores: Mapping[str, float]
    """The means of the instance's statistics by name."""


@dataclass(frozen=True)
class RequestEvent:
    """A request of a run, to its subject, a judge or another model, is sent or has ended."""

    at: float

    run: str

    number: int
    """Unique within the command; `sent` and what follows have the same."""

    state: str
    """`sent`; then `answered`, `failed`, or `deferred` if it waits for a batch and is asked again when that is answered."""

    stage: str | None
    """The stage of the run: `execution` for requests to the subject, `annotation` for those to judges."""

    kind: str
    """`text_completion`, `chat` or `embeddings`; `evaluate` for AD tools and `episode` for compilers."""

    provider: str
    """The organization or the kind of host that serves the model, as in the deployment's name, for example `openai`."""

    model: str

    model_deployment: str

    params: Mapping[str, Any]
    """The sampling parameters: temperature, max_tokens, top_p, num_completions and seed, where they are set."""

    seconds: float | None = None
    """At the end: the time since it was sent, including retries and waiting for the endpoint."""

    latency_s: float | None = None
    """The time that the provider took for the successful try; None if it is unknown, or `cached`."""

    cached: bool = False
    """Whether the response cache had the answer."""

    prompt_tokens: int | None = None
    """As the provider counts them; None if it does not, or `cached`."""

    completion_tokens: int | None = None

    cost_usd: float | None = None
    """None if the price is unknown, or `cached`."""

    outcome: str | None = None
    """Of a failed request: the kind of failure, one of `helm.common.request.OUTCOMES`, or the type of the error."""

    finish_reasons: tuple[str, ...] = ()

    prompt: str | None = None
    """The prompt, or the messages as JSON; None unless texts were asked for."""

    completions: tuple[str, ...] | None = None
    """The answers; None unless texts were asked for."""


class Hooks:
    """Base class of hooks. Every method is optional.

    All methods are called by one thread of their own, one at a time, so a hook needs no locks, and a slow one does not slow
    down requests. Events arrive in the order in which they happened: a command's start is first and its end is last; a run's
    start precedes its requests, these precede its instances, and its end follows them; runs and requests that overlap
    interleave. An exception is logged once, and the hook gets no further events; the command is not affected.
    """

    shows_texts: bool = False
    """Whether prompts and answers were asked for (`--hook-texts`); set before the first event."""

    def on_command_start(self, event: CommandEvent) -> None:
        """Called once, before any run."""

    def on_command_end(self, event: CommandEvent) -> None:
        """Called once, after all runs, also when the command failed or was interrupted."""

    def on_run_start(self, event: RunEvent) -> None:
        """Called when a run begins. Runs that are skipped, or left to another process, have no events."""

    def on_run_end(self, event: RunEvent) -> None:
        """Called when a run is done and its files are written."""

    def on_run_failure(self, event: RunEvent) -> None:
        """Called when a run has failed or was interrupted, instead of `on_run_end`."""

    def on_instance(self, event: InstanceEvent) -> None:
        """Called for each instance (in each trial, with each perturbation) when its metrics are computed."""

    def on_request(self, event: RequestEvent) -> None:
        """Called when a request is sent and when it has ended; those that an interrupted attempt has finished have no events."""
