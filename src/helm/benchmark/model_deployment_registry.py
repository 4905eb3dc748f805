"""How each subject is reached: maps the name of a deployment to its client, tokenizer and window.

A name that nobody registered may be understood by a generator: a function registered for the name's first part, found
in the package `helm.benchmark.model_deployments`.
"""

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from helm.benchmark.model_metadata_registry import (
    MODEL_NAME_TO_MODEL_METADATA,
    ModelMetadata,
    get_unknown_model_metadata,
    register_model_metadata,
)
from helm.common.errors import ConfigError, suggest
from helm.common.hierarchical_logger import hlog, hwarn
from helm.common.object_spec import ObjectSpec, get_class_by_name

if TYPE_CHECKING:
    from helm.clients.client import Client


class ModelDeploymentNotFoundError(ConfigError):
    """No deployment has this name and no generator understands it."""


@dataclass(frozen=True)
class ClientSpec(ObjectSpec):
    """Says how to create a client."""

    __hash__ = ObjectSpec.__hash__


@dataclass(frozen=True)
class WindowServiceSpec(ObjectSpec):
    """Says how to create a window service."""

    __hash__ = ObjectSpec.__hash__


@dataclass(frozen=True)
class ModelDeployment:
    """One way to reach a subject. All lengths are in tokens; None means unlimited or unknown."""

    name: str
    """`host/model`, `host/creator/model`, or any other name with such a prefix."""

    client_spec: ClientSpec
    """The client. For tools and compilers, the object that the executor talks to."""

    model_name: str | None = None
    """Name of the subject. If empty, the name of the deployment."""

    tokenizer_name: str | None = None
    """Name of the tokenizer. None selects the one with the deployment's name, if there is one."""

    window_service_spec: WindowServiceSpec | None = None
    """The window service. None selects it by the tokenizer."""

    max_sequence_length: int | None = None
    """Maximum length of a prompt."""

    max_request_length: int | None = None
    """Maximum length of prompt plus completion. None means `max_sequence_length`."""

    max_sequence_and_generated_tokens_length: int | None = None
    """Maximum length of prompt plus completion that the model's positions allow."""

    deprecated: bool = False
    """A deprecated deployment is used only if named explicitly, or if the model has no other."""

    prefix_cache: bool | None = None
    """True if the server caches prompt prefixes. The first of several requests with a long common prefix is then
    answered before the others are sent."""

    capabilities: dict[str, Any] | None = field(default=None, hash=False)
    """Declared abilities of the endpoint: `text`, `messages`, `logprobs`, `prompt_logprobs`, `images`, `tools`,
    `embeddings` (true or false) and `context_length` (tokens). With None, the endpoint is probed when a run depends on
    an ability."""

    batch_api: bool | None = None
    """Whether requests are sent as batches. None leaves it to the command."""

    resources: dict[str, float] | None = field(default=None, hash=False)
    """What a worker of a cluster needs to serve this deployment: `num_cpus`, `num_gpus`, `memory_gb`, and custom Ray
    resources by name. Such a worker serves only this deployment and keeps its model loaded. None means one CPU of a
    general worker."""

    def __post_init__(self) -> None:
        if not self.model_name:
            object.__setattr__(self, "model_name", self.name)

    @property
    def host_organization(self) -> str:
        """The first part of the name: selects the cache shard and the credentials."""
        return self.name.split("/")[0]

    @property
    def engine(self) -> str:
        """The second part of the name. Raises: IndexError if there is none."""
        return self.name.split("/")[1]


@dataclass(frozen=True)
class ModelDeployments:
    """The content of `model_deployments.yaml`."""

    model_deployments: list[ModelDeployment]


ALL_MODEL_DEPLOYMENTS: list[ModelDeployment] = []
"""Every registration, in order."""

DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT: dict[str, ModelDeployment] = {}
"""The latest registration of each name."""


# ---- Reading YAML. Values are coerced as the original's loader does: '12' is 12, 1 is true, a number is text.

