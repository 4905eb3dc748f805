"""The kinds of subject: language models, AD tools, compilers, agents. One row holds everything that differs between them.

A further kind is one row here (or `register_subject_kind`, from a plugin) and a package with its request, adapter,
executor and metrics. Nothing heavy is imported: classes are named by their paths.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from helm.benchmark.adaptation.adapter_spec import ADAPT_AGENT, ADAPT_COMPILER_DIALOG, ADAPT_EPISODE, ADAPT_EVALUATE
from helm.common.errors import ConfigError, suggest

if TYPE_CHECKING:
    from helm.benchmark.run_spec import RunSpec


@dataclass(frozen=True)
class SubjectKind:
    """What a run can be about, and how tables refer to it."""

    name: str
    """Used in indexes and URLs, and as another word for `model=` in run entries (`tool=gradbench/numpy`)."""

    title: str
    """Title of a table of such subjects."""

    row_title: str
    """Heading of the column with the subjects' names."""

    singular: str
    """Singular in a sentence, with its article."""

    plural: str
    """Plural in a sentence."""

    request_type: str
    """Class path of the requests."""

    result_type: str
    """Class path of the results."""

    example: str
    """Example of a subject that works without a download."""

    adapters: Mapping[str, str] = field(default_factory=dict)
    """Maps adapter methods to the class paths of their adapters. A run is of the kind that has its method, and about a
    language model if none does."""

    model_methods: frozenset[str] = frozenset()
    """Methods in whose runs `model=` names a language model, which acts through this kind of request."""

    request_kind: str | None = None
    """The `kind` of the requests in JSON. None if they carry none."""

    tag: str | None = None
    """The tag of such subjects in the catalogue. None for the kind whose subjects have no other kind's tag."""

    name_prefix: str = ""
    """Prefix for names without a slash: `tool=numpy` means `gradbench/numpy`."""

    main_scores: tuple[tuple[str, ...], ...] = ()
    """For each main score, the metrics to take it from, in order of preference. Names separated by a space are shown
    together. If empty, the schema or the scenario names the metric."""

    closing_scores: tuple[str, ...] = ()
    """The metrics shown when a command ends. If empty, those of the schema, then the first of `main_scores`."""

    shown_score: int = 0
    """Which of the main scores a leaderboard shows."""

    share_score: str = ""
    """The main score that is the fraction solved: shown next to the other one if below 1."""

    answered_word: str = "answered"
    """The word for requests that did not fail, as in `90% answered`. If empty, `share_score` is shown instead."""

    failure_metrics: Mapping[str, str] = field(default_factory=dict)
    """Statistics for what a subject could not do (fractions of instances), each with a word for it."""

    has_timed_workloads: bool = False
    """Whether instances are fixed workloads that are timed repeatedly: intervals are then over repetitions, not
    instances."""

    pools_tasks: bool = False
    """Whether tasks that differ only after the colon (single programs) are parts of one task."""

    has_ratio_scores: bool = False
    """Whether scores are ratios to a baseline: tasks are then summarized by the geometric mean, not the mean win rate.
    """

    has_epochs: bool = False
    """Whether `epochs=N` repeats each instance. For other kinds, repetitions are arguments of their own run specs."""

    page: str = ""
    """The viewer's page that compares such subjects."""

    page_help: str = ""
    """Description of that page."""


LANGUAGE_MODEL = SubjectKind(
    name="model",
    title="Language models",
    row_title="Model",
    singular="a language model",
    plural="language models",
    request_type="helm.common.request.Request",
    result_type="helm.common.request.RequestResult",
    example="baseline/ppm",
    has_epochs=True,
)

AD_TOOL = SubjectKind(
    name="tool",
    title="AD tools",
    row_title="Tool",
    singular="an AD tool",
    plural="AD tools",
    request_type="helm.common.evaluate_request.EvaluateRequest",
    result_type="helm.common.evaluate_request.EvaluateResult",
    example="gradbench/numpy",
    adapters={ADAPT_EVALUATE: "helm.gradbench.adapter.EvaluateAdapter"},
    request_kind="evaluate",
    tag="AD_TOOL_TAG",
    name_prefix="gradbench/",
    main_scores=(("solved",), ("primal_time_s derivative_time_s", "evaluate_time_s")),
    closing_scores=("solved", "evaluate_time_s"),
    shown_score=-1,
    share_score="solved",
    answered_word="",
    failure_metrics={"undefined": "undefined", "failed": "failed", "timed_out": "timed out", "crashed": "crashed"},
    has_timed_workloads=True,
    page="tools",
    page_help="time against size",
)

