"""The results of an evaluation: scores, single answers, comparisons, pages."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from helm.common.errors import ConfigError, HelmError
from helm.results.headline import RunOutcome, read_outcome
from helm.results.run_files.run_folder import ERROR_FILE_NAME, RUN_SPEC_FILE_NAME

if TYPE_CHECKING:
    from helm.api.comparison import Comparison
    from helm.api.viewer import ViewerHandle
    from helm.benchmark.run_spec import RunSpec
    from helm.results.rows import Row, RunList
    from helm.results.run_results import RunResults

DONE, SKIPPED, FAILED = "done", "skipped", "failed"

# The types are those of `helm.results.rows`, which is imported when a frame is made: a call must not wait for it.
TEXT, WHOLE, NUMBER, TRUTH = "text", "whole", "number", "truth"
_SCORE_COLUMNS = {
    "task": TEXT, "model": TEXT, "metric": TEXT, "score": NUMBER, "low": NUMBER, "high": NUMBER, "answered": WHOLE,
    "asked": WHOLE, "cost": NUMBER, "seconds": NUMBER, "state": TEXT,
}  # fmt: skip
_INSTANCE_COLUMNS = {
    "task": TEXT, "model": TEXT, "instance_id": TEXT, "split": TEXT, "perturbation": TEXT, "trial": WHOLE, "input": TEXT,
    "correct": TEXT, "prompt": TEXT, "output": TEXT, "thinking": TEXT, "extracted": TEXT,
    "metric": TEXT, "score": NUMBER, "success": TRUTH,
    "error": TEXT, "finish_reason": TEXT, "cached": TRUTH, "request_time": NUMBER,
}  # fmt: skip


@dataclass(frozen=True)
class RunFailure:
    """A run without results."""

    run: str
    """The name of the run."""

    state: str
    """`failed`, or `stopped` before it ended."""

    stage: str | None
    """Where it failed: `instances`, `execution`, `metrics` and so on."""

    error_type: str | None
    """The name of the exception's class."""

    message: str
    """Why it failed, in one line. `error.json` in the folder has all of it, with the traceback."""

    path: str
    """The folder of the run."""


class EvaluationError(HelmError):
    """Some runs of `helm.evaluate` failed; `results` holds the others, and what failed."""

    def __init__(self, results: Results):
        self.results = results
        failures = results.failures
        lines = [f"  {failure.run}: {failure.message}" for failure in failures]
        super().__init__(
            f"{len(failures)} of {len(results)} runs failed. The others are in the attribute results, and on_error='return' "
            "returns them.\n" + "\n".join(lines)
        )


class _Run:
    """One run of the results, in the form that the table of `helm-run` reads."""

    def __init__(
        self,
        name: str,
        path: str,
        state: str,
        outcome: RunOutcome | None,
        seconds: float | None = None,
        cost_usd: float | None = None,
        has_paid: bool = False,
        failure: RunFailure | None = None,
        model: str = "",
    ):
        self.model = outcome.model if outcome is not None and outcome.model else model
        self.name, self.path, self.state, self.outcome = name, path, state, outcome
        self.seconds, self.cost_usd, self.has_paid, self.failure = seconds, cost_usd, has_paid, failure

    def report(self) -> Any:
        return SimpleNamespace(state=self.state, stage=self.failure.stage if self.failure else None)