_SPEC_FIELDS = {"client_spec": ClientSpec, "window_service_spec": WindowServiceSpec}
_INT_FIELDS = ("max_sequence_length", "max_request_length", "max_sequence_and_generated_tokens_length")


def register_model_deployments_from_path(path: str) -> None:
    """Register the `model_deployments` of a YAML file; unknown keys are ignored.

    Raises: ConfigError with the file and the path of what is wrong; nothing is registered then.
    """
    from helm.common.formats.json_lines_yaml import read_items

    for deployment in read_items(path, "model_deployments", ModelDeployment, read_model_deployment):
        register_model_deployment(deployment)


def read_model_deployment(raw: Any, where: str) -> ModelDeployment:
    """Build a deployment from plain values; error messages begin with `where`."""
    if not isinstance(raw, dict):
        raise ConfigError(f"{where}: expected a mapping, got {raw!r}.")
    missing = [key for key in ("name", "client_spec") if raw.get(key) is None]
    if missing:
        named = f" (deployment '{raw['name']}')" if raw.get("name") else ""
        raise ConfigError(f"{where}{named}: {' and '.join(missing)} missing.")
    where = f"{where} (deployment '{raw['name']}')"
    values: dict[str, Any] = {"name": str(raw["name"])}
    for key in ("model_name", "tokenizer_name"):
        if raw.get(key) is not None:
            values[key] = str(raw[key])
    for key, spec_class in _SPEC_FIELDS.items():
        if raw.get(key) is not None:
            values[key] = read_object_spec(raw[key], spec_class, f"{where}: {key}")
    for key in _INT_FIELDS:
        if raw.get(key) is not None:
            values[key] = _read_int(raw[key], f"{where}: {key}")
    for key in ("deprecated", "prefix_cache", "batch_api"):
        if raw.get(key) is not None:
            values[key] = bool(raw[key])
    if raw.get("capabilities") is not None:
        values["capabilities"] = _read_capabilities(raw["capabilities"], f"{where}: capabilities")
    if raw.get("resources") is not None:
        values["resources"] = _read_resources(raw["resources"], f"{where}: resources")
    return ModelDeployment(**values)


def _read_capabilities(raw: Any, where: str) -> dict[str, Any]:
    from helm.clients.capability_names import DECLARED_NAMES

    if not isinstance(raw, dict):
        raise ConfigError(f"{where}: expected a mapping, got {raw!r}.")
    for name, value in raw.items():
        if name not in DECLARED_NAMES:
            raise ConfigError(
                f"{where}: unknown name '{name}'; there are {', '.join(DECLARED_NAMES)}.{suggest(str(name), DECLARED_NAMES)}"
            )
        is_right = isinstance(value, bool)
        if name == "context_length":
            is_right = isinstance(value, int) and not isinstance(value, bool) and value > 0
        if not is_right:
            expected = "a number of tokens" if name == "context_length" else "true or false"
            raise ConfigError(f"{where}: {name}: expected {expected}, got {value!r}.")
    return raw


def read_object_spec(raw: Any, spec_class: Callable[..., Any], where: str) -> Any:
    """Build an object spec from `class_name` and an optional mapping `args`."""
    if not isinstance(raw, dict) or raw.get("class_name") is None:
        raise ConfigError(f"{where}: expected a mapping with the key class_name, got {raw!r}.")
    args = raw.get("args", {})
    if not isinstance(args, dict):
        raise ConfigError(f"{where}: args: expected a mapping, got {args!r}.")
    return spec_class(class_name=str(raw["class_name"]), args={str(key): value for key, value in args.items()})


def _read_resources(raw: Any, where: str) -> dict[str, float]:
    if not isinstance(raw, dict):
        raise ConfigError(f"{where}: expected a mapping such as {{num_gpus: 1}}, got {raw!r}.")
    for key, value in raw.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
            raise ConfigError(f"{where}: {key}: expected a number that is not negative, got {value!r}.")
    return {str(key): float(value) for key, value in raw.items()}


def _read_int(value: Any, where: str) -> int:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        raise ConfigError(f"{where}: expected a whole number, got {value!r}.") from None


