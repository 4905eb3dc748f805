"""The interface of executors, which turn requests into results, and their settings."""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.executing.request_journal import RequestJournal
from helm.benchmark.run_settings import RunSettings
from helm.benchmark.subjects import LANGUAGE_MODEL, subject_kinds
from helm.common.authentication import Authentication
from helm.common.cache_backend_config import (
    MongoCacheBackendConfig,
    SharedCacheBackendConfig,
    SqliteCacheBackendConfig,
    choose_cache_backend,
)
from helm.common.errors import HelmError
from helm.common.executor_spec import ExecutorSpec
from helm.common.object_spec import create_object, get_class_by_name, inject_object_spec_args
from helm.common.request import Request

HELM = "helm"
FAIL = "fail"
EXCLUDE = "exclude"
COUNT_AS_WRONG = "count-as-wrong"

FAILURE_POLICIES = {
    HELM: "a withheld answer counts as an empty one, any other failure fails the run",
    FAIL: "every failure fails the run",
    EXCLUDE: "an instance with a failed request is left out of the scores, and counted in coverage.json",
    COUNT_AS_WRONG: "a failed request counts as an empty answer",
}
"""What an unanswered request means for its run. A rejected API key always fails the run."""


class ExecutorError(HelmError):
    """An executor could not work: the subject cannot be started, or a request failed permanently."""


@dataclass(frozen=True)
class ExecutionSpec:
    """How requests are executed, under HELM's names; plugins' Runners and executors are created with it.

    All other settings of the command are in `settings`.
    """

    url: str | None
    """URL of a proxy server. None means that requests are sent from this process."""

    auth: Authentication
    """Credentials for the proxy server."""

    local_path: str | None
    """Folder with credentials and the response cache."""

    parallelism: int
    """Maximum number of requests in flight."""

    dry_run: bool = False
    """Whether to send nothing."""

    sqlite_cache_backend_config: SqliteCacheBackendConfig | None = None

    mongo_cache_backend_config: MongoCacheBackendConfig | None = None

    shared_cache_backend_config: SharedCacheBackendConfig | None = None
    """Takes precedence over the other cache settings."""

    settings: RunSettings | None = None
    """What else the command was asked for; see `to_settings`. None: the defaults, with at most `parallelism` requests in
    flight."""

    @staticmethod
    def of(settings: RunSettings) -> "ExecutionSpec":
        sqlite, shared = None, None
        if not settings.disable_cache:
            sqlite = SqliteCacheBackendConfig(settings.cache_path or os.path.join(settings.local_path, "cache"))
            shared = SharedCacheBackendConfig(settings.cache_uri) if settings.cache_uri else None
        return ExecutionSpec(
            url=settings.server_url,
            auth=Authentication(settings.api_key),
            local_path=settings.local_path,
            parallelism=settings.num_threads,
            dry_run=settings.dry_run,
            sqlite_cache_backend_config=sqlite,
            shared_cache_backend_config=shared,
            settings=settings,
        )

    def to_settings(self) -> RunSettings:
        """Return the command's settings, overridden by the fields above."""
        sqlite, shared = self.sqlite_cache_backend_config, self.shared_cache_backend_config
        return replace(
            self.settings or RunSettings(max_in_flight=self.parallelism),
            server_url=self.url,
            api_key=self.auth.api_key if self.auth else "",
            local_path=self.local_path or "prod_env",
            num_threads=self.parallelism,
            dry_run=self.dry_run,
            disable_cache=sqlite is None and shared is None,
            cache_path=sqlite.path if sqlite is not None else None,
            cache_uri=shared.uri if shared is not None else None,
        )

    cache_backend_config = property(choose_cache_backend)


RUNNER_ARGUMENTS = (
    "output_path",
    "suite",
    "skip_instances",
    "cache_instances",
    "cache_instances_only",
    "skip_completed_runs",
    "exit_on_error",
)
"""Arguments of a Runner after the `ExecutionSpec`, in HELM's order."""


