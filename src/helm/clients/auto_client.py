"""Finds the client of the deployment that a request names."""

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from helm.clients.client import CachingClient, Client
from helm.clients.http.address_keys import key_from_credentials, key_from_environment
from helm.common.budgets.spending import get_ledger
from helm.common.cache_backend_config import CacheBackendConfig
from helm.common.credentials_utils import provide_api_key
from helm.common.errors import ConfigError, HelmError
from helm.common.hierarchical_logger import hwarn
from helm.common.object_spec import create_object, inject_object_spec_args
from helm.common.request import REFUSED, ErrorFlags, Request, RequestResult
from helm.common.telemetry.progress import request_observer
from helm.proxy.retry import NonRetriableException, RetryError, retry_request
from helm.tokenizers.auto_tokenizer import AutoTokenizer

if TYPE_CHECKING:
    from helm.benchmark.model_deployment_registry import ModelDeployment

OPENAI_COMPATIBLE_PREFIX = "openai-compat"
"""The host part of deployments that are named by the address of a server."""


class AuthenticationError(NonRetriableException):
    """The provider rejects the key."""


class _PlainClient(Client):
    """Wraps a plugin's object that has `make_request` but is not a `Client`."""

    def __init__(self, make_request: Callable[[Request], RequestResult]):
        self._make_request = make_request

    def make_request(self, request: Request) -> RequestResult:
        return self._make_request(request)