# ---- Registering and looking up


def register_model_deployment(model_deployment: ModelDeployment) -> None:
    """Register a deployment and add its name to its model's metadata, which is created if missing."""
    ALL_MODEL_DEPLOYMENTS.append(model_deployment)
    DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT[model_deployment.name] = model_deployment
    metadata = _metadata_or_placeholder(model_deployment)
    if model_deployment.name not in (metadata.deployment_names or [metadata.name]):
        if metadata.deployment_names is None:
            metadata.deployment_names = []
        metadata.deployment_names.append(model_deployment.name)


def _metadata_or_placeholder(model_deployment: ModelDeployment) -> ModelMetadata:
    model_name = model_deployment.model_name or model_deployment.name
    metadata = MODEL_NAME_TO_MODEL_METADATA.get(model_name)
    if metadata is None:
        hwarn(
            f"No metadata for model {model_name} of deployment {model_deployment.name}; using a placeholder. "
            "Add the model to model_metadata.yaml."
        )
        metadata = get_unknown_model_metadata(model_name)
        register_model_metadata(metadata)
    return metadata


def get_model_deployment(name: str, warn_deprecated: bool = False) -> ModelDeployment:
    """Return the registered deployment with this name, or the one that a generator builds for it.

    Raises: ModelDeploymentNotFoundError when there is neither; its note offers the nearest name.
    """
    deployment = DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT.get(name) or _generate_model_deployment(name)
    if deployment is None:
        error = ModelDeploymentNotFoundError(f"Model deployment {name} not found")
        hint = suggest(name, DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT).strip()
        if hint:
            error.add_note(hint)
        raise error
    if deployment.deprecated and warn_deprecated:
        hwarn(f"Model deployment {name} is deprecated")
    return deployment


def find_model_deployment(name: str) -> ModelDeployment | None:
    """Like `get_model_deployment`, but returns None if there is no such deployment."""
    try:
        return get_model_deployment(name)
    except ModelDeploymentNotFoundError:
        return None


def waits_for_endpoint(name: str) -> bool:
    """Whether the requests to a deployment go to a server that sets the pace.

    The client is not created, so none of its dependencies are needed. Returns False if the deployment or the class of
    its client is unknown; the run itself reports that.
    """
    client_class = _find_client_class(name)
    return client_class is not None and client_class.waits_for_endpoint


def can_lack_abilities(name: str) -> bool:
    """Whether it can be known what a deployment cannot do: it or its client says so, or a server can be asked."""
    deployment = find_model_deployment(name)
    if deployment is None or deployment.capabilities is not None:
        return deployment is not None
    client_class = _find_client_class(name)
    return client_class is not None and bool(client_class.waits_for_endpoint or client_class.lacks)


def _find_client_class(name: str) -> "type[Client] | None":
    from helm.clients.client import Client

    try:
        client_class = get_class_by_name(get_model_deployment(name).client_spec.class_name)
    except (ValueError, ImportError, AttributeError):
        return None
    return client_class if isinstance(client_class, type) and issubclass(client_class, Client) else None


def wants_batches(name: str, command: bool | None) -> bool:
    """Whether to send requests to a deployment as batches. `command` is the command's setting, or None.

    `batch_api: false` of the deployment, and False of the command, go before all else.
    """
    if command is False:
        return False
    deployment = find_model_deployment(name)
    said = None if deployment is None else deployment.batch_api
    return bool(command) if said is None else said


def get_model_deployment_host_organization(name: str) -> str:
    return get_model_deployment(name).host_organization


def get_default_model_deployment_for_model(
    model_name: str, warn_arg_deprecated: bool = False, ignore_deprecated: bool = False
) -> str | None:
    """Return the name of the default deployment of a model, or None.

    The last registered one that is not deprecated; if all are, the last one, or None with `ignore_deprecated`.
    A model without registered deployments uses the one with its own name, if registered or generated.
    """
    candidates = _deployments_of(model_name)
    current = [deployment for deployment in candidates if not deployment.deprecated]
    if current:
        return current[-1].name
    if candidates:
        if ignore_deprecated:
            return None
        if warn_arg_deprecated:
            hwarn(f"All deployments of model {model_name} are deprecated; using {candidates[-1].name}")
        return candidates[-1].name
    deployment = find_model_deployment(model_name)
    return deployment.name if deployment else None