class ExecutorInterface(ABC):
    """Fills in the results of request states. Used in a `with` statement, so that what it opened is closed."""

    request_type: type = Request
    """The class of requests it accepts."""

    is_divisible: bool = True
    """Whether executors on several machines may each handle part of a run's requests."""

    most_states_in_memory: int | None = None
    """With more request states than this, those of a run are kept in a file; None keeps any number in memory. The executor
    then gets and returns a sequence that makes each state when it is looked at."""

    @abstractmethod
    def execute(self, scenario_state: ScenarioState, journal: RequestJournal | None = None) -> ScenarioState:
        """Return a new state whose request states all have results, in the same order.

        `journal` stores every finished result of the run on disk, and returns those of an interrupted attempt.

        Raises: ExecutorError if the subject cannot be started, or a failure leaves no result to continue with.
        """

    def close(self) -> None:
        """Stop what was started. Called once, also after an error."""

    def __enter__(self) -> "ExecutorInterface":
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self.close()


@dataclass(frozen=True)
class ExecutorServices:
    """What an executor can request in its constructor, by parameter name."""

    execution_spec: ExecutionSpec

    default_executor: Callable[[], ExecutorInterface]
    """The executor for language models, shared by all runs."""

    model_deployment: str
    """Name of the subject's deployment."""

    providers: dict[str, Callable[[], Any]] = field(default_factory=dict)
    """Further services by name."""


class _Shared(ExecutorInterface):
    """Wraps the shared executor of language models, so that it is not closed at the end of a run."""

    def __init__(self, executor: ExecutorInterface):
        self._executor = executor
        self.request_type = getattr(executor, "request_type", Request)

    def execute(self, scenario_state: ScenarioState, journal: RequestJournal | None = None) -> ScenarioState:
        import inspect

        # Executors that plugins wrote for HELM accept only the scenario state.
        if "journal" in inspect.signature(self._executor.execute).parameters:
            return self._executor.execute(scenario_state, journal=journal)
        return self._executor.execute(scenario_state)


def create_subject_client(model_deployment: str) -> Any:
    """Create the client object of a tool's or compiler's deployment from its `client_spec`.

    Raises: ExecutorError when there is no such deployment, it is of a language model, or its class cannot be made.
    """
    from helm.benchmark.model_deployment_registry import get_model_deployment
    from helm.clients.client import Client

    deployment = get_model_deployment(model_deployment)
    try:
        client_class = get_class_by_name(deployment.client_spec.class_name)
        if isinstance(client_class, type) and issubclass(client_class, Client):
            others = [kind for kind in subject_kinds() if kind is not LANGUAGE_MODEL]
            named = " or ".join(f"{kind.singular} (for example model={kind.example})" for kind in others)
            raise ExecutorError(
                f"This run evaluates no language model, but deployment '{model_deployment}' is one "
                f"({client_class.__name__}). Name {named}."
            )
        return create_object(deployment.client_spec)
    except (ImportError, AttributeError, TypeError, ValueError) as e:
        raise ExecutorError(
            f"Deployment '{model_deployment}': cannot make {deployment.client_spec.class_name}: {e}"
        ) from e


def create_executor(executor_spec: ExecutorSpec | None, services: ExecutorServices) -> ExecutorInterface:
    """Create the executor of a run: the class in the spec, or the shared executor of language models without one.

    Constructor parameters that the spec lacks are filled by name: `settings`, `parallelism`, `execution_spec`, `dry_run`,
    `model_deployment`, `tool`, `compiler` or `subject` (the client object of the deployment), and `context` (the way to
    language models).
    """
    if executor_spec is None:
        return _Shared(services.default_executor())
    subject = lambda: create_subject_client(services.model_deployment)  # noqa: E731
    spec = services.execution_spec
    constants = {
        "settings": spec.to_settings(),
        "execution_spec": spec,
        "parallelism": spec.parallelism,
        "dry_run": spec.dry_run,
        "model_deployment": services.model_deployment,
    }
    providers = {kind.name: subject for kind in subject_kinds() if kind is not LANGUAGE_MODEL}
    providers.update({"subject": subject, **services.providers})
    try:
        return create_object(inject_object_spec_args(executor_spec, constants, providers))
    except (ImportError, AttributeError, TypeError) as e:
        raise ExecutorError(f"Cannot make the executor {executor_spec.class_name}: {e}") from e
