"""What a worker needs to know to execute a run exactly as the command would."""

import json
import os
import sys
from dataclasses import dataclass, field, replace

from helm.benchmark.catalogue.catalogue_setup import CatalogueSetup, current_catalogue_setup
from helm.benchmark.executing.execution import RUNNER_ARGUMENTS, ExecutionSpec
from helm.benchmark.run_settings import RunSettings
from helm.common.budgets.spending import Budget, get_ledger
from helm.common.codec import structure
from helm.common.data.data_session import current_session
from helm.common.errors import ConfigError
from helm.common.telemetry.hooks import HookWishes

_FORWARDED_PREFIXES = (
    "HELM_",
    "HF_",
    "OPENAI_",
    "ANTHROPIC_",
    "GOOGLE_",
    "AZURE_",
    "AWS_",
    "PG",
    "REDIS_",
    "LOG_LEVEL",
)
_FORWARDED_SUFFIXES = ("_API_KEY", "_BASE_URL", "_TOKEN")
_NOT_FORWARDED = ("HELM_DEBUG",)


@dataclass(frozen=True)
class WorkerSetup:
    """Settings that are sent to every worker as JSON."""

    settings: RunSettings
    """The settings of the command. Their output folder is visible to all machines, or an fsspec URL
    (`s3://bucket/folder`)."""

    catalogue: CatalogueSetup = field(default_factory=CatalogueSetup)
    """What is registered in addition to the package's catalogue."""

    data_lock: str | None = None
    """Path of the data lock file. None locks nothing."""

    working_directory: str | None = None
    """Base of relative paths. None means the folder in which the worker is started."""

    import_path: list[str] = field(default_factory=list)
    """Folders to search for modules, after the worker's own."""

    budget: Budget = Budget()
    """Budget of the command."""

    spending_file: str | None = None
    """Where all processes of the command record their spending. None if there is no budget, or something else records
    it."""

    max_in_flight: int | None = None
    """Maximum number of requests of this worker in flight per endpoint. None means the command's limit."""

    hooks: HookWishes | None = None
    """What the command's hooks want to be told; None if it has none, or workers cannot tell it."""


def current_setup(settings: RunSettings) -> WorkerSetup:
    """Return the setup of this command."""
    lock, ledger = current_session().lock, get_ledger()
    return WorkerSetup(
        settings=settings.for_worker(),
        catalogue=current_catalogue_setup(),
        data_lock=os.path.abspath(lock.path) if lock is not None else None,
        working_directory=os.getcwd(),
        budget=ledger.budget,
        spending_file=os.path.abspath(ledger.file.path) if ledger.file is not None else None,
        import_path=[os.path.abspath(path) for path in sys.path if os.path.isdir(path or ".")],
    )


def read_setup(text: str) -> WorkerSetup:
    """Read a setup from JSON, including the file that HELM writes, which has a Runner's arguments under their names."""
    values = json.loads(text)
    if "execution_spec" in values:
        settings = structure(values.pop("execution_spec"), ExecutionSpec).to_settings()
        given = {name: values.pop(name) for name in RUNNER_ARGUMENTS if name in values}
        return replace(structure({**values, "settings": {}}, WorkerSetup), settings=replace(settings, **given))
    return structure(values, WorkerSetup)


def forwarded_environment() -> dict[str, str]:
    """Return the variables that affect a run: settings, URLs and keys. They are never written to a file."""
    return {
        name: value
        for name, value in os.environ.items()
        if (name.startswith(_FORWARDED_PREFIXES) or name.endswith(_FORWARDED_SUFFIXES)) and name not in _NOT_FORWARDED
    }


def enter(setup: WorkerSetup) -> None:
    """Make this process like the command's: folder, modules, catalogue, plugins, limits.

    Raises: ConfigError if the folder does not exist, or something cannot be registered.
    """
    from helm.benchmark.catalogue.catalogue_setup import register_catalogue
    from helm.clients.pacing.limiter import set_max_in_flight

    if setup.working_directory is not None:
        try:
            os.chdir(setup.working_directory)
        except OSError as e:
            raise ConfigError(
                f"The machine {os.uname().nodename} cannot enter the folder {setup.working_directory}: {e.strerror}. All "
                "machines of a cluster must see the folder in which the command is started, at the same path."
            ) from e
    sys.path.extend(path for path in setup.import_path if path not in sys.path and os.path.isdir(path))
    register_catalogue(setup.catalogue)
    set_max_in_flight(setup.max_in_flight or setup.settings.max_in_flight)