def _deployments_of(model_name: str) -> list[ModelDeployment]:
    """Return the registered deployments of a model, in order, from an index that is rebuilt when the list has changed."""
    global _index
    state = (len(ALL_MODEL_DEPLOYMENTS), ALL_MODEL_DEPLOYMENTS[-1] if ALL_MODEL_DEPLOYMENTS else None)
    count, last, by_model = _index
    if count != state[0] or last is not state[1]:
        by_model = {}
        for deployment in ALL_MODEL_DEPLOYMENTS:
            by_model.setdefault(str(deployment.model_name), []).append(deployment)
        _index = (*state, by_model)
    return by_model.get(model_name, [])


_index: tuple[int, ModelDeployment | None, dict[str, list[ModelDeployment]]] = (0, None, {})
"""Length and last item of `ALL_MODEL_DEPLOYMENTS` when the index was built, and the index."""


def get_model_names_with_tokenizer(tokenizer_name: str) -> list[str]:
    """Return the models whose deployments use a tokenizer, one for each deployment."""
    return [str(d.model_name) for d in ALL_MODEL_DEPLOYMENTS if d.tokenizer_name == tokenizer_name]


# ---- Generators

ModelDeploymentGenerator = Callable[[str], ModelDeployment | None]
F = TypeVar("F", bound=ModelDeploymentGenerator)

_PREFIX_TO_GENERATOR: dict[str, ModelDeploymentGenerator] = {}
_discovery_lock = threading.RLock()
_is_discovered = False


def model_deployment_generator(prefix: str) -> Callable[[F], F]:
    """Decorator: the function builds the deployment of any unregistered name that starts with `prefix/`.

    Raises: ValueError when the prefix is taken.
    """
    prefix = prefix.strip("/") + "/"

    def register(generator: F) -> F:
        if prefix in _PREFIX_TO_GENERATOR:
            raise ConfigError(f"A ModelDeploymentGenerator with prefix {prefix} already exists")
        _PREFIX_TO_GENERATOR[prefix] = generator
        return generator

    return register


def discover_model_deployment_generators() -> None:
    """Import the modules of `helm.benchmark.model_deployments`, once."""
    global _is_discovered
    with _discovery_lock:
        if not _is_discovered:
            import helm.benchmark.model_deployments
            from helm.common.commands.plugins import import_all_modules_in_package

            import_all_modules_in_package(helm.benchmark.model_deployments)
            _is_discovered = True


def get_model_deployment_generator(prefix: str) -> ModelDeploymentGenerator:
    """Return the function that builds the deployments of unregistered names with a prefix. Raises: ConfigError."""
    discover_model_deployment_generators()
    generator = _PREFIX_TO_GENERATOR.get(f"{prefix}/")
    if generator is None:
        prefixes = [known.rstrip("/") for known in _PREFIX_TO_GENERATOR]
        raise ConfigError(f"No deployments are made from names that begin with '{prefix}/'.{suggest(prefix, prefixes)}")
    return generator


def _generate_model_deployment(name: str) -> ModelDeployment | None:
    """HELM: every generator with a matching prefix is called, and the last result wins."""
    discover_model_deployment_generators()
    result: ModelDeployment | None = None
    for prefix, generator in list(_PREFIX_TO_GENERATOR.items()):
        if name.startswith(prefix):
            result = generator(name) or result
    if result is not None and name not in _announced:
        _announced.add(name)
        known = result.model_name in MODEL_NAME_TO_MODEL_METADATA
        hint = "" if known else suggest(name, DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT, cutoff=0.8)
        client = result.client_spec.class_name
        hlog(f"Deployment {name} is not registered; made from its name with client {client}.{hint}")
    return result


_announced: set[str] = set()
