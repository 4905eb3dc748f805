"""The scores of a run with standard errors and intervals, from its files, or from `intervals.json` if that is up to date."""

from dataclasses import dataclass
from typing import Any

from helm.benchmark.subjects import kind_of_run
from helm.results.instance_values import read_instance_facts, read_instance_values
from helm.results.interval_file import measure_sources, read_score_facts, write_score_facts
from helm.results.run_files.run_folder import PER_INSTANCE_STATS_FILE_NAME, SCENARIO_STATE_FILE_NAME
from helm.results.run_results import RunResults
from helm.results.score_facts import ScoreFacts, ScoreKey
from helm.results.statistics.intervals import Estimate, MeanFacts, estimate_from_facts
from helm.results.values_gatherer import FactsGatherer, ValuesGatherer


@dataclass(frozen=True)
class Score:
    """A score with its interval."""

    key: ScoreKey

    estimate: Estimate


def compute_score_facts(run: RunResults, cluster_key: str | None = None) -> dict[ScoreKey, MeanFacts]:
    """Compute means and their variances of all scores of a run, from its files.

    The variances are over instances, which are a sample. If workloads are fixed, only times have one, over repeated runs.
    Scores that belong to a whole run (calibration, corpus BLEU) are not included. Raises RunFileError.
    """
    if kind_of_run(run.run_spec).has_timed_workloads:
        return _timing_score_facts(run)
    return ScoreFacts(read_instance_values(run), read_instance_facts(run, cluster_key)).by_key


def _timing_score_facts(run: RunResults) -> dict[ScoreKey, MeanFacts]:
    from helm.results.timings import read_workloads, timing_facts

    instances = read_instance_facts(run)
    found: dict[ScoreKey, MeanFacts] = {}
    workloads: dict[tuple[str | None, str | None], list[Any]] = {}
    for workload in read_workloads(run):
        facts = instances[workload.instance_id]
        workloads.setdefault((facts.split, facts.sub_split), []).append(workload)
    for (split, sub_split), members in workloads.items():
        for name, timing in timing_facts(members).items():
            found[ScoreKey(name, split, sub_split)] = timing
    return found


def has_instances(run: RunResults) -> bool:
    """Return whether the run has the files from which its scores can be computed."""
    return PER_INSTANCE_STATS_FILE_NAME in run.file_names and SCENARIO_STATE_FILE_NAME in run.file_names


def get_score_facts(run: RunResults, keep: bool = True) -> dict[ScoreKey, MeanFacts]:
    """Return the facts of `compute_score_facts`, from `intervals.json` if up to date; write it if `keep` is set.

    If the folder is not writable, the facts are computed each time. Raises RunFileError.
    """
    stored = read_score_facts(run.path)
    if stored is not None:
        return stored
    sources = measure_sources(run.path) if keep and has_instances(run) else None
    return write_score_facts(run.path, sources, compute_score_facts(run))


class IntervalsWriter:
    """Writes `intervals.json` of a run from what its caller reads of both large files, as `get_score_facts` does.

    Create it before the files are read, and give it all entries and all instances, in their order.
    """

    def __init__(self, run: RunResults):
        self._path, self._sources = run.path, measure_sources(run.path)
        self.values, self.instances = ValuesGatherer(), FactsGatherer()

    @staticmethod
    def of(run_path: str) -> "IntervalsWriter | None":
        """Return the writer for a run; None if its file is made from something else. Raises RunFileError."""
        run = RunResults(run_path)
        return None if kind_of_run(run.run_spec).has_timed_workloads else IntervalsWriter(run)

    def write(self) -> None:
        """Write the file, if the folder is writable."""
        facts = ScoreFacts(self.values.finish(), self.instances.finish())
        write_score_facts(self._path, self._sources, facts.by_key)


def get_scores(run: RunResults) -> list[Score]:
    """Return the scores of a run with their intervals, in the order of its files. Raises RunFileError."""
    return [Score(key, estimate_from_facts(facts)) for key, facts in get_score_facts(run).items()]
