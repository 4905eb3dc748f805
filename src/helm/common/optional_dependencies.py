"""One clear message for a package that only some features need."""

from types import TracebackType
from typing import NoReturn

from helm.common.errors import HelmError

DISTRIBUTION = "helm-evals"


class OptionalDependencyNotInstalled(HelmError):
    """The package that a feature needs is not installed."""


def handle_module_not_found_error(e: ModuleNotFoundError, suggestions: list[str] | None = None) -> NoReturn:
    """Raise OptionalDependencyNotInstalled; `suggestions` are the extras that install the package."""
    extras = " or ".join(f"pip install '{DISTRIBUTION}[{extra}]'" for extra in suggestions or ["all"])
    raise OptionalDependencyNotInstalled(
        f"The optional package '{e.name}' is not installed. Install it with: {extras}"
    ) from e


class needs_extra:
    """`with needs_extra("plots"): import matplotlib`: says which extras bring the package when it is not installed."""

    def __init__(self, *extras: str):
        self._extras = extras

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if isinstance(error, ModuleNotFoundError):
            handle_module_not_found_error(error, list(self._extras))
