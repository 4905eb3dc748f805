"""The executor of language models."""

from contextlib import nullcontext
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState, chosen_states
from helm.benchmark.executing.execution import (
    COUNT_AS_WRONG,
    EXCLUDE,
    FAILURE_POLICIES,
    HELM,
    ExecutionSpec,
    ExecutorError,
    ExecutorInterface,
)
from helm.benchmark.executing.journaled_run import run_journaled
from helm.benchmark.executing.request_journal import RequestJournal
from helm.common.agent_request import AgentResult
from helm.common.budgets.spending import BudgetExceeded, get_ledger
from helm.common.context import Context
from helm.common.errors import ConfigError, HelmError, with_instance_id
from helm.common.hierarchical_logger import hwarn
from helm.common.request import AUTH, CANCELLED, GeneratedOutput, Request, RequestResult, with_echo_of
from helm.common.sending import deferring, is_sending, only_try_s
from helm.common.telemetry.progress import request_observer

if TYPE_CHECKING:
    from helm.clients.batch.batch_queue import BatchQueue
    from helm.clients.batch.run_deferral import RunDeferral
    from helm.clients.client import Client
    from helm.clients.http.request_lane import RequestLane

__all__ = ["ExecutionSpec", "Executor", "ExecutorError", "ModelExecutor"]


_THREADS_AFTER_S = 0.002
"""Requests that take less time, because the cache or a model in this process answers them, are sent by a single thread.
"""

_MAX_RETRYING = 256
"""Extra threads, beyond those with a request in flight, for requests that are waiting to be retried."""


_MOST_QUOTED = 60
"""Maximum number of characters of a question that an error message quotes."""


