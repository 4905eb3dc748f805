"""The service as CompilerGym's Python runtime has it: a method for each call, as gRPC's servicers have."""

from pathlib import Path
from typing import Any

from helm.compiler_gym.errors import StatusError
from helm.compiler_gym.runtime.service import CompilerService


class CompilerGymService(CompilerService):
    """A `CompilerService` with a method for each call, which takes a request and, from gRPC, the context of the call."""

    def __init__(self, working_directory: Path, compilation_session_type: Any):
        """Prepare a service without sessions.

        Args:
            working_directory: scratch folder.
            compilation_session_type: the compiler, a `CompilationSession` class.
        """
        super().__init__(compilation_session_type, working_directory)

    def _answer(self, call: str, request: Any, context: Any | None) -> Any:
        try:
            return self.handle(call, request)
        except StatusError as error:
            if context is None:
                raise
            import grpc

            context.abort(grpc.StatusCode[error.status], error.details)

    def GetVersion(self, request: Any, context: Any | None = None) -> Any:  # noqa: N802  # the names of the calls
        return self._answer("GetVersion", request, context)

    def GetSpaces(self, request: Any, context: Any | None = None) -> Any:  # noqa: N802
        return self._answer("GetSpaces", request, context)

    def StartSession(self, request: Any, context: Any | None = None) -> Any:  # noqa: N802
        return self._answer("StartSession", request, context)

    def ForkSession(self, request: Any, context: Any | None = None) -> Any:  # noqa: N802
        return self._answer("ForkSession", request, context)

    def EndSession(self, request: Any, context: Any | None = None) -> Any:  # noqa: N802
        return self._answer("EndSession", request, context)

    def Step(self, request: Any, context: Any | None = None) -> Any:  # noqa: N802
        return self._answer("Step", request, context)

    def AddBenchmark(self, request: Any, context: Any | None = None) -> Any:  # noqa: N802
        return self._answer("AddBenchmark", request, context)

    def SendSessionParameter(self, request: Any, context: Any | None = None) -> Any:  # noqa: N802
        return self._answer("SendSessionParameter", request, context)
