"""One episode with a compiler: a policy chooses actions on a program and is rewarded."""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from helm.common.object_spec import ObjectSpec

STATUS_OK = "ok"
STATUS_ERROR = "error"
STATUS_TIMEOUT = "timeout"
STATUS_CRASHED = "crashed"


@dataclass(frozen=True)
class EpisodeRequest:
    """Let `policy` work on `benchmark` until it stops, the environment ends, or `max_steps` is reached."""

    kind: str = field(default="episode", init=False)
    """Tags the request in JSON; always `episode`."""

    benchmark: str = ""
    """URI of the program, for example `benchmark://helm-v0/crc32`."""

    policy: Optional[ObjectSpec] = None
    """Class path and arguments of the policy."""

    reward_space: str = ""
    """What is rewarded, for example `IrInstructionCountOz`."""

    observation_spaces: List[str] = field(default_factory=list)
    """Observed before the first and after the last action."""

    action_space: Optional[str] = None
    """None: the compiler's first action space."""

    max_steps: Optional[int] = None
    """Largest number of actions; None: as many as the policy likes."""

    seed: int = 0
    """Seeds the policy's own generator."""


@dataclass(frozen=True)
class EpisodeResult:
    """What happened in the episode."""

    kind: str = field(default="episode", init=False)

    success: bool = False

    actions: List[str] = field(default_factory=list)
    """Names of the actions that were applied, in order."""

    rewards: List[float] = field(default_factory=list)
    """One for each action."""

    initial_observations: Dict[str, Any] = field(default_factory=dict)

    observations: Dict[str, Any] = field(default_factory=dict)
    """At the end of the episode."""

    error: Optional[str] = None

    status: str = STATUS_OK
    """`ok`; `error`: the compiler refused; `timeout`; `crashed`: the service died."""

    num_actions_tried: int = 0
    """Actions applied while searching, those of `actions` included."""

    elapsed_s: Optional[float] = None
    """Wall time of the whole episode, in seconds."""
