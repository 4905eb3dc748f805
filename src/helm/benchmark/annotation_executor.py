"""Runs the annotators of a run over its results."""

import os
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.annotation.annotator import Annotator, AnnotatorSpec, UnjudgedError
from helm.benchmark.annotation.annotator_factory import AnnotatorFactory
from helm.common.budgets.spending import BudgetExceeded
from helm.common.cache_backend_config import (
    MongoCacheBackendConfig,
    SharedCacheBackendConfig,
    SqliteCacheBackendConfig,
    choose_cache_backend,
)
from helm.common.concurrency import parallel_map
from helm.common.errors import HelmError, with_instance_id
from helm.common.hierarchical_logger import hwarn
from helm.common.local_context import CACHE_FOLDER, LazyCredentials
from helm.common.sending import Deferred, all_asked, deferring

if TYPE_CHECKING:
    from helm.clients.batch.run_deferral import RunDeferral


class AnnotationExecutorError(HelmError):
    """An annotator could not be created, or failed on a request."""


@dataclass(frozen=True)
class AnnotationExecutionSpec:
    """How annotators are run. Nothing here can change a statistic."""

    local_path: str
    """Folder with credentials and caches."""

    parallelism: int
    """Maximum number of request states annotated at once."""

    dry_run: bool = False
    """Whether to skip annotation."""

    sqlite_cache_backend_config: SqliteCacheBackendConfig | None = None

    mongo_cache_backend_config: MongoCacheBackendConfig | None = None

    shared_cache_backend_config: SharedCacheBackendConfig | None = None
    """Takes precedence over the other cache settings."""

    max_in_flight: int | None = None
    """Like `parallelism`, for annotators whose judges' endpoints report how many requests they accept. None uses
    `parallelism`."""

    cache_backend_config = property(choose_cache_backend)


class AnnotationExecutor:
    """Fills `RequestState.annotations` with the output of each annotator, keyed by the annotator's name."""

    def __init__(self, execution_spec: AnnotationExecutionSpec):
        self.execution_spec = execution_spec
        self.factory = AnnotatorFactory(
            credentials=LazyCredentials(execution_spec.local_path),
            file_storage_path=os.path.join(execution_spec.local_path, CACHE_FOLDER),
            cache_backend_config=execution_spec.cache_backend_config,
        )
        self._prepared: dict[AnnotatorSpec, Annotator] = {}

    def prepare(self, specs: Sequence[AnnotatorSpec]) -> None:
        """Create the annotators and the clients of their judges, so that problems show before a run sends anything.

        Raises: AnnotationExecutorError that names the annotator.
        """
        if self.execution_spec.dry_run:
            return
        for spec in specs:
            annotator = self._prepared[spec] = self._create(spec)
            check_judges = getattr(annotator, "check_judges", None)
            if check_judges:
                try:
                    check_judges()
                except HelmError as e:
                    raise AnnotationExecutorError(f"Annotator '{annotator.name}' cannot reach its judge: {e}") from e

    def execute(self, scenario_state: ScenarioState, deferral: "RunDeferral | None" = None) -> ScenarioState:
        """Return the scenario state with annotations; unchanged in a dry run or without annotators.

        With `deferral`, requests to judges are sent in batches if their deployments ask for batches.

        Raises: AnnotationExecutorError that names the annotator, and the instance it failed on.
        """
        specs = scenario_state.annotator_specs
        if self.execution_spec.dry_run or not specs:
            return scenario_state
        annotators = [self._take(spec) for spec in specs]
        states = scenario_state.request_states
        if all(getattr(annotator, "use_global_metric", False) for annotator in annotators):
            annotated = self.process_all(annotators, states)
        else:
            annotated = self._annotate_each(annotators, states, deferral)
        return replace(scenario_state, request_states=annotated)

    def _annotate_each(
        self, annotators: list[Annotator], states: list[RequestState], deferral: "RunDeferral | None"
    ) -> list[RequestState]:
        annotated: dict[int, RequestState] = {}

        def run(index: int) -> None:
            with suppress(Deferred):
                annotated[index] = self.process(annotators, states[index])

        parallelism, wanted = self._concurrency(annotators)
        with deferring(deferral) if deferral is not None else nullcontext():
            # Each round annotates what it can; requests deferred to a batch are repeated once the batch is answered.
            while len(annotated) < len(states):
                missing = [index for index in range(len(states)) if index not in annotated]
                parallel_map(run, missing, parallelism, description="annotations", wanted=wanted)
                if deferral is not None and len(annotated) < len(states):
                    deferral.wait()
        return [annotated[index] for index in range(len(states))]

    def _concurrency(self, annotators: Sequence[Annotator]) -> tuple[int, Callable[[], int] | None]:
        """Return the maximum number of threads, and a function that returns how many are useful now.

        Annotators that only wait for judges follow the limiters of the judges' endpoints. The function is None for all
        others, which may be busy themselves, for example in sandboxes.
        """
        spec = self.execution_spec
        if spec.max_in_flight is None or not all(hasattr(annotator, "check_judges") for annotator in annotators):
            return spec.parallelism, None
        return spec.max_in_flight, lambda: self.factory.num_wanted or spec.parallelism

    def _take(self, spec: AnnotatorSpec) -> Annotator:
        """Return the annotator that `prepare` created, or a new one."""
        return self._prepared.pop(spec, None) or self._create(spec)

    def _create(self, spec: AnnotatorSpec) -> Annotator:
        try:
            return self.factory.get_annotator(spec)
        except Exception as e:
            raise AnnotationExecutorError(
                f"Could not initialize annotator for spec: {e} (annotator {spec.class_name})"
            ) from e

    @staticmethod
    def process(annotators: list[Annotator], state: RequestState) -> RequestState:
        """Annotate one state. If it could not be judged, its annotation says so."""
        annotations: dict[str, Any] = {}
        with all_asked() as each:
            for annotator in annotators:
                with each():
                    annotations[annotator.name] = AnnotationExecutor._annotation(annotator, state)
        return replace(state, annotations=annotations)

    @staticmethod
    def _annotation(annotator: Annotator, state: RequestState) -> Any:
        try:
            return annotator.annotate(state)
        except UnjudgedError as e:
            hwarn(f"{annotator.name}: instance {state.instance.id} is not judged: {e}")
            return e.annotation
        except BudgetExceeded:
            raise
        except Exception as e:
            cause = str(e) if isinstance(e, HelmError) else f"{type(e).__name__}: {e}"
            raise with_instance_id(
                AnnotationExecutorError(
                    f"Annotator '{annotator.name}' failed at instance {state.instance.id}: {cause} "
                    f"Request: {state.request}"
                ),
                state.instance.id,
            ) from e

    @staticmethod
    def process_all(annotators: list[Annotator], states: list[RequestState]) -> list[RequestState]:
        """Annotate all states at once, by annotators that need to see them all. Raises: AnnotationExecutorError."""
        annotations: list[Any] = []
        for annotator in annotators:  # HELM: the last one's list counts, and it is not keyed by name.
            try:
                annotations = annotator.annotate_all(states)
            except Exception as e:
                raise AnnotationExecutorError(
                    f"Annotator '{annotator.name}' failed at {len(states)} requests: {type(e).__name__}: {e}"
                ) from e
            if len(annotations) != len(states):
                raise AnnotationExecutorError(
                    f"Annotator '{annotator.name}' gave {len(annotations)} annotations for {len(states)} requests."
                )
        return [replace(state, annotations=annotation) for state, annotation in zip(states, annotations, strict=True)]
