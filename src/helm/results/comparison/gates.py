"""Gates check whether runs are good enough, by a threshold and against a baseline."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from helm.common.errors import ConfigError, HelmError
from helm.results.comparison.comparing import CompareOptions, Comparer, PairResult, TaskResult
from helm.results.comparison.task_matching import Subject
from helm.results.metric_choice import MetricCatalogue, MetricChoice, parse_metric_choice
from helm.results.run_files.run_folder import STATS_FILE_NAME
from helm.results.run_results import RunResults
from helm.results.score_facts import ScoreKey
from helm.results.scores import get_score_facts
from helm.results.statistics.intervals import Estimate, estimate_from_facts
from helm.results.statistics.paired import adjust_p_values

PASSED = "passed"
FAILED = "failed"
ERROR = "error"
SKIPPED = "skipped"

_THRESHOLD = re.compile(r"(?P<metric>[^=]+)=(?P<value>[-+.\deE]+)")


@dataclass(frozen=True)
class Threshold:
    """A score that runs must reach."""

    metric: MetricChoice

    value: float

    is_upper: bool = False
    """Whether the score must be at most `value`, instead of at least."""

    def __str__(self) -> str:
        return f"{self.metric} {'<=' if self.is_upper else '>='} {self.value:g}"


@dataclass(frozen=True)
class GateOptions:
    """The requirements of gates."""

    thresholds: Sequence[Threshold] = ()

    max_regression: float = 0.0
    """How much worse than the baseline is allowed; a share for times, sizes and quotients (0.02 means 2%)."""

    min_answered: float | None = None
    """The share of requests that must have an answer."""

    is_strict: bool = False
    """Whether anything not shown counts as failed: the whole interval must be on the right side of a threshold, and a
    regression beyond the allowed one must be ruled out."""


@dataclass(frozen=True)
class GateResult:
    """The result of one gate."""

    run: str

    gate: str

    outcome: str
    """`passed`, `failed`, `error` (it could not be checked) or `skipped` (the run lacks the metric)."""

    message: str


@dataclass
class GateReport:
    """The results of all gates."""

    results: list[GateResult] = field(default_factory=list)

    def count(self, outcome: str) -> int:
        return sum(result.outcome == outcome for result in self.results)


def parse_threshold(text: str, is_upper: bool) -> Threshold:
    """Parse `METRIC=VALUE`, with the metric as in `helm-compare`. Raises ConfigError if it is malformed."""
    match = _THRESHOLD.fullmatch(text.strip())
    try:
        if match is not None:
            return Threshold(parse_metric_choice(match["metric"].strip()), float(match["value"]), is_upper)
    except ValueError as e:
        if isinstance(e, ConfigError):
            raise
    raise ConfigError(f"'{text}' is not a threshold: expected METRIC=NUMBER, for example exact_match=0.8.")


def check_thresholds(runs: Sequence[RunResults], options: GateOptions, confidence: float) -> list[GateResult]:
    """Check every threshold for every run that has the metric; it is an error if no run has it."""
    results = []
    for threshold in options.thresholds:
        of_threshold = [_check_threshold(run, threshold, options.is_strict, confidence) for run in runs]
        if of_threshold and all(result.outcome == SKIPPED for result in of_threshold):
            of_threshold = [GateResult("all runs", str(threshold), ERROR, f"No run has {threshold.metric}.")]
        results += of_threshold
    return results


def _check_threshold(run: RunResults, threshold: Threshold, is_strict: bool, confidence: float) -> GateResult:
    try:
        found = find_score(run, threshold.metric, confidence)
    except HelmError as e:
        return GateResult(run.folder_name, str(threshold), ERROR, str(e))
    name = str(threshold)
    if found is None:
        return GateResult(run.folder_name, name, SKIPPED, f"The run has no {threshold.metric}.")
    text = f"{threshold.metric} is {found.value:.4g}"
    if found.low is not None and found.high is not None:
        text += f" ({100 * found.confidence:g}% interval {found.low:.4g} to {found.high:.4g})"
    judged = found.value
    if is_strict:
        end = found.high if threshold.is_upper else found.low
        if end is None:
            return GateResult(run.folder_name, name, ERROR, f"{text}; there is no interval, which --strict needs.")
        judged = end
    is_good = judged <= threshold.value if threshold.is_upper else judged >= threshold.value
    demanded = f"at {'most' if threshold.is_upper else 'least'} {threshold.value:g}"
    return GateResult(run.folder_name, name, PASSED if is_good else FAILED, f"{text}; demanded: {demanded}.")


def find_score(run: RunResults, metric: MetricChoice, confidence: float) -> Estimate | None:
    """Return a score of `stats.json` with its interval, if any; None if the run does not have it.

    Sub-splits have equal weights, as in tables. Raises ConfigError if several splits have it, or RunFileError.
    """
    stats = []
    for stat in run.stats():
        perturbation = stat.name.perturbation
        if stat.name.name != metric.name or metric.split not in (None, stat.name.split) or stat.mean is None:
            continue
        if metric.perturbation is None:
            if perturbation is None:
                stats.append(stat)
        elif perturbation is not None and perturbation.name == metric.perturbation:
            if perturbation.computed_on == "worst":
                stats.append(stat)
    splits = sorted({str(stat.name.split) for stat in stats})
    if len(splits) > 1:
        raise ConfigError(
            f"{run.name} has {metric.name} on the splits {', '.join(splits)}: name one as {metric.name}:SPLIT."
        )
    if not stats:
        return None
    value = sum(stat.sum for stat in stats) / sum(stat.count for stat in stats)
    if value != value:
        raise ConfigError(f"{run.name}: {metric} is not a number.")
    if len(stats) == 1:
        name = stats[0].name
        facts = get_score_facts(run).get(ScoreKey(name.name, name.split, name.sub_split, metric.perturbation))
        if facts is not None and abs(facts.mean - value) <= 1e-9 * max(1.0, abs(value)):
            return estimate_from_facts(facts, confidence)
    return Estimate(value, confidence=confidence)


def check_answered(runs: Sequence[RunResults], min_answered: float) -> list[GateResult]:
    """Check that enough of the requests of each run have an answer."""
    results = []
    name = f"answered >= {min_answered:g}"
    for run in runs:
        try:
            coverage = run.coverage()
        except HelmError as e:
            results.append(GateResult(run.folder_name, name, ERROR, str(e)))
            continue
        requests, share = coverage.requests, coverage.coverage
        if share is None:
            results.append(GateResult(run.folder_name, name, ERROR, "Nothing was asked."))
            continue
        text = f"{requests.answered} of {requests.asked} requests answered."
        results.append(GateResult(run.folder_name, name, PASSED if share >= min_answered else FAILED, text))
    return results


def check_baseline(
    candidate: Subject, baseline: Subject, options: GateOptions, compare: CompareOptions, catalogue: MetricCatalogue
) -> list[GateResult]:
    """Check on each task that the candidate is not worse than the baseline by more than is allowed.

    A task fails if that is shown, at the level `compare.alpha` over all tasks together. With `is_strict`, it also fails if
    that is not ruled out. Tasks that only the baseline has are errors: a missing run is not an improvement.
    """
    report = Comparer(compare, catalogue).compare([candidate, baseline])
    results = [GateResult(text.partition(": ")[0], "comparable", ERROR, text) for text in report.refused]
    for text in report.unmatched:
        if text.endswith(f"only {baseline.label}"):
            results.append(GateResult(text.partition(": only")[0], "run", ERROR, "Only the baseline has this run."))
    pairs = [(result, result.pairs[0]) for result in report.results]
    shown = adjust_p_values([_or_one(pair.comparison.is_worse_than_margin_p) for _, pair in pairs])
    for (result, pair), worse_p in zip(pairs, shown, strict=True):
        results.append(_judge_regression(result, pair, worse_p, options, compare.alpha))
    return results


def _or_one(p: float | None) -> float:
    return 1.0 if p is None else p


def _judge_regression(
    result: TaskResult, pair: PairResult, worse_p: float, options: GateOptions, alpha: float
) -> GateResult:
    found = pair.comparison
    limit = f"{options.max_regression:.2%}" if found.is_ratio else f"{options.max_regression:g}"
    gate = f"{result.metric} regression <= {limit}"
    after, before = (score.value for score in result.scores)
    text = f"{result.metric} went from {before:.4g} to {after:.4g} on {result.instances} instances"
    within_p = _or_one(found.is_within_margin_p)
    if worse_p < alpha:
        return GateResult(
            result.task, gate, FAILED, f"{text}: worse by more than {limit} is shown (p = {worse_p:.3g})."
        )
    if found.ties == found.difference.count or within_p < alpha:
        return GateResult(result.task, gate, PASSED, f"{text}: worse by more than {limit} is ruled out.")
    outcome = FAILED if options.is_strict else PASSED
    return GateResult(
        result.task,
        gate,
        outcome,
        f"{text}: worse by more than {limit} is neither shown nor ruled out (p = {worse_p:.3g}).",
    )


def check_complete(runs: Sequence[RunResults]) -> tuple[list[RunResults], list[GateResult]]:
    """Return the runs that have results, and an error for each of the others."""
    complete, results = [], []
    for run in runs:
        if STATS_FILE_NAME in run.missing:
            results.append(
                GateResult(run.folder_name, "run", ERROR, "The run has no results: it failed or is not finished.")
            )
        else:
            complete.append(run)
    return complete, results


def format_junit(report: GateReport, name: str = "helm-gate") -> str:
    """Format the report as JUnit XML: a test suite per run, a test case per gate."""
    from xml.etree import ElementTree

    suites: dict[str, list[GateResult]] = {}
    for result in report.results:
        suites.setdefault(result.run, []).append(result)
    root = ElementTree.Element("testsuites", _counts(name, report.results))
    for run, results in suites.items():
        suite = ElementTree.SubElement(root, "testsuite", _counts(run, results))
        for result in results:
            case = ElementTree.SubElement(suite, "testcase", {"classname": _xml(run), "name": _xml(result.gate)})
            tag = {FAILED: "failure", ERROR: "error", SKIPPED: "skipped"}.get(result.outcome)
            if tag is not None:
                ElementTree.SubElement(case, tag, {"message": _xml(result.message)})
            else:
                ElementTree.SubElement(case, "system-out").text = _xml(result.message)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _counts(name: str, results: Sequence[GateResult]) -> dict[str, str]:
    def count(outcome: str) -> str:
        return str(sum(result.outcome == outcome for result in results))

    counts = {"failures": count(FAILED), "errors": count(ERROR), "skipped": count(SKIPPED)}
    return {"name": _xml(name), "tests": str(len(results)), **counts, "time": "0"}


_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _xml(text: str) -> str:
    """Remove characters that XML cannot contain, even escaped."""
    return _NO_XML.sub("\ufffd", text)