class AutoClient(Client):
    """Creates one client per deployment from its `client_spec` on first use, and retries requests.

    Args:
        credentials: read only when a client needs one of them.
        file_storage_path: the folder for lock files and for media that clients receive.
        cache_backend_config: where responses are cached, in one shard per host organization.
    """

    def __init__(
        self, credentials: Mapping[str, Any], file_storage_path: str, cache_backend_config: CacheBackendConfig
    ):
        self.credentials = credentials
        self.file_storage_path = file_storage_path
        self.cache_backend_config = cache_backend_config
        self.clients: dict[str, Client] = {}
        self._auto_tokenizer = AutoTokenizer(credentials, cache_backend_config)
        self._lock = threading.RLock()

    def get_client(self, model_deployment_name: str) -> Client:
        """Return the client of a deployment.

        Raises:
            ModelDeploymentNotFoundError: There is no such deployment.
            ConfigError: The deployment's client cannot be created.
        """
        client = self.clients.get(model_deployment_name)
        if client is None:
            with self._lock:
                client = self.clients.get(model_deployment_name)
                if client is None:
                    client = self.clients[model_deployment_name] = self._create(model_deployment_name)
        return client

    _get_client = get_client

    def _create(self, name: str) -> Client:
        from helm.benchmark.model_deployment_registry import get_model_deployment

        deployment = get_model_deployment(name)
        host = deployment.host_organization
        tokenizer_name = deployment.tokenizer_name or deployment.name
        constants = {
            "cache_config": self.cache_backend_config.get_cache_config(host),
            "model_name": deployment.model_name,
            "tokenizer_name": deployment.tokenizer_name,
        }
        providers: dict[str, Callable[[], Any]] = {
            "api_key": lambda: self._provide_api_key(deployment),
            "tokenizer": lambda: self._auto_tokenizer.get_tokenizer(tokenizer_name),
            "org_id": lambda: self._organization_id(host),
            "base_url": lambda: self.credentials.get(f"{host}BaseUrl"),
            "project_id": lambda: self.credentials.get(f"{host}ProjectId"),
            "location": lambda: self.credentials.get(f"{host}Location"),
            "endpoint": lambda: self.credentials.get(f"{host}Endpoint"),
            "hf_auth_token": lambda: self.credentials.get("huggingfaceAuthToken"),
            "moderation_api_client": self.get_moderation_api_client,
            "lock_file_path": lambda: os.path.join(self.file_storage_path, f"{host}.lock"),
            "file_cache": lambda: self._get_file_cache(host),
            "end_of_text_token": lambda: self._end_of_text_token(tokenizer_name),
        }
        try:
            client = create_object(inject_object_spec_args(deployment.client_spec, constants, providers))
        except HelmError as e:
            raise ConfigError(f"Model deployment '{name}': {e}") from e
        except (ImportError, AttributeError, TypeError, ValueError) as e:
            error = ConfigError(f"Model deployment '{name}': cannot make {deployment.client_spec.class_name}: {e}")
            if isinstance(e, ModuleNotFoundError) and str(e.name).startswith("helm.clients."):
                error = ConfigError(
                    f"Model deployment '{name}': this version has no client {deployment.client_spec.class_name}. A service "
                    f"with an OpenAI-compatible address is reached by model={OPENAI_COMPATIBLE_PREFIX}/NAME@URL."
                )
            raise error from e
        if not callable(getattr(client, "make_request", None)):
            raise ConfigError(
                f"Model deployment '{name}': {deployment.client_spec.class_name} is not a client of language models: "
                "it has no method make_request."
            )
        has_address = host != OPENAI_COMPATIBLE_PREFIX and "base_url" in deployment.client_spec.args
        if has_address and isinstance(client, CachingClient):
            client.reads_keys_without_address = _is_only_address_of_its_model(deployment)
        return client if isinstance(client, Client) else _PlainClient(client.make_request)

    def _organization_id(self, host: str) -> Any:
        """Return the credential; for OpenAI also by the name in HELM's user documentation."""
        value = self.credentials.get(f"{host}OrgId")
        return self.credentials.get("openApiOrgId") if value is None and host == "openai" else value

    def _provide_api_key(self, deployment: "ModelDeployment") -> str | None:
        """Return the key of a deployment, None to let the client find one, or an empty string for no key at all.

        Self-hosted servers rarely require a key, so a missing one is not reported. An address in the name of a deployment is
        not from the catalogue, and gets no key that is meant for another address.
        """
        from helm.benchmark.model_deployment_registry import DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT

        name, host = deployment.name, deployment.host_organization
        if host != OPENAI_COMPATIBLE_PREFIX:
            return provide_api_key(self.credentials, host, name)
        is_registered = name in DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT
        address = "" if is_registered else str(deployment.client_spec.args.get("base_url"))
        key = key_from_credentials(self.credentials, address) or self.credentials.get(f"{host}ApiKey")
        key = key or (self.credentials.get("deployments") or {}).get(name)
        if key is not None:
            return str(key)
        return None if is_registered else key_from_environment(address) or ""

    @staticmethod
    def _end_of_text_token(tokenizer_name: str) -> str | None:
        from helm.benchmark.tokenizer_config_registry import get_tokenizer_config

        config = get_tokenizer_config(tokenizer_name)
        if config is None:
            raise ValueError(f"Could not find tokenizer config for {tokenizer_name}")
        return config.end_of_text_token

    def _get_file_cache(self, host: str) -> Any:
        from helm.common.file_caches.local_file_cache import LocalFileCache

        return LocalFileCache(os.path.join(self.file_storage_path, "output", host), file_extension="png")

    def make_request(self, request: Request) -> RequestResult:
        """Send a request with the deployment's client. Exceptions of the client's last attempt are passed on."""
        observer = request_observer()
        return self._make_request(request)[0] if observer is None else observer.watch(request, self._make_request)

    def _make_request(self, request: Request) -> tuple[RequestResult, float | None]:
        """Return the result and its cost in US dollars, if that is known."""
        client = self.get_client(request.model_deployment)
        reason = client.why_not(request) if request.options is not None else None
        if reason is not None:
            return _refuse(reason), None
        ledger = get_ledger()
        with ledger.paying(request):
            result = self._ask(client, request)
            cost = ledger.record(request.model_deployment, result)
        if request.options is None:
            return result, cost
        from helm.clients.protocols.thinking import separate_thinking

        return separate_thinking(request, result), cost

    def _ask(self, client: Client, request: Request) -> RequestResult:
        if client.retries_requests:
            return client.make_request(request)
        get_ledger().check()
        try:
            return retry_request(client.make_request)(request)
        except RetryError as e:
            message = (
                f"Failed to make request to {request.model_deployment} after retrying {e.attempts} times. "
                f"Error: {e.last_result.error}"
            )
            hwarn(message)
            return replace(e.last_result, error=message)

    # --- side services ------------------------------------------------------------------------------------------------

    def _side_client(self, service: str, class_name: str, *args: Any) -> Any:
        """Create the client of a side service. Raises ConfigError if this installation has none."""
        from helm.common.object_spec import get_class_by_name

        try:
            try:
                client_class = get_class_by_name(class_name)
            except AttributeError as e:
                raise ConfigError(f"{service} is not available in this version: {e}") from e
            return client_class(*args)
        except ModuleNotFoundError as e:
            raise ConfigError(f"{service} is not available: there is no module {e.name}.") from e

    def get_moderation_api_client(self) -> Any:
        return self._side_client(
            "The OpenAI moderation service",
            "helm.clients.moderation_api_client.ModerationAPIClient",
            self.credentials.get("openaiApiKey", ""),
            self.cache_backend_config.get_cache_config("ModerationAPI"),
            *([self.credentials["openaiBaseUrl"]] if self.credentials.get("openaiBaseUrl") else []),
        )

    def get_toxicity_classifier_client(self) -> Any:
        return self._side_client(
            "The Perspective API",
            "helm.clients.perspective_api_client.PerspectiveAPIClient",
            self.credentials.get("perspectiveApiKey", ""),
            self.cache_backend_config.get_cache_config("perspectiveapi"),
        )

    def get_gcs_client(self) -> Any:
        return self._side_client(
            "Google Cloud Storage",
            "helm.clients.gcs_client.GCSClient",
            self.credentials.get("gcsBucketName"),
            self.cache_backend_config.get_cache_config("gcs"),
        )

    def get_nudity_check_client(self) -> Any:
        return self._side_client(
            "The nudity check",
            "helm.clients.image_generation.nudity_check_client.NudityCheckClient",
            self.cache_backend_config.get_cache_config("nudity"),
        )

    def get_clip_score_client(self) -> Any:
        return self._side_client(
            "The CLIP score",
            "helm.clients.clip_score_client.CLIPScoreClient",
            self.cache_backend_config.get_cache_config("clip_score"),
        )

    def get_critique_client(self) -> Any:
        """Return the client that the credential `critiqueType` names. Raises ConfigError for an unknown type."""
        kinds: dict[str, Any] = {
            "random": ("RandomCritiqueClient", []),
            "mturk": ("MechanicalTurkCritiqueClient", []),
            "surgeai": ("SurgeAICritiqueClient", ["surgeaiApiKey"]),
            "model": ("ModelCritiqueClient", ["critiqueModelName"]),
            "files": ("FileCritiqueClient", ["critiqueFolder"]),
            "scale": ("ScaleCritiqueClient", ["scaleApiKey", "scaleProject"]),
        }
        kind = self.credentials.get("critiqueType")
        if kind not in kinds:
            raise ConfigError(f"Credential critiqueType takes one of {', '.join(kinds)}, not {kind!r}.")
        class_name, keys = kinds[kind]
        missing = [key for key in keys if key not in self.credentials]
        if missing:
            raise ConfigError(f"Critiques by '{kind}' need the credentials {', '.join(missing)}.")
        args = [self.credentials[key] for key in keys]
        if kind == "model":
            args.insert(0, self)
        module = "file_critique_client" if kind == "files" else "critique_clients"
        return self._side_client(f"Critique by '{kind}'", f"helm.clients.{module}.{class_name}", *args)


