"""One episode with a compiler: a policy chooses actions on a program and is rewarded."""

from dataclasses import dataclass, field
from typing import Any

from helm.common.object_spec import ObjectSpec

STATUS_OK = "ok"
STATUS_ERROR = "error"
STATUS_TIMEOUT = "timeout"
STATUS_CRASHED = "crashed"
STATUS_INVALID = "invalid"
STATUS_NO_ANSWER = "no_answer"


@dataclass(frozen=True)
class EpisodeRequest:
    """Let `policy` work on `benchmark` until it stops, the environment ends, or `max_steps` is reached."""

    kind: str = field(default="episode", init=False)
    """Tags the request in JSON; always `episode`."""

    benchmark: str = ""
    """URI of the program, for example `benchmark://helm-v0/crc32`."""

    policy: ObjectSpec | None = None
    """Class path and arguments of the policy."""

    reward_space: str = ""
    """What is rewarded, for example `IrInstructionCountOz`."""

    observation_spaces: list[str] = field(default_factory=list)
    """Observed before the first and after the last action."""

    action_space: str | None = None
    """None: the compiler's first action space."""

    max_steps: int | None = None
    """Largest number of actions; None: as many as the policy likes."""

    seed: int = 0
    """Seeds the policy's own generator."""

    max_compilations: int | None = None
    """Actions that the search may apply, those of sequences that it only tries included; None: no limit. What was best
    when they are used up is the answer."""

    max_seconds: float | None = None
    """Seconds that the search may take; None: no limit of its own. What was best when they are over is the answer."""

    baselines: dict[str, list[str]] | None = None
    """Action lists to compare with, by name; observed after the episode. None: none."""


@dataclass(frozen=True)
class EpisodeResult:
    """What happened in the episode."""

    kind: str = field(default="episode", init=False)

    success: bool = False

    actions: list[str] = field(default_factory=list)
    """Names of the actions that were applied, in order."""

    rewards: list[float] = field(default_factory=list)
    """One for each action."""

    initial_observations: dict[str, Any] = field(default_factory=dict)

    observations: dict[str, Any] = field(default_factory=dict)
    """At the end of the episode."""

    error: str | None = None

    status: str = STATUS_OK
    """`ok`; `error`: the compiler refused; `timeout`; `crashed`: the service died; `invalid`: the optimised program does
    not do what it should; `no_answer`: a language model proposed nothing that could be used."""

    num_actions_tried: int = 0
    """Actions applied while searching, those of `actions` included."""

    elapsed_s: float | None = None
    """Wall time of the whole episode, in seconds."""

    policy_s: float | None = None
    """Wall time of the policy's search and of applying its answer, in seconds; checks and baselines are not in it."""

    validation: dict[str, Any] | None = None
    """What running the optimised program showed: `status` (`valid`, `invalid`, `not_checked`), `error` (its kind, such
    as `Wrong output`), `details`, `elapsed_s`. None: it was not to be run."""

    baselines: dict[str, dict[str, Any]] | None = None
    """Observations after each of the request's baselines."""

    is_budget_used_up: bool | None = None
    """The search ended because its budget of compilations or seconds did. None: it had no budget."""

    program_sha256: str | None = None
    """Of the program as it was sent to the compiler; None when the compiler knew it by its URI."""

    dialog: list[dict[str, Any]] | None = None
    """What a language model was told and proposed, one entry for each round. None: the policy was none."""

    failed_actions: list[str] | None = None
    """What the compiler failed on, to be replayed: the actions from the untouched program on, the last of them being the
    one that it refused, crashed on, or did not end, in the search or in the answer. None: it failed on no action, or
    fails on none of them again."""

    failed_trials: list[dict[str, Any]] | None = None
    """Further defects of the compiler, which the search tried and went on from: `actions`, as in `failed_actions`, and
    `error`; the first 20. None: there were none."""
