"""Divides the requests of one run among workers. The rest of the run stays in the command."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.cluster.run_worker import AskedRequest, Outcome, Shard, raise_from
from helm.benchmark.executing.execution import ExecutorInterface
from helm.benchmark.executing.journaled_run import new_results, with_results
from helm.benchmark.executing.request_journal import RequestJournal, Results, request_texts, result_type
from helm.benchmark.run_spec import RunSpec
from helm.common.codec import structure, to_json_single_line
from helm.common.concurrency import parallel_map
from helm.common.formats.json_reading import parse_json
from helm.common.object_spec import get_class_by_name
from helm.common.request import Request
from helm.common.telemetry.progress import current_run


def executor_class_of(run_spec: RunSpec) -> type | None:
    """Return the class of a run's executor. None means the executor of language models."""
    return get_class_by_name(run_spec.executor_spec.class_name) if run_spec.executor_spec else None


def can_be_divided(run_spec: RunSpec) -> bool:
    """Whether a run can be divided. Not if its requests are timed, or depend on each other."""
    executor_class = executor_class_of(run_spec)
    return executor_class is None or bool(getattr(executor_class, "is_divisible", True))


ShardRunner = Callable[[Callable[[], str], Callable[[str], None]], None]
"""Sends the text of a shard to a worker and calls back with each text from there. If the worker is lost, the text is
created again for another one."""


class ShardedExecutor(ExecutorInterface):
    """Divides a run among workers.

    Results arrive one by one and are journaled at once, so a lost worker's answers are not requested again.

    Args:
        run_spec: the run.
        shard_size: number of requests in a shard; 0 makes as many shards as are executed at once, of the same size.
        run_shard: see `ShardRunner`.
        num_shards: number of concurrent shards.
        writes_parts: whether workers write what they have finished into the run's folder, where a command that goes on finds it;
            otherwise the journal has only what has arrived here.
    """

    def __init__(
        self, run_spec: RunSpec, shard_size: int, run_shard: ShardRunner, num_shards: int, writes_parts: bool = False
    ):
        self._run_spec = run_spec
        self._shard_size, self._run_shard, self._num_shards = shard_size, run_shard, num_shards
        self._writes_parts = writes_parts
        executor_class = executor_class_of(run_spec)
        self.request_type = getattr(executor_class, "request_type", Request)
        self.most_states_in_memory = getattr(executor_class, "most_states_in_memory", None)
        self._asks_equal_once = executor_class is None

    def execute(self, scenario_state: ScenarioState, journal: RequestJournal | None = None) -> ScenarioState:
        states = scenario_state.request_states
        assert journal is not None, "a run that is divided is not a dry run"
        texts = request_texts(states) if self._asks_equal_once else None
        journal.open(states, texts)
        try:
            results = new_results(states)
            counter = current_run()
            counter.expect("requests" if self._asks_equal_once else "episodes", len(states))
            shard_run = _ShardRun(self._run_spec, states, journal, results, self._writes_parts)

            def run(shard: list[int]) -> None:
                shard_run.execute(shard, self._run_shard)

            firsts = list(range(len(states)))
            if texts is not None:  # as in `run_journaled`
                firsts = sorted({text: index for index, text in reversed(list(enumerate(texts)))}.values())
            repeats = sorted(set(range(len(states))) - set(firsts))
            for indices in (firsts, repeats):
                missing = []
                for index in indices:
                    result = journal.result(index)
                    if result is None:
                        missing.append(index)
                    else:
                        results[index] = result
                        counter.count(result, is_resumed=True)
                shards = list(self._shards(missing))
                parallel_map(run, shards, self._num_shards, description="shards")
        finally:
            journal.close()
        return replace(scenario_state, request_states=with_results(states, results))

    def _shards(self, indices: list[int]) -> Iterator[list[int]]:
        size = self._shard_size or -(-len(indices) // self._num_shards) or 1
        for start in range(0, len(indices), size):
            yield indices[start : start + size]


class _ShardRun:
    """Executes the shards of one run, and keeps the results."""

    def __init__(
        self,
        run_spec: RunSpec,
        states: Sequence[RequestState],
        journal: RequestJournal,
        results: Results,
        writes_parts: bool,
    ):
        self._run_spec, self._states, self._journal, self._results = run_spec, states, journal, results
        self._writes_parts = writes_parts
        self._is_of_models = executor_class_of(run_spec) is None
        self._counter = current_run()

    def execute(self, indices: list[int], run_shard: ShardRunner) -> None:
        in_doubt = {index for index in indices if self._journal.was_sent(index)}
        asked: list[int] = []
        outcomes: list[Outcome] = []

        def make() -> str:
            """Return what is left of the shard."""
            if asked and self._writes_parts:
                self._take_over(asked)
            in_doubt.update(asked)
            asked[:] = [index for index in indices if index not in self._results]
            if not self._writes_parts:
                for index in asked:
                    self._journal.record_sent(index)
            return to_json_single_line(self._shard(asked, in_doubt))

        def take(text: str) -> None:
            content = parse_json(text)
            if isinstance(content, dict):
                outcomes.append(structure(content, Outcome))
                paid = outcomes[-1].paid
                self._counter.add_paid(paid.number, paid.unpriced, paid.cost_usd)
                return
            for position, value in content:
                index = asked[position]
                result = structure(value, result_type(self._states[index]))
                if not self._writes_parts:
                    self._journal.record_result(index, result)
                self._results[index] = result
                self._counter.count(result)

        run_shard(make, take)
        raise_from(outcomes[0], f"Run {self._run_spec.name}")

    def _shard(self, indices: list[int], in_doubt: set[int]) -> Shard:
        states = [self._states[index] for index in indices]
        requests = []
        if self._is_of_models:
            requests = [AskedRequest(s.request, s.instance.id, s.instance.input.text or "") for s in states]  # type: ignore[arg-type]
        return Shard(
            run_spec=self._run_spec,
            numbers=indices,
            requests=requests,
            request_states=[] if self._is_of_models else states,
            in_doubt=[position for position, index in enumerate(indices) if index in in_doubt],
            started_at=self._journal.started_at,
            name=self._journal.name,
            part=self._journal.new_part() if self._writes_parts else None,
            header=self._journal.header,
        )

    def _take_over(self, indices: list[int]) -> None:
        """Take the results that a lost worker has written, and not told of."""
        self._journal.read_parts(self._states)
        for index in indices:
            result = None if index in self._results else self._journal.result(index)
            if result is not None:
                self._results[index] = result
                self._counter.count(result)
