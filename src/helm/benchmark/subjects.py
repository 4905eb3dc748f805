"""The kinds of subject: language models, AD tools, compilers. One row holds all that differs between them.

A further kind is one row here (or `register_subject_kind`, from a plugin) and a package with its request, adapter,
executor and metrics. Nothing heavy is imported: classes are named by their paths.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from helm.benchmark.adaptation.adapter_spec import ADAPT_COMPILER_DIALOG, ADAPT_EPISODE, ADAPT_EVALUATE
from helm.common.errors import ConfigError, suggest

if TYPE_CHECKING:
    from helm.benchmark.run_spec import RunSpec


@dataclass(frozen=True)
class SubjectKind:
    """What a run can be about, and how tables speak of it."""

    name: str
    """In indexes and addresses, and another word for `model=` in run entries (`tool=gradbench/numpy`)."""

    title: str
    """Above a table of such subjects."""

    row_title: str
    """Above the names of the subjects."""

    singular: str
    """In a sentence, with its article."""

    plural: str
    """In a sentence."""

    request_type: str
    """Class path of the requests."""

    result_type: str
    """Class path of the results."""

    example: str
    """A subject that is there without a download."""

    adapters: Mapping[str, str] = field(default_factory=dict)
    """Adapter methods to the class paths of their adapters. A run is of the kind that has its method, and about a language
    model when none has."""

    model_methods: frozenset[str] = frozenset()
    """Those methods in whose runs `model=` names a language model, which acts through this kind of request."""

    request_kind: str | None = None
    """The `kind` of the requests in JSON; None: they carry none."""

    tag: str | None = None
    """The tag of such subjects in the catalogue; None: they are those without a tag of another kind."""

    name_prefix: str = ""
    """Goes before names without a slash: `tool=numpy` is `gradbench/numpy`."""

    main_scores: tuple[tuple[str, ...], ...] = ()
    """For each score that stands for a run the metrics to take it from: the first that the run has. Names with a blank
    between them are shown together. Empty: the schema, or the scenario, names the metric."""

    closing_scores: tuple[str, ...] = ()
    """The metrics that the end of a command shows; empty: the schema's, and then the first of `main_scores`."""

    shown_score: int = 0
    """Which of its main scores a leaderboard shows of a run."""

    share_score: str = ""
    """The main score that is a share of what was solved: noted beside the other where it is below one."""

    answered_word: str = "answered"
    """What became of requests that did not fail, as in `90% answered`; empty: `share_score` says it."""

    failure_metrics: Mapping[str, str] = field(default_factory=dict)
    """Statistics that tell what a subject could not do (the share of instances that ended so), with a word for each."""

    has_timed_workloads: bool = False
    """Instances are fixed workloads, each timed repeatedly: intervals are over repetitions, not over instances."""

    pools_tasks: bool = False
    """Tasks that differ only behind the colon (single programs) are parts of one task."""

    has_ratio_scores: bool = False
    """Scores are ratios to a baseline: their geometric mean stands for all tasks, rather than the mean win rate."""

    page: str = ""
    """The viewer's page that compares such subjects."""

    page_help: str = ""
    """What that page shows."""


LANGUAGE_MODEL = SubjectKind(
    name="model",
    title="Language models",
    row_title="Model",
    singular="a language model",
    plural="language models",
    request_type="helm.common.request.Request",
    result_type="helm.common.request.RequestResult",
    example="baseline/ppm",
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

_KINDS: dict[str, SubjectKind] = {kind.name: kind for kind in (LANGUAGE_MODEL, AD_TOOL, COMPILER)}


def register_subject_kind(kind: SubjectKind) -> None:
    """Add a kind. Raises: ConfigError when its name, one of its methods or its tag in JSON belongs to another kind."""
    for other in _KINDS.values():
        taken = sorted(kind.adapters.keys() & other.adapters.keys())
        if kind.name == other.name:
            raise ConfigError(f"There is a kind of subject named '{kind.name}' already.")
        if taken or kind.request_kind == other.request_kind:
            what = f"method '{taken[0]}'" if taken else f"request kind '{kind.request_kind}'"
            raise ConfigError(f"Kind of subject '{kind.name}': the {what} belongs to '{other.name}'.")
    _KINDS[kind.name] = kind


def subject_kinds() -> list[SubjectKind]:
    """All kinds, language models first, in the order of tables."""
    return list(_KINDS.values())


def find_subject_kind(name: str) -> SubjectKind:
    """The kind of a name. Raises: ConfigError with the nearest name."""
    if name not in _KINDS:
        raise ConfigError(f"There is no kind of subject named '{name}'.{suggest(name, _KINDS)}")
    return _KINDS[name]


def kind_of_method(method: str) -> SubjectKind:
    """What a run with an adapter method is about."""
    return next((kind for kind in _KINDS.values() if method in kind.adapters), LANGUAGE_MODEL)


def kind_of_run(run_spec: "RunSpec") -> SubjectKind:
    """What a run is about."""
    return kind_of_method(run_spec.adapter_spec.method)


def kind_of_request(request_kind: str | None) -> SubjectKind:
    """What requests with this `kind` go to; those without one go to language models, as unknown ones are taken to."""
    return next((kind for kind in _KINDS.values() if kind.request_kind == request_kind), LANGUAGE_MODEL)


def named_kind_of_method(method: str) -> SubjectKind:
    """What `model=` names in a run with an adapter method: a language model where one acts on a subject of another kind."""
    kind = kind_of_method(method)
    return LANGUAGE_MODEL if method in kind.model_methods else kind


def is_language_model_method(method: str) -> bool:
    """Whether the requests of a method are completions of a language model."""
    return kind_of_method(method) is LANGUAGE_MODEL
