"""One episode of an agent: a language model acts over several turns, with tools, in an environment."""

from dataclasses import dataclass, field
from typing import Any

from helm.common.object_spec import ObjectSpec
from helm.common.request import Usage

SUBMITTED = "submitted"
STOPPED = "stopped"
LIMIT = "limit"
REFUSED = "refused"
INVALID = "invalid"
INFRASTRUCTURE = "infrastructure"

EPISODE_OUTCOMES = {
    SUBMITTED: "the agent submitted an answer",
    STOPPED: "the agent or the user said that it is over",
    LIMIT: "a limit of the episode ended it",
    REFUSED: "the model refused, or a content filter withheld its answer",
    INVALID: "the agent broke the protocol beyond what is tolerated",
    INFRASTRUCTURE: "something that is not the agent failed, so the episode says nothing about it",
}
"""How an episode ends. All but the last are scored."""

MODEL, USER, SANDBOX, VERIFIER, HARNESS = "model", "user", "sandbox", "verifier", "harness"

CAUSES = {
    MODEL: "the agent's model could not be reached or gave no answer",
    USER: "the simulated user gave no answer",
    SANDBOX: "the environment did not start or was ended from outside",
    VERIFIER: "the check gave no valid score",
    HARNESS: "this program failed",
}
"""What failed in an episode with the outcome `infrastructure`."""

AGENT_ROLE, USER_ROLE, JUDGE_ROLE, BRIDGE_ROLE = "agent", "user", "judge", "bridge"
"""Who asks a language model during an episode; `bridge` is an outside agent's program."""


@dataclass(frozen=True)
class Sampling:
    """How the agent's model is sampled."""

    temperature: float = 0.0

    top_p: float = 1

    max_tokens: int = 4096
    """The largest number of tokens of one answer."""

    stop_sequences: list[str] = field(default_factory=list, hash=False)


@dataclass(frozen=True)
class EpisodeLimits:
    """What an episode may use. None sets no limit."""

    turns: int = 50
    """The number of calls of the agent's model."""

    seconds: float = 1800.0
    """The wall time of the episode in seconds, without the check."""

    tool_calls: int | None = None

    tokens: int | None = None
    """Tokens of prompts and completions of the agent, cached ones included."""

    cost_usd: float | None = None
    """US dollars for the agent's model. It has no effect for a model without a known price."""

    working_seconds: float | None = None
    """Seconds without waiting for limiters and retries."""

    tool_seconds: float = 120.0
    """The wall time of one tool call in seconds."""

    result_bytes: int = 16_000
    """The length of a tool's result that the model sees; more is cut in the middle."""


@dataclass(frozen=True)
class AgentRequest:
    """Let a model act on one task, once."""

    kind: str = field(default="agent", init=False)
    """Tags the request in JSON; always `agent`."""

    task: str = ""
    """The id of the task in its source; the epochs of a task share it."""

    messages: list[dict[str, Any]] = field(default_factory=list, hash=False)
    """The beginning of the conversation, in the form of OpenAI's chat protocol."""

    model: str = ""

    model_deployment: str = ""
    """The deployment of the model that acts."""

    sampling: Sampling = Sampling()

    agent: ObjectSpec | None = None
    """The class that drives the model; see `helm.agents.agents`."""

    environment: ObjectSpec | None = None
    """Where tools act; see `helm.agents.environments`. None if the agent needs none."""

    tools: list[ObjectSpec] = field(default_factory=list, hash=False)
    """Tools in addition to those of the environment."""

    user: ObjectSpec | None = None
    """The simulated user; None if there is none."""

    check: ObjectSpec | None = None
    """What scores the episode; None if it has no score."""

    attack: ObjectSpec | None = None
    """What is injected, and where; None if nothing is."""

    limits: EpisodeLimits = EpisodeLimits()

    seed: int = 0

    epoch: int = 0
    """Counted from 0. Epochs are separate draws."""


@dataclass(frozen=True)
class LimitHit:
    """The limit that ended an episode."""

    name: str

    limit: float

    used: float


@dataclass(frozen=True)
class RoleUsage:
    """The use of language models by one role."""

    calls: int = 0

    prompt_tokens: int = 0

    completion_tokens: int = 0

    reasoning_tokens: int = 0

    cached_prompt_tokens: int = 0

    cost_usd: float | None = 0.0
    """US dollars, including calls that a cache answered; None if the price of a call is unknown."""

    def plus(self, usage: Usage | None, cost_usd: float | None) -> "RoleUsage":
        """Return the use after one more call. Its tokens count as none if they are not known."""
        found = usage or Usage(0, 0)
        return RoleUsage(
            self.calls + 1,
            self.prompt_tokens + found.prompt_tokens,
            self.completion_tokens + found.completion_tokens,
            self.reasoning_tokens + (found.reasoning_tokens or 0),
            self.cached_prompt_tokens + (found.cached_prompt_tokens or 0),
            None if self.cost_usd is None or cost_usd is None else self.cost_usd + cost_usd,
        )


@dataclass(frozen=True)
class EpisodeCounts:
    """What happened in an episode, as numbers."""

    turns: int = 0
    """Calls of the agent's model."""

    tool_calls: int = 0

    invalid_tool_calls: int = 0
    """Calls of unknown tools, or with arguments that the tool's schema does not allow."""

    tool_errors: int = 0
    """Results that are errors, those of invalid calls included."""

    user_turns: int = 0


@dataclass(frozen=True)
class AgentResult:
    """What happened in the episode."""

    kind: str = field(default="agent", init=False)

    success: bool = False
    """Whether the episode can be scored; this says nothing about its score."""

    outcome: str = INFRASTRUCTURE
    """One of `EPISODE_OUTCOMES`."""

    cause: str | None = None
    """One of `CAUSES` if the outcome is `infrastructure`."""

    error: str | None = None
    """What failed."""

    limit: LimitHit | None = None

    answer: str | None = None
    """What was submitted, or else the last text of the agent."""

    reward: float | None = None
    """The score, usually from 0 to 1; None without a check."""

    rewards: dict[str, float] = field(default_factory=dict)
    """All numbers of the check by name, the score (`reward`) included."""

    checks: dict[str, Any] = field(default_factory=dict)
    """Details of the check."""

    state: dict[str, Any] | None = None
    """`sha256` of the environment's data at the end, and `changes` since the start; None if it has none."""

    artifacts: list[dict[str, Any]] = field(default_factory=list)
    """Files that the episode left: `path`, `bytes`, `sha256`, `file`."""

    events: list[dict[str, Any]] = field(default_factory=list)
    """The transcript; see `helm.agents.events`."""

    usage: dict[str, RoleUsage] = field(default_factory=dict)
    """The use of language models by role."""

    counts: EpisodeCounts = EpisodeCounts()

    elapsed_s: float | None = None
    """Wall time in seconds."""

    working_s: float | None = None
    """Wall time in seconds, without waiting for limiters and retries."""

    environment: dict[str, Any] | None = None
    """What the score depends on: name, version, image digest, kind of sandbox. None without an environment."""

    divergence: bool | None = None
    """Whether a resumed episode went another way than before it was interrupted. None if it was not resumed."""

    resumed_at: int | None = None
    """The number of the first event that was not taken from an interrupted attempt. None if it was not resumed."""

    @property
    def status(self) -> str:
        """The outcome, under the name that results of other kinds give it."""
        return self.outcome