class Executor(ExecutorInterface):
    """Sends each `Request` to its deployment, `settings.num_threads` at a time.

    What becomes of a request without an answer is for `settings.on_failure` to say. As in HELM, by default, a
    failed result that is marked as not fatal is kept as a failure (with one empty completion); any other failure raises
    ExecutorError, which fails the run. What was answered until then stays on disk. BudgetExceeded ends the command.
    """

    request_type = Request

    def __init__(self, execution_spec: ExecutionSpec):
        self.execution_spec = execution_spec
        self.settings = execution_spec.to_settings()
        if self.settings.on_failure not in FAILURE_POLICIES:
            raise ExecutorError(f"on_failure takes {', '.join(FAILURE_POLICIES)}, not '{self.settings.on_failure}'.")
        self.context: Context = _create_context(execution_spec)
        self._without_batches: set[str] = set()
        """Deployments for which the warning about missing batch support was logged."""

    def execute(self, scenario_state: ScenarioState, journal: RequestJournal | None = None) -> ScenarioState:
        if self.settings.dry_run:
            return scenario_state
        self._check_options(scenario_state)
        parallelism, wanted = self.settings.num_threads, None
        most = self.settings.max_in_flight
        deployment = scenario_state.adapter_spec.model_deployment
        client = self._client(deployment)
        limiter = client.limiter if client is not None else None
        if limiter is not None:
            # A request that waits for its retry holds a thread but no place at the endpoint, so it must not take the
            # place of one that could be sent. With a limit of one, requests are strictly sequential.
            parallelism = most if most == 1 else most + _MAX_RETRYING
            wanted = lambda: min(most, limiter.useful_window) + limiter.num_retrying  # noqa: E731
        elif client is not None and client.useful_concurrency is not None:
            parallelism = min(most, client.useful_concurrency)
        deferral = self.deferral() if self.batch_share(deployment) is not None else None
        with deferring(deferral) if deferral is not None else nullcontext():
            request_states = run_journaled(
                scenario_state.request_states,
                self.process,
                parallelism,
                journal,
                send_equal_once=True,
                threads_after_s=_THREADS_AFTER_S,
                wanted=wanted,
                leaders_first=self._remembers_prefixes(deployment, client),
                wait=deferral.wait if deferral is not None else None,
                lane=self._lane(scenario_state, client) if deferral is None and limiter is not None else None,
            )
        if deferral is not None:
            self.batch_queue.finish()
        return replace(scenario_state, request_states=request_states)

    def _lane(self, scenario_state: ScenarioState, client: "Client | None") -> "RequestLane | None":
        """Return what sends the ordinary requests of a run from one thread; None if they must go the usual way one by one.

        That is so if anybody wants to see each request on its way, or decides whether it may be sent.
        """
        from helm.common.local_context import LocalContext

        request = scenario_state.request_states[0].request if scenario_state.request_states else None
        if self.settings.max_in_flight == 1 or not isinstance(request, Request):
            return None
        is_own = type(self).process is Executor.process and type(self.context) is LocalContext
        if not is_own or request_observer() is not None or get_ledger().is_limited:
            return None
        if not is_sending() or only_try_s() is not None:
            return None
        from helm.clients.http.request_lane import lane_for

        return lane_for(client, request.model_deployment, request, self.settings.max_in_flight)

    def _check_options(self, scenario_state: ScenarioState) -> None:
        """Raise ConfigError if the client cannot send the options of the requests, which are the same for all of them."""
        request = scenario_state.request_states[0].request if scenario_state.request_states else None
        if not isinstance(request, Request):
            return
        if request.options is None:
            spec = scenario_state.adapter_spec
            if spec.chat is not None or spec.request_options is not None:
                raise ConfigError(
                    f"The adapter method {spec.method} makes requests without chat and request_options of its adapter spec. "
                    "None of them was sent."
                )
            return
        client = self._client(request.model_deployment)
        reason = client.why_not(request) if client is not None else None
        if reason is not None:
            raise ConfigError(f"{reason}. None of the requests was sent.")

    @staticmethod
    def _remembers_prefixes(model_deployment: str, client: "Client | None") -> bool:
        """Whether it pays to send the first of several requests with a long common prefix ahead of the others."""
        from helm.benchmark.model_deployment_registry import DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT

        deployment = DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT.get(model_deployment)
        caches_prompts = client is not None and client.caches_prompts
        return caches_prompts or bool(deployment and deployment.prefix_cache)

    def deferral(self) -> "RunDeferral":
        """Return the collector that puts the requests of one run, or of its judges, into batches."""
        from helm.benchmark.model_deployment_registry import wants_batches
        from helm.clients.batch.run_deferral import RunDeferral

        return RunDeferral(self.batch_queue, lambda name: wants_batches(name, self.settings.batch_api))

    @cached_property
    def batch_queue(self) -> "BatchQueue":
        """The batch queue shared by all runs.

        Raises: ExecutorError without a response cache, which is where the answers of batches are stored.
        """
        from helm.clients.batch.batch_queue import BatchQueue
        from helm.common.cache_backend_config import BlackHoleCacheBackendConfig

        spec = self.execution_spec
        if spec.local_path is None or isinstance(spec.cache_backend_config, BlackHoleCacheBackendConfig):
            raise ExecutorError("Batches need the response cache: leave out --disable-cache, or --batch-api.")
        return BatchQueue(spec.local_path)

    def batch_share(self, model_deployment: str) -> float | None:
        """The price of a batched request to a deployment, as a fraction of the usual price. None if requests are sent singly."""
        from helm.benchmark.model_deployment_registry import wants_batches

        if self.settings.server_url or not wants_batches(model_deployment, self.settings.batch_api):
            return None
        client = self._client(model_deployment)
        batches = client.batches if client is not None else None
        if batches is None:
            if client is not None and model_deployment not in self._without_batches:
                self._without_batches.add(model_deployment)
                kind = type(client).__name__
                hwarn(f"{model_deployment} has no batch API ({kind}); its requests are sent one by one.")
            return None
        return batches.price_share

    def _client(self, model_deployment: str) -> "Client | None":
        """Return the client of the deployment. None if it is not in this process or cannot be created."""
        if not model_deployment:
            return None
        try:
            return self.context.get_client(model_deployment)
        except HelmError:
            return None  # the first request reports the problem, with its instance

    def process(self, state: RequestState) -> RequestState:
        """Fill the result of one state."""
        assert isinstance(state.request, Request)
        policy = self.settings.on_failure
        try:
            result: RequestResult = self.context.make_request(state.request)
        except HelmError as e:  # budget, wrong setting, cache that cannot be written: not the provider's fault
            raise _failure(e, str(e), state) from e
        except Exception as e:
            cause = f"{type(e).__name__}: {e}"
            if policy not in (EXCLUDE, COUNT_AS_WRONG):
                raise _failure(e, cause, state) from e
            result = RequestResult(success=False, cached=False, completions=[], embedding=[], error=cause)
        if not result.success:
            flags = result.error_flags
            is_kept = policy in (EXCLUDE, COUNT_AS_WRONG)
            if policy == HELM:
                is_kept = bool(flags and not flags.is_fatal)  # HELM: None counts as not fatal here.
            # A rejected key fails every request alike; scoring that as wrong answers would hide a configuration error.
            if not is_kept or result.outcome in (AUTH, CANCELLED):
                raise _failure(None, result.error, state)
            meaning = (
                "left out of the scores" if policy == EXCLUDE else "non-fatal error treated as an empty completion"
            )
            hwarn(f"Instance {state.instance.id}: {meaning}: {result.error}")
            # Metrics expect at least one completion.
            result = replace(result, completions=[GeneratedOutput(text="", logprob=0, tokens=[])])
        if state.request.echo_prompt and state.request.continuation is not None:
            result = with_echo_of(result, state.request.continuation)
        return state.with_result(result)


