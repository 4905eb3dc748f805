"""The executor of language models."""

from dataclasses import replace
from typing import Optional

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.execution import ExecutionSpec, ExecutorError, ExecutorInterface
from helm.benchmark.request_journal import RequestJournal, run_journaled
from helm.common.context import Context
from helm.common.errors import HelmError, with_instance_id
from helm.common.hierarchical_logger import hwarn
from helm.common.request import GeneratedOutput, Request, RequestResult

__all__ = ["ExecutionSpec", "Executor", "ExecutorError", "ModelExecutor"]


_THREADS_AFTER_S = 0.002
"""Requests that are answered faster, from the cache or by a model in this process, are sent by one thread."""


class Executor(ExecutorInterface):
    """Sends each `Request` to its deployment, `execution_spec.parallelism` at a time.

    A failed result that is marked as not fatal is kept as a failure (with one empty completion, as in HELM); any other
    failure raises ExecutorError, which fails the run. What was answered until then stays on disk.
    """

    request_type = Request

    def __init__(self, execution_spec: ExecutionSpec):
        self.execution_spec = execution_spec
        self.context: Context = _create_context(execution_spec)

    def execute(self, scenario_state: ScenarioState, journal: Optional[RequestJournal] = None) -> ScenarioState:
        if self.execution_spec.dry_run:
            return scenario_state
        request_states = run_journaled(
            scenario_state.request_states,
            self.process,
            self.execution_spec.parallelism,
            journal,
            send_equal_once=True,
            threads_after_s=_THREADS_AFTER_S,
        )
        return replace(scenario_state, request_states=request_states)

    def process(self, state: RequestState) -> RequestState:
        """Fill the result of one state."""
        assert isinstance(state.request, Request)
        try:
            result: RequestResult = self.context.make_request(state.request)
        except Exception as e:
            cause = str(e) if isinstance(e, HelmError) else f"{type(e).__name__}: {e}"
            raise _failure(cause, state) from e
        if not result.success:
            if not (result.error_flags and not result.error_flags.is_fatal):  # HELM: None counts as not fatal here.
                raise _failure(result.error, state)
            hwarn(f"Instance {state.instance.id}: non-fatal error treated as an empty completion: {result.error}")
            result = replace(result, completions=[GeneratedOutput(text="", logprob=0, tokens=[])])
        return state.with_result(result)


ModelExecutor = Executor


def _failure(cause: Optional[str], state: RequestState) -> HelmError:
    return with_instance_id(ExecutorError(f"{cause} Request: {state.request}"), state.instance.id)


def _create_context(execution_spec: ExecutionSpec) -> Context:
    cache_backend_config = execution_spec.cache_backend_config
    if execution_spec.url:
        from helm.common.remote_context import RemoteContext

        return RemoteContext(execution_spec.url, execution_spec.auth)
    if execution_spec.local_path:
        from helm.common.local_context import LocalContext

        return LocalContext(base_path=execution_spec.local_path, cache_backend_config=cache_backend_config)
    raise ValueError("Either the proxy server URL or the local path must be set")