class Results:
    """What `helm.evaluate` returns: the results of its runs, which are also on disk.

    Frames are of pandas where it is installed (`pip install 'helm-evals[export]'`); without it, they are lists of dicts with
    the same columns. `len(results)` is the number of runs. In a notebook, the results show themselves as a table.
    """

    def __init__(self, runs: Sequence[_Run], output_path: str, suite: str):
        self._runs = list(runs)
        self.output_path = output_path
        """The folder of the results."""
        self.suite = suite
        """The suite of the runs; empty if they are of several."""

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Results:
        """Load results from disk: the folder of a run, of a suite, or an output folder.

        Args:
            path: The folder, for example `benchmark_output/runs/default`.

        Returns:
            The runs that are there. What they cost and how long they took is not known any more.

        Raises:
            ResultsError: There are no runs in the folder.
        """
        from helm.results.run_results import load

        folder = os.path.abspath(os.fspath(path))
        runs = [_load_run(run) for run in load(folder)]
        parents = {os.path.dirname(os.path.abspath(run.path)) for run in runs}
        output_path, suite = folder, ""
        head, marker, tail = os.path.commonpath(parents).rpartition(f"{os.sep}runs{os.sep}")
        if marker:
            output_path, suite = head, tail if len(parents) == 1 else ""
        return cls(runs, output_path, suite)

    @classmethod
    def of_runner(cls, runner: Any, run_specs: Sequence[RunSpec], output_path: str, suite: str) -> Results:
        """Return the results of a Runner that has run the run specs."""
        output_path = os.path.abspath(output_path)  # the working directory may change
        models = {run_spec.name: run_spec.adapter_spec.model for run_spec in run_specs}
        outcomes = runner.outcomes() if hasattr(runner, "outcomes") else {}
        folder = os.path.join(output_path, "runs", suite)
        runs = []
        for run in getattr(runner, "runs", ()):
            report, path = run.report(), os.path.join(folder, run.name)
            failure = None
            if run.name not in outcomes:
                message = " ".join((_message(run, report) or "It was not finished.").split())
                failure = RunFailure(run.name, run.state, report.stage, report.error_type, message, path)
            runs.append(
                _Run(
                    run.name,
                    path,
                    run.state,
                    outcomes.get(run.name),
                    run.seconds,
                    run.cost_usd,
                    run.has_paid,
                    failure,
                    models.get(run.name, ""),
                )
            )
        return cls(runs, output_path, suite)

    def __len__(self) -> int:
        return len(self._runs)

    @property
    def runs(self) -> RunList:
        """The runs that have results, as objects that give access to everything in their files."""
        from helm.results.rows import RunList
        from helm.results.run_results import RunResults

        return RunList([RunResults(run.path) for run in self._runs if run.outcome is not None])

    @property
    def failures(self) -> list[RunFailure]:
        """The runs that have no results, with the reasons."""
        return [run.failure for run in self._runs if run.failure is not None]

    @property
    def warnings(self) -> dict[str, str]:
        """What is wrong with the answers of a run, and what helps, by the run's name.

        For example, answers that were cut at a stop sequence. Runs whose answers show nothing of the kind are not in it.
        """
        return {run.name: run.outcome.warning for run in self._runs if run.outcome is not None and run.outcome.warning}

    def scores(self) -> Any:
        """Return a frame with the headline score of each run.

        Columns: `task`, `model`, `metric`, `score` with the ends `low` and `high` of its 95% interval (missing if there is
        none), how many requests were `answered` of those `asked`, `cost` in US dollars (missing if it is unknown), `seconds`,
        and `state` (`done`, `skipped`, `failed` or `stopped`). AD tools have two rows, for correctness and time.
        """
        from helm.api.frames import to_frame

        return to_frame(self._score_rows(), _SCORE_COLUMNS)

    def instances(self) -> Any:
        """Return a frame with a row for each request: what was asked, what was answered, and the headline score for it.

        `input` is the question, `prompt` all that was sent; `correct` is a JSON list of the correct answers; `extracted` is
        the answer found in the output, if the run has an extraction.
        """
        from helm.api.frames import to_frame

        return to_frame(self._instance_rows(), _INSTANCE_COLUMNS)

    def stats(self) -> Any:
        """Return a frame with all statistics of all runs, with standard errors and intervals."""
        from helm.api.frames import to_frame
        from helm.results.rows import SCORES, iterate_rows, split_by_files

        runs = split_by_files(self.runs, SCORES)[0]
        return to_frame(iterate_rows(runs, SCORES), SCORES.columns)

    def compare(
        self,
        other: Results,
        *,
        metrics: Sequence[str] = (),
        labels: tuple[str, str] | None = None,
        allow: Iterable[str] = (),
        alpha: float = 0.05,
    ) -> Comparison:
        """Compare these results with others on the same instances, as `helm-compare` does.

        Args:
            other: Results of the same tasks, for example of another model or of the same one with another prompt.
            metrics: Names of metrics; by default the main metric of each task.
            labels: What the two are called; by default their models, or `self` and `other`.
            allow: Differences that do not prevent a comparison: `instances`, `prompts`, `metrics`.
            alpha: The level of the tests, which are corrected for their number.

        Returns:
            The differences with their intervals and p-values.

        Raises:
            ConfigError: They have no task in common, or an argument is wrong.
        """
        from helm.api.comparison import compare_runs

        if not isinstance(other, Results):
            raise ConfigError(f"Results are compared with Results, not with a value of type {type(other).__name__}.")
        return compare_runs(self.runs, other.runs, metrics, labels, set(allow), alpha)

    def open_viewer(self, port: int = 0) -> ViewerHandle:
        """Start `helm-server` for these results, on this machine only, in the background.

        Args:
            port: The port to listen on; 0 takes any that is free.

        Returns:
            A handle with `url` and `close()`, which is a context manager, too. The server ends with this process.

        Raises:
            HelmError: The server could not be started; the message says why.
        """
        from helm.api.viewer import open_viewer

        return open_viewer(self.output_path, self.suite, port)

    def __repr__(self) -> str:
        from helm.benchmark.presentation.tables.run_table import run_table

        outcomes = {run.name: run.outcome for run in self._runs if run.outcome is not None}
        text = run_table(self._runs, outcomes).rstrip("\n")  # type: ignore[arg-type]
        failures = [f"{failure.state}: {failure.run}: {failure.message}" for failure in self.failures]
        warnings = [f"warning: {name}: {warning}" for name, warning in self.warnings.items()]
        return "\n".join([text or f"{len(self._runs)} runs, none with results", *warnings, *failures])

    def _repr_html_(self) -> str:
        from helm.api.html import results_html

        return results_html(self._score_rows(), self.failures, self.warnings)

    # --- rows -------------------------------------------------------------------------------------------------------------

    def _score_rows(self) -> list[Row]:
        return [row for run in self._runs for row in _score_rows(run)]

    def _instance_rows(self) -> Iterable[Row]:
        for run in self._runs:
            if run.outcome is not None:
                yield from _instance_rows(run)


