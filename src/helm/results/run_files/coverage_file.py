"""The content and the reader of `coverage.json`. Counting is in `helm.results.coverage`, which takes longer to import."""

import os
from dataclasses import dataclass, field

from helm.benchmark.metrics.statistic import Stat
from helm.common.codec import structure
from helm.results.run_files.json_items import read_json
from helm.results.run_files.run_folder import COVERAGE_FILE_NAME, RunFileError

_VERSION = 1

FILTER_REASONS = frozenset(
    ("content_filter", "content_filtered", "safety", "blocked", "recitation", "refusal", "prohibited_content", "spii")
)
"""Finish reasons, in lower case, by which providers report a refusal."""


@dataclass
class RequestCounts:
    """Every request has one outcome: `asked` is the sum of `answered`, `empty`, `failed` and `filtered`."""

    asked: int = 0

    answered: int = 0
    """Requests with a completion other than white space (or an embedding); for tools and compilers, with `success`."""

    empty: int = 0
    """Requests for which the model returned only white space."""

    failed: int = 0
    """Requests without a result, due to an error that did not end the run; for tools and compilers this is a measurement,
    see `status`."""

    filtered: int = 0
    """Requests for which the provider reports that it, or the model, refused the content."""

    unsent: int = 0
    """Requests without a result because they were not sent; they are not in `asked`."""

    cut_at_max_tokens: int = 0
    """Completions (of any outcome) that ended at the maximum length."""

    prompt_truncated: int = 0
    """Requests whose prompt was truncated to fit."""

    excluded: int = 0
    """Requests excluded from the scores, because they failed or belong to an instance with a failed one (`--on-failure
    exclude`)."""

    across_token_boundary: int = 0
    """Requests for the log-probability of a reference whose first token also contains the end of the prompt, so that the
    tokens of the reference are not exactly its own."""

    outcomes: dict[str, int] = field(default_factory=dict)
    """For language models, the number of results by outcome, except `ok` and `truncated`."""

    status: dict[str, int] = field(default_factory=dict)
    """For AD tools and compilers, the number of results by status."""


@dataclass
class InstanceCounts:
    """The numbers of instances, including perturbed copies."""

    total: int = 0

    without_references: int = 0

    without_correct_reference: int = 0
    """Instances without a correct reference, including those without any. This is fine for open-ended questions, but metrics
    that compare have nothing to compare with."""


@dataclass
class VerdictCounts:
    """The counts of one value that an annotator should give for each state."""

    given: int = 0

    missing: int = 0
    """Values that are null, absent, NaN or infinite: the judge's answer was missing or not in the requested form."""


@dataclass
class AnnotationCounts:
    """The counts of one annotator."""

    states: int = 0
    """The number of request states that it annotated."""

    empty_output: int = 0
    """States with a fixed verdict because the completion was empty; they are not in `verdicts`."""

    verdicts: dict[str, VerdictCounts] = field(default_factory=dict)
    """Verdicts by key: numbers, booleans, objects, and anything named a score or a judgement."""


@dataclass
class StatCounts:
    """The numbers of entries missing from the files of statistics, by name of the statistic."""

    nan_removed: dict[str, int] = field(default_factory=dict)
    """Entries omitted from `stats.json` because they are NaN."""

    nan_removed_per_instance: dict[str, int] = field(default_factory=dict)
    """Entries omitted from `per_instance_stats.json` because they are NaN."""

    without_value: dict[str, int] = field(default_factory=dict)
    """Entries of `per_instance_stats.json` without a value: nothing could be computed for the instance."""


@dataclass
class AnswerCounts:
    """What is wrong with the answers of a language model, apart from being wrong. Each is counted once at most.

    Requests that failed are not among them; see `RequestCounts`.
    """

    answers: int = 0
    """The number of completions."""

    cut_at_max_tokens: int = 0
    """Completions that ended at the maximum length before they gave an answer."""

    cut_at_stop: dict[str, int] = field(default_factory=dict)
    """The number of completions that probably ended at a stop sequence before they gave an answer, by stop sequence."""

    refused: int = 0
    """Completions that are refusals by the provider's report, or by their first words."""

    empty: int = 0
    """Completions of white space."""

    empty_after_thinking: int = 0
    """Completions with thinking, and with nothing but white space after it."""

    unparsable: int = 0
    """Other completions in which the extractor found no answer or, without extractor, which name none of the choices."""

    warning: str | None = None
    """One sentence about the largest of these numbers, with the key of a run entry that helps; None if all are small."""


@dataclass
class EpochCounts:
    """The counts of a run whose instances are asked several times."""

    number: int = 1
    """The number of epochs that was asked for."""

    reducers: list[str] = field(default_factory=list)

    instances: int = 0
    """The number of instances, counting perturbed copies and trials."""

    complete: int = 0
    """Instances that are scored in all epochs."""

    fewer: int = 0
    """Instances that are scored in some of them, because requests in the others failed (`--on-failure exclude`)."""

    too_few: dict[str, int] = field(default_factory=dict)
    """By reducer, instances without a value because they are scored in fewer epochs than it needs."""

    tied_votes: int = 0
    """Instances with equally many votes for two answers; the answer that came first wins. Counted for `majority` only."""


@dataclass
class Coverage:
    """The whole content of `coverage.json`, with the fields in the order of the file."""

    version: int = _VERSION

    on_failure: str | None = None
    """How requests without an answer affected the scores; None means as in HELM."""

    coverage: float | None = None
    """answered / asked; None if nothing was asked."""

    requests: RequestCounts = field(default_factory=RequestCounts)

    instances: InstanceCounts = field(default_factory=InstanceCounts)

    annotations: dict[str, AnnotationCounts] = field(default_factory=dict)

    stats: StatCounts = field(default_factory=StatCounts)

    worst_case: list[Stat] = field(default_factory=list)
    """For metrics where lower is better, in runs with perturbations: the worst of an instance and its copies, which is the
    largest value. HELM's `worst` in `stats.json` is the smallest."""

    answers: AnswerCounts | None = None
    """What is wrong with the answers. None, which is not written, if nothing is, or if the model only continues texts."""

    epochs: EpochCounts | None = None
    """How complete the epochs are. None, which is not written, in a run without epochs."""

    @property
    def unanswered(self) -> int:
        return self.requests.asked - self.requests.answered

    def describe(self) -> str:
        """Return `18 of 20 requests answered: 1 empty, 1 failed`; empty if all were answered."""
        requests = self.requests
        if not self.unanswered:
            return ""
        parts = [(requests.empty, "empty"), (requests.failed, "failed"), (requests.filtered, "filtered")]
        shown = ", ".join(f"{count} {word}" for count, word in parts if count)
        return f"{requests.answered} of {requests.asked} requests answered: {shown}"


def read_coverage(run_path: str) -> Coverage | None:
    """Read a run's `coverage.json`; return None if it has none (HELM writes none).

    Raises RunFileError for a damaged file.
    """
    path = os.path.join(run_path, COVERAGE_FILE_NAME)
    try:
        data = read_json(path)
    except FileNotFoundError:
        return None
    try:
        return structure(data, Coverage)
    except (ValueError, TypeError) as e:
        raise RunFileError(f"{path}: {e}.") from e
