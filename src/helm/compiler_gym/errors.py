"""Errors between a client and a compiler service, and their gRPC statuses."""

from typing import Any, NoReturn

from helm.common.errors import HelmError

DEFAULT_TIMEOUT_S = 300.0


class ServiceError(HelmError):
    """A call failed because of the compiler service."""


class SessionNotFound(ServiceError):
    """The compilation session does not exist, or none has begun."""


class ServiceOSError(ServiceError, OSError):
    """The operating system refused something that the service needs, or a limit of the service is reached."""


class ServiceInitError(ServiceError, OSError):
    """The service could not be started or reached."""


class EnvironmentNotSupported(ServiceInitError):
    """This machine lacks what the compiler needs, such as the compiler itself."""


class ServiceTransportError(ServiceError, OSError):
    """The connection to the service broke."""


class ServiceIsClosed(ServiceError, TypeError):
    """The connection was closed, or the service process has ended."""

    end: str | None = None
    """How the process ended, if that is known."""


class ServiceTimeoutError(ServiceError, TimeoutError):
    """A call did not end in time; the service may still be working on it."""


class BenchmarkInitError(ServiceError, OSError, ValueError):
    """The compiler cannot use the program."""


class PolicyError(HelmError):
    """A policy found no answer, for a reason that it can name."""

    def __init__(self, status: str, message: str):
        """Keep the status with the message.

        Args:
            status: of the `EpisodeResult`.
        """
        super().__init__(message)
        self.status = status


class StatusError(Exception):
    """A failed call: the name of a gRPC status and its text.

    The service runtime raises it. A compilation session may raise it, too, if no exception of `get_status` fits.
    """

    def __init__(self, status: str, details: str):
        super().__init__(f"{status}: {details}")
        self.status = status
        self.details = details


def get_status(error: BaseException) -> StatusError:
    """Return the status for an exception that a compilation session raised; `details` is its text."""
    if isinstance(error, StatusError):
        return error
    for exception_class, status in (
        (ValueError, "INVALID_ARGUMENT"),
        ((LookupError, FileNotFoundError), "NOT_FOUND"),
        (NotImplementedError, "UNIMPLEMENTED"),
        (TypeError, "FAILED_PRECONDITION"),
        (TimeoutError, "DEADLINE_EXCEEDED"),
    ):
        if isinstance(error, exception_class):
            return StatusError(status, str(error))
    return StatusError("INTERNAL", str(error) or type(error).__name__)


def raise_for_status(status: str, details: str, timeout_s: float = DEFAULT_TIMEOUT_S) -> NoReturn:
    """Raise the exception that a status means to the caller of a service."""
    if status == "INVALID_ARGUMENT":
        raise ValueError(details)
    if status == "UNIMPLEMENTED":
        raise NotImplementedError(details)
    if status == "NOT_FOUND":
        if details.startswith("Session not found"):
            raise SessionNotFound(details)
        raise FileNotFoundError(details)
    if status == "RESOURCE_EXHAUSTED":
        raise ServiceOSError(details)
    if status == "FAILED_PRECONDITION":
        raise TypeError(details)
    if status == "DEADLINE_EXCEEDED":
        raise ServiceTimeoutError(f"{details} ({timeout_s:.1f} seconds)")
    if status == "DATA_LOSS":
        raise ServiceError(details)
    if status == "UNAVAILABLE":
        raise ServiceTransportError(details)
    if status == "CANCELLED":
        raise ServiceIsClosed(details or "The connection was closed during the call.")
    if status == "UNKNOWN":
        raise ServiceError(f"The service raised an exception that it does not handle: {details}")
    if status == "INTERNAL" and details == "Exception serializing request!":
        raise TypeError(details)
    raise ServiceError(f"RPC call returned status code StatusCode.{status} and error `{details}`")


__path__: list[str] = []  # so that the original's modules below this one can be imported


def __getattr__(name: str) -> Any:
    from helm.compiler_gym.original_names import find_name

    return find_name(__name__, name)
