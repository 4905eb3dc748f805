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
    """The name of the reward, for example `IrInstructionCountOz`."""

    observation_spaces: list[str] = field(default_factory=list)
    """The observations made before the first and after the last action."""

    action_space: str | None = None
    """The name of the action space; None means the compiler's first one."""

    max_steps: int | None = None
    """The largest number of actions; None leaves it to the policy."""

    seed: int = 0
    """Seeds the policy's own generator."""

    max_compilations: int | None = None
    """The number of actions that the search may apply, including those of sequences that it only tries; None sets no limit.
    The best result when they are used up is the answer."""

    max_seconds: float | None = None
    """The duration of the search in seconds; None sets no limit. The best result at its end is the answer."""

    baselines: dict[str, list[str]] | None = None
    """Lists of actions to compare with, by name, observed after the episode; None if there are none."""


@dataclass(frozen=True)
class EpisodeResult:
    """What happened in the episode."""

    kind: str = field(default="episode", init=False)

    success: bool = False

    actions: list[str] = field(default_factory=list)
    """Names of the actions that were applied, in order."""

    rewards: list[float] = field(default_factory=list)
    """One reward per action."""

    initial_observations: dict[str, Any] = field(default_factory=dict)

    observations: dict[str, Any] = field(default_factory=dict)
    """The observations at the end of the episode."""

    error: str | None = None

    status: str = STATUS_OK
    """`ok`; `error`: the compiler refused; `timeout`; `crashed`: the service died; `invalid`: the optimised program does
    not do what it should; `no_answer`: a language model proposed nothing that could be used."""

    num_actions_tried: int = 0
    """The number of actions applied while searching, including those of `actions`."""

    elapsed_s: float | None = None
    """Wall time of the whole episode, in seconds."""

    policy_s: float | None = None
    """Wall time of the policy's search and of applying its answer, in seconds, without checks and baselines."""

    validation: dict[str, Any] | None = None
    """The result of running the optimised program: `status` (`valid`, `invalid`, `not_checked`), `error` (its kind, such
    as `Wrong output`), `details`, `elapsed_s`. None if running it was not requested."""

    baselines: dict[str, dict[str, Any]] | None = None
    """Observations after each of the request's baselines."""

    is_budget_used_up: bool | None = None
    """Whether the search ended because its budget of compilations or seconds was used up; None without a budget."""

    program_sha256: str | None = None
    """The hash of the program as sent to the compiler; None if the compiler knew it by its URI."""

    dialog: list[dict[str, Any]] | None = None
    """The prompts and proposals of a language model, one entry per round; None if the policy was not a language model."""

    failed_actions: list[str] | None = None
    """The actions that reproduce a failure of the compiler, starting from the original program: the last one is the action
    that it refused, crashed on, or did not finish, in the search or in the answer. None if it failed on no action, or if the
    failure cannot be reproduced."""

    failed_trials: list[dict[str, Any]] | None = None
    """The first 20 other failures of the compiler during the search, which continued after them: `actions`, as in
    `failed_actions`, and `error`. None if there were none."""