COMPILER = SubjectKind(
    name="compiler",
    title="Compilers",
    row_title="Policy",
    singular="a compiler",
    plural="compilers",
    request_type="helm.common.episode_request.EpisodeRequest",
    result_type="helm.common.episode_request.EpisodeResult",
    example="llvm/Oz",
    adapters={
        ADAPT_EPISODE: "helm.compiler_gym.adapter.EpisodeAdapter",
        ADAPT_COMPILER_DIALOG: "helm.compiler_gym.adapter.DialogAdapter",
    },
    model_methods=frozenset((ADAPT_COMPILER_DIALOG,)),
    request_kind="episode",
    tag="COMPILER_TAG",
    main_scores=(("instruction_count_reduction_oz", "object_text_size_reduction_oz", "episode_reward"),),
    answered_word="worked",
    failure_metrics={"episode_failed": "failed"},
    pools_tasks=True,
    has_ratio_scores=True,
    page="compilers",
    page_help="reductions by program",
)

AGENT = SubjectKind(
    name="agent",
    title="Agents",
    row_title="Agent",
    singular="an agent",
    plural="agents",
    request_type="helm.common.agent_request.AgentRequest",
    result_type="helm.common.agent_request.AgentResult",
    example="agents/oracle",
    adapters={ADAPT_AGENT: "helm.agents.adapter.AgentAdapter"},
    model_methods=frozenset((ADAPT_AGENT,)),
    request_kind="agent",
    tag="AGENT_TAG",
    main_scores=(("agent_success", "agent_reward"),),
    answered_word="scored",
    has_epochs=True,
)

_KINDS: dict[str, SubjectKind] = {kind.name: kind for kind in (LANGUAGE_MODEL, AD_TOOL, COMPILER, AGENT)}


def register_subject_kind(kind: SubjectKind) -> None:
    """Add a kind. Raises: ConfigError if its name, one of its methods or its JSON tag belongs to another kind."""
    for other in _KINDS.values():
        taken = sorted(kind.adapters.keys() & other.adapters.keys())
        if kind.name == other.name:
            raise ConfigError(f"There is a kind of subject named '{kind.name}' already.")
        if taken or kind.request_kind == other.request_kind:
            what = f"method '{taken[0]}'" if taken else f"request kind '{kind.request_kind}'"
            raise ConfigError(f"Kind of subject '{kind.name}': the {what} belongs to '{other.name}'.")
    _KINDS[kind.name] = kind


def subject_kinds() -> list[SubjectKind]:
    """Return all kinds in the order of tables, language models first."""
    return list(_KINDS.values())


def find_subject_kind(name: str) -> SubjectKind:
    """Return the kind with a name. Raises: ConfigError with the nearest name."""
    if name not in _KINDS:
        raise ConfigError(f"There is no kind of subject named '{name}'.{suggest(name, _KINDS)}")
    return _KINDS[name]


def kind_of_method(method: str) -> SubjectKind:
    """Return the kind of subject of a run with an adapter method."""
    return next((kind for kind in _KINDS.values() if method in kind.adapters), LANGUAGE_MODEL)


def kind_of_run(run_spec: "RunSpec") -> SubjectKind:
    """Return the kind of subject of a run."""
    return kind_of_method(run_spec.adapter_spec.method)


def kind_of_request(request_kind: str | None) -> SubjectKind:
    """Return the kind that answers requests with this JSON `kind`; language models if it is missing or unknown."""
    return next((kind for kind in _KINDS.values() if kind.request_kind == request_kind), LANGUAGE_MODEL)


def named_kind_of_method(method: str) -> SubjectKind:
    """Return the kind that `model=` names in a run with an adapter method: language models if one acts on another subject."""
    kind = kind_of_method(method)
    return LANGUAGE_MODEL if method in kind.model_methods else kind


def is_language_model_method(method: str) -> bool:
    """Whether the requests of a method ask for completions of a language model."""
    return kind_of_method(method) is LANGUAGE_MODEL
