"""`coverage.json`: what is in it, and reading it. Counting is in `helm.results.coverage`, which takes longer to import."""

import os
from dataclasses import dataclass, field

from helm.benchmark.metrics.statistic import Stat
from helm.common.codec import structure
from helm.results.run_files.json_items import read_json
from helm.results.run_files.run_folder import COVERAGE_FILE_NAME, RunFileError

_VERSION = 1


@dataclass
class RequestCounts:
    """Every request has one outcome: `asked` is the sum of `answered`, `empty`, `failed` and `filtered`."""

    asked: int = 0

    answered: int = 0
    """With a completion that is more than white space (or an embedding); for tools and compilers: with `success`."""

    empty: int = 0
    """The model gave only white space."""

    failed: int = 0
    """No result: an error that did not end the run; for tools and compilers a measurement, see `status`."""

    filtered: int = 0
    """The provider says that it, or the model, refused the content."""

    unsent: int = 0
    """Without a result, because nothing was sent; not in `asked`."""

    cut_at_max_tokens: int = 0
    """Completions (of any outcome) that ended because they were as long as allowed."""

    prompt_truncated: int = 0
    """Requests whose prompt was shortened to fit."""

    excluded: int = 0
    """Left out of the scores, because they failed or belong to an instance of which one failed (`--on-failure exclude`)."""

    across_token_boundary: int = 0
    """Requests for the log-probability of a reference behind a prompt whose first token holds the end of the prompt too, so
    that the tokens of the reference are not exactly its own."""

    outcomes: dict[str, int] = field(default_factory=dict)
    """For language models: how many results of each outcome, but for `ok` and `truncated`."""

    status: dict[str, int] = field(default_factory=dict)
    """For AD tools and compilers: how many results of each status."""


@dataclass
class InstanceCounts:
    """Instances, perturbed copies among them."""

    total: int = 0

    without_references: int = 0

    without_correct_reference: int = 0
    """Those without any reference among them. Not wrong for open-ended questions; metrics that compare have nothing to
    compare with."""


@dataclass
class VerdictCounts:
    """One value that an annotator should give for each state."""

    given: int = 0

    missing: int = 0
    """Null, absent, NaN or infinite: the judge's answer was not in the form asked for, or there was none."""


@dataclass
class AnnotationCounts:
    """What one annotator gave."""

    states: int = 0
    """Request states that it annotated."""

    empty_output: int = 0
    """Those of them that it gave a fixed verdict, because the completion was empty; not in `verdicts`."""

    verdicts: dict[str, VerdictCounts] = field(default_factory=dict)
    """By key. Verdicts are numbers, truth values, objects, and whatever is named a score or a judgement."""


@dataclass
class StatCounts:
    """What is not in the files of statistics, by name of the statistic."""

    nan_removed: dict[str, int] = field(default_factory=dict)
    """Entries of `stats.json` that were left out because they are NaN."""

    nan_removed_per_instance: dict[str, int] = field(default_factory=dict)
    """The same for `per_instance_stats.json`."""

    without_value: dict[str, int] = field(default_factory=dict)
    """Entries of `per_instance_stats.json` that hold no value: nothing could be computed for the instance."""


@dataclass
class Coverage:
    """All of it. The order of the fields is their order in `coverage.json`."""

    version: int = _VERSION

    on_failure: str | None = None
    """What a request without an answer meant for the scores; None: what it means in HELM."""

    coverage: float | None = None
    """answered / asked; None when nothing was asked."""

    requests: RequestCounts = field(default_factory=RequestCounts)

    instances: InstanceCounts = field(default_factory=InstanceCounts)

    annotations: dict[str, AnnotationCounts] = field(default_factory=dict)

    stats: StatCounts = field(default_factory=StatCounts)

    worst_case: list[Stat] = field(default_factory=list)
    """For metrics where lower is better, in runs with perturbations: the worst of an instance and its copies, which is
    the largest value. HELM's `worst` in `stats.json` is the smallest."""

    @property
    def unanswered(self) -> int:
        return self.requests.asked - self.requests.answered

    def describe(self) -> str:
        """`18 of 20 requests answered: 1 empty, 1 failed`; empty when all were."""
        requests = self.requests
        if not self.unanswered:
            return ""
        parts = [(requests.empty, "empty"), (requests.failed, "failed"), (requests.filtered, "filtered")]
        shown = ", ".join(f"{count} {word}" for count, word in parts if count)
        return f"{requests.answered} of {requests.asked} requests answered: {shown}"


def read_coverage(run_path: str) -> Coverage | None:
    """The contents of a run's `coverage.json`, None when it has none (HELM writes none).

    Raises: RunFileError for a damaged file.
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
