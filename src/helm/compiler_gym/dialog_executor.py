"""Episodes in which a language model proposes the actions."""

import os
from dataclasses import replace

from helm.benchmark.executing.execution import COUNT_AS_WRONG, EXCLUDE, HELM, ExecutorError
from helm.benchmark.run_settings import RunSettings
from helm.common.context import Context
from helm.common.errors import HelmError
from helm.common.object_spec import ObjectSpec
from helm.common.request import AUTH, CANCELLED, Request, RequestResult
from helm.compiler_gym.compiler_client import CompilerClient
from helm.compiler_gym.executor import EpisodeExecutor
from helm.compiler_gym.runtime.service_client import LOCAL

_EPISODES_PER_PROCESSOR = 4
"""More than one, because an episode mostly waits for the model; not many, because each has its own compiler process."""


class DialogExecutor(EpisodeExecutor):
    """An `EpisodeExecutor` for `LanguageModelPolicy`, whose requests are handled like all requests to models.

    So they are cached, limited, budgeted and tried again like those of any other run. When a request fails for good, the
    episode fails if `--on-failure` keeps failures; otherwise the run fails. A failure never counts as an answer.
    """

    def __init__(
        self,
        backend: str,
        context: Context,
        settings: RunSettings,
        parallelism: int = 1,
        connection: str | None = None,
        timeout_s: float = 600.0,
        rpc_timeout_s: float = 60.0,
        dry_run: bool = False,
        validate: bool = False,
    ):
        """Describe the compiler and the way to the language model.

        Args:
            backend: the compiler: a short name, `gcc:COMMAND`, or the class path of a `CompilationSession`.
            context: creates the client of the language model.
            timeout_s: limit for an episode, in seconds, including the time spent waiting for the model.
        """
        super().__init__(
            CompilerClient(backend=backend, connection=connection or LOCAL),
            parallelism,
            connection,
            timeout_s,
            rpc_timeout_s,
            dry_run,
            validate=validate,
        )
        self._context, self._on_failure = context, settings.on_failure
        self._parallelism = min(parallelism, _EPISODES_PER_PROCESSOR * (os.cpu_count() or 1))

    def complete_policy_spec(self, spec: ObjectSpec) -> ObjectSpec:
        return replace(spec, args={**spec.args, "ask": self.ask})

    def ask(self, request: Request) -> RequestResult:
        """Return the model's answer, or a result without success if failures are kept.

        Raises: ExecutorError if failures fail the run, and for a refused key; BudgetExceeded.
        """
        try:
            result = self._context.make_request(request)
        except HelmError:
            raise  # a budget, a wrong setting, a cache that cannot be written: not the provider's fault
        except Exception as error:
            if self._on_failure not in (EXCLUDE, COUNT_AS_WRONG):
                raise ExecutorError(f"{type(error).__name__}: {error} Request: {request}") from error
            return RequestResult(
                success=False, cached=False, completions=[], embedding=[], error=f"{type(error).__name__}: {error}"
            )
        if result.success:
            return result
        flags = result.error_flags
        is_kept = self._on_failure in (EXCLUDE, COUNT_AS_WRONG)
        if self._on_failure == HELM:
            is_kept = bool(flags and not flags.is_fatal)  # as for every other request, see helm.benchmark.executor
        if not is_kept or result.outcome in (AUTH, CANCELLED):
            raise ExecutorError(f"{result.error} Request: {request}")
        return result