def _message(run: Any, report: Any) -> str | None:
    from helm.common.errors import shown
    from helm.common.telemetry.progress import first_line

    error = getattr(run, "error", None)
    return report.message if error is None else first_line(Exception(shown(error)))


def _load_run(run: RunResults) -> _Run:
    try:
        outcome = _with_interval(run, read_outcome(run.path))
    except (HelmError, OSError) as e:
        message = " ".join(str(e).split())
        failure = RunFailure(run.name, FAILED, None, type(e).__name__, message, run.path)
        if ERROR_FILE_NAME in run.file_names:
            from helm.results.run_files.run_error import RunError

            error = RunError.of(run.read_plain(ERROR_FILE_NAME))
            failure = RunFailure(run.name, FAILED, error.stage or None, error.error_type or None, error.cause, run.path)
        return _Run(run.name, run.path, FAILED, None, failure=failure, model=_model_of(run))
    return _Run(run.name, run.path, DONE, outcome)


def _model_of(run: RunResults) -> str:
    """Return the model of a run that failed, as far as its files say."""
    if RUN_SPEC_FILE_NAME in run.file_names:
        return run.run_spec.adapter_spec.model
    spec = run.read_plain(ERROR_FILE_NAME).get("run_spec") if ERROR_FILE_NAME in run.file_names else None
    adapter_spec = spec.get("adapter_spec") if isinstance(spec, dict) else None
    model = adapter_spec.get("model") if isinstance(adapter_spec, dict) else None
    return model if isinstance(model, str) else ""


def _with_interval(run: RunResults, outcome: RunOutcome) -> RunOutcome:
    """Fill in the data for intervals that the small files of a run do not have."""
    from dataclasses import replace

    from helm.benchmark.subjects import kind_of_run
    from helm.results.scores import get_score_facts, has_instances

    if all(score.facts for score in outcome.scores) or kind_of_run(run.run_spec).has_timed_workloads:
        return outcome
    if not has_instances(run):
        return outcome
    by_name: dict[str, Any] = {}
    for key, facts in get_score_facts(run, keep=False).items():
        if key.sub_split is None and key.perturbation is None:
            by_name.setdefault(key.name, facts)
    scores = []
    for score in outcome.scores:
        known = by_name.get(score.metric)
        fits = known is not None and abs(known.mean - score.value) <= 1e-6 * max(1, abs(score.value))
        scores.append(replace(score, facts=known) if fits else score)
    return replace(outcome, scores=scores)


def _score_rows(run: _Run) -> Iterable[Row]:
    from helm.benchmark.presentation.tables.run_table import split_run_name
    from helm.results.statistics.intervals import estimate_from_facts

    task, model = split_run_name(run.name)
    outcome = run.outcome
    row: Row = {
        "task": task, "model": run.model or model, "cost": run.cost_usd if run.has_paid else None,
        "seconds": run.seconds, "state": run.state,
    }  # fmt: skip
    if outcome is not None and outcome.asked:
        row.update(answered=outcome.answered, asked=outcome.asked)
    if outcome is None or not outcome.scores:
        yield row
        return
    for score in outcome.scores:
        found: Row = {**row, "metric": score.metric, "score": score.value}
        if score.facts is not None:
            estimate = estimate_from_facts(score.facts)
            found.update(low=estimate.low, high=estimate.high)
        yield found


def _instance_rows(run: _Run) -> Iterable[Row]:
    from helm.benchmark.presentation.tables.run_table import split_run_name
    from helm.results.rows import INSTANCES, RESPONSES, iterate_rows, split_by_files
    from helm.results.run_results import RunResults

    assert run.outcome is not None
    results = RunResults(run.path)
    task, model = split_run_name(run.name)
    metric = run.outcome.scores[0].metric if run.outcome.scores else None
    scores: dict[tuple[Any, ...], float | None] = {}
    if metric is not None and split_by_files([results], INSTANCES)[0]:
        for row in iterate_rows([results], INSTANCES):
            if row["metric"] == metric:
                scores[row["instance_id"], row["perturbation"], row["trial"]] = row["value"]
    for row in iterate_rows(split_by_files([results], RESPONSES)[0], RESPONSES):
        yield {
            **row, "task": task, "model": run.model or model, "correct": row["correct_references"], "metric": metric,
            "score": scores.get((row["instance_id"], row["perturbation"], row["trial"])),
        }  # fmt: skip