def scored_part(scenario_state: ScenarioState, on_failure: str) -> ScenarioState:
    """Return the part of a run that the failure policy scores: all of it, except with `exclude`."""
    return without_failures(scenario_state) if on_failure == EXCLUDE else scenario_state


def without_failures(scenario_state: ScenarioState) -> ScenarioState:
    """Drop all requests of every instance, in an epoch, that has a failed request: `exclude` scores the rest.

    The requests for the references of one instance, in one trial and epoch, belong together.
    """

    def unit(state: RequestState) -> tuple[str | None, str, int, int | None]:
        return state.instance.id, repr(state.instance.perturbation), state.train_trial_index, state.epoch

    states = scenario_state.request_states
    failed = {unit(s) for s in states if isinstance(s.result, (RequestResult, AgentResult)) and not s.result.success}
    if not failed:
        return scenario_state
    scored = chosen_states(states, [number for number, state in enumerate(states) if unit(state) not in failed])
    return replace(scenario_state, request_states=scored)


ModelExecutor = Executor


def _failure(error: Exception | None, cause: str | None, state: RequestState) -> HelmError:
    if isinstance(error, BudgetExceeded):
        return with_instance_id(BudgetExceeded(str(error)), state.instance.id)
    failure = ExecutorError(f"{cause} Request: {state.request}")
    words = " ".join((state.instance.input.text or "").split())
    quoted = f' ("{words[:_MOST_QUOTED]}{"…" if len(words) > _MOST_QUOTED else ""}")' if words else ""
    failure.short = f"{cause} Request: instance {state.instance.id}{quoted}."
    return with_instance_id(failure, state.instance.id)


def _create_context(execution_spec: ExecutionSpec) -> Context:
    cache_backend_config = execution_spec.cache_backend_config
    if execution_spec.url:
        from helm.common.remote_context import RemoteContext

        return RemoteContext(execution_spec.url, execution_spec.auth)
    if execution_spec.local_path:
        from helm.common.local_context import LocalContext

        return LocalContext(base_path=execution_spec.local_path, cache_backend_config=cache_backend_config)
    raise ValueError("Either the proxy server URL or the local path must be set")