def _refuse(reason: str) -> RequestResult:
    return RequestResult(
        success=False,
        cached=False,
        completions=[],
        embedding=[],
        error=f"{reason}.",
        error_flags=ErrorFlags(is_retriable=False, is_fatal=True),
        outcome=REFUSED,
    )


def _is_only_address_of_its_model(deployment: "ModelDeployment") -> bool:
    """Return whether an answer cached without an address can only come from this deployment.

    HELM's keys have no address, so its answers are not used if another deployment with the same cache, or an earlier
    registration of this one, uses a model of that name at another address.
    """
    from helm.benchmark.model_deployment_registry import ALL_MODEL_DEPLOYMENTS

    address = _address(deployment)
    return bool(address) and not any(
        other.host_organization == deployment.host_organization
        and _address(other) != address
        and _possible_model_names(other) & _possible_model_names(deployment)
        for other in ALL_MODEL_DEPLOYMENTS
    )


def _address(deployment: "ModelDeployment") -> str:
    """Return the catalogue's `base_url`; empty for the provider's own or one from credentials or the environment."""
    return str(deployment.client_spec.args.get("base_url") or "").rstrip("/")


def _possible_model_names(deployment: "ModelDeployment") -> set[str]:
    """Return the names that the deployment's requests may use for the model."""
    args = deployment.client_spec.args
    given = {str(args[name]) for name in args if name.endswith("model_name") and args[name]}
    names = (deployment.name, deployment.model_name or deployment.name)
    return given or {part for name in names for part in (name, name.partition("/")[2])}
