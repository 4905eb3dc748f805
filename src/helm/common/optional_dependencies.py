"""One clear message for a package that only some features need."""

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
