"""Checks, before a run sends anything, whether the endpoint can do what its requests need."""

import json
import os
import threading
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.model_deployment_registry import ModelDeployment, get_model_deployment
from helm.benchmark.run_spec import RunSpec
from helm.clients.capability_names import (
    EMBEDDINGS,
    IMAGES,
    INSTEAD,
    LOGPROBS,
    MESSAGES,
    NEEDS,
    PROMPT_LOGPROBS,
    SOUNDS,
    WANTS,
)
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig
from helm.common.errors import ConfigError, HelmError
from helm.common.files import write_text_atomically
from helm.common.hierarchical_logger import hdebug, hwarn
from helm.common.media_object import AUDIO_TYPE, IMAGE_TYPE
from helm.common.request import Request

if TYPE_CHECKING:
    from helm.clients.capabilities import Capabilities, Capability
    from helm.clients.client import Client

FILE_NAME = "capabilities.json"
_VALID_S = 7 * 24 * 3600.0
"""A supported ability is remembered for a week; a missing one is probed again by the next command."""

_ASKED = (MESSAGES, LOGPROBS, PROMPT_LOGPROBS, IMAGES, EMBEDDINGS)
"""Abilities that are probed. Text is not: the first request shows whether it works."""

MEDIA = {IMAGES: "vlm", SOUNDS: "audiolm"}
"""For media, the group of the models in the catalogue that take them."""


class CapabilityChecker:
    """Finds runs that cannot work, with as few requests as possible.

    What a client says it lacks is believed. Otherwise, one request of a token or two is sent per endpoint, model and ability
    other than text and sounds, once a week. Models in this process and deployments with declared capabilities are not probed.

    Args:
        client: finds the client of a deployment; any object with AutoClient's `credentials` and `file_storage_path`.
        local_path: folder of the file that records what endpoints can do.
    """

    def __init__(self, client: Any, local_path: str):
        self._auto_client = client
        self._path = os.path.join(local_path, FILE_NAME)
        self._lock = threading.Lock()
        self._found: dict[str, dict[str, Capability]] = {}
        self._described: dict[str, Capabilities] = {}
        self._asking_client: Any | None = None
        self._warned: set[str] = set()

    def check_method(self, run_spec: RunSpec) -> None:
        """Check the adapter method before data are read. Raises: ConfigError that says what is missing and what to do."""
        method = run_spec.adapter_spec.method
        need = NEEDS.get(method)
        if need in _ASKED and need != IMAGES:  # a multimodal run may contain only audio
            self._check(run_spec, str(need))
            self._warn_of_unknown(run_spec, str(need))
        wish = WANTS.get(method)
        if wish is not None:
            missing = self._missing(run_spec, wish)
            if missing is not None:
                hwarn(
                    f"Run '{run_spec.name}': the method {method} makes finer distinctions with {wish}, which "
                    f"{run_spec.adapter_spec.model_deployment} does not give: {missing.reason}. Equal answers are tied."
                )

    def lacks(self, run_spec: RunSpec, need: str) -> bool:
        """Return whether the run's endpoint is known not to give something, which is probed if it may be."""
        return self._missing(run_spec, need) is not None

    def check_requests(self, run_spec: RunSpec, states: Iterable[RequestState]) -> None:
        """Check the requests before any is sent. Raises: ConfigError, like `check_method`."""
        needs, max_tokens = needs_of(state.request for state in states)
        for need in needs:
            self._check(run_spec, need)
        deployment = get_model_deployment(run_spec.adapter_spec.model_deployment)
        length = (deployment.capabilities or {}).get("context_length")
        described = self._described.get(deployment.name)
        if length is None and described is not None:
            length = described.context_length
        # The prompt needs at least one token of the context too.
        if length is not None and max_tokens >= length:
            from helm.clients.capabilities import flag_for

            raise ConfigError(
                f"Run '{run_spec.name}' requests answers of up to {max_tokens} tokens, and {deployment.name} has a context "
                f"of {length} tokens for prompt and answer together. Nothing was sent. Lower max_tokens."
                + _behind(flag_for("context length", described.server if described else None))
            )

    def _check(self, run_spec: RunSpec, need: str) -> None:
        missing = self._missing(run_spec, need)
        if missing is None:
            return
        from helm.clients.capabilities import flag_for

        method, name = run_spec.adapter_spec.method, run_spec.adapter_spec.model_deployment
        described = self._described.get(name)
        other = INSTEAD.get(method)
        instead = ""
        if need in MEDIA:
            instead = f"model={MEDIA[need]} stands for the models in the catalogue that take them."
        elif other and NEEDS.get(other) != need:
            instead = f"The method {other} needs no {need}: say method={other} in the entry."
        is_taken = "take" if need in MEDIA else "give"
        raise ConfigError(
            f"Run '{run_spec.name}': the adapter method {method} needs {need}, which {name} does not {is_taken}: "
            f"{missing.reason.rstrip('.')}. None of its requests was sent."
            + _behind(flag_for(need, described.server if described else None))
            + _behind(instead)
            + " If this is wrong, say what it can do under capabilities of the deployment, or use --no-probe."
        )

    def _warn_of_unknown(self, run_spec: RunSpec, need: str) -> None:
        """Name the alternative before requests are retried in vain."""
        method, name = run_spec.adapter_spec.method, run_spec.adapter_spec.model_deployment
        capability, other = self._found.get(name, {}).get(need), INSTEAD.get(method)
        if capability is None or capability.works is not None or other is None:
            return
        key = f"{name} {method}"
        if key not in self._warned:
            self._warned.add(key)
            hwarn(
                f"Run '{run_spec.name}': whether {name} gives {need} could not be found out: "
                f"{capability.reason.rstrip('.')}. If its requests fail, method={other} in the entry needs none."
            )

    def _missing(self, run_spec: RunSpec, need: str) -> "Capability | None":
        """Return what the endpoint is known not to support. None if nothing is missing."""
        try:
            deployment = get_model_deployment(run_spec.adapter_spec.model_deployment)
        except HelmError:
            return None  # the first request reports the problem
        if deployment.capabilities is not None:
            from helm.clients.capabilities import declared_capabilities

            capability = declared_capabilities(deployment.name, deployment.capabilities).get(need)
        else:
            with self._lock:
                capability = self._ask(deployment, need)
        return capability if capability is not None and capability.works is False else None

    def _ask(self, deployment: ModelDeployment, need: str) -> "Capability | None":
        from helm.clients.capabilities import Capability, probe
        from helm.clients.http.http_client import HTTPClient

        found = self._found.setdefault(deployment.name, {})
        if need in found:
            return found[need]
        try:
            client = self._get_client(deployment.name)
        except HelmError:
            return None
        if need in client.lacks:
            found[need] = Capability(need, False, client.lacks[need])
            return found[need]
        # Only an HTTP client has an endpoint that can be probed.
        if not isinstance(client, HTTPClient) or need not in _ASKED:
            return None  # in this process, or a plugin's client without HTTP
        key = f"{deployment.name} {client.endpoint.public_url}"
        remembered = _read(self._path)
        if remembered.get(key, {}).get(need, 0.0) > time.time() - _VALID_S:
            found[need] = Capability(need, True)
            return found[need]
        described = probe(client, str(deployment.model_name), deployment.name, [need])
        self._described[deployment.name] = described
        capability = found[need] = described.capabilities[0]
        hdebug(f"{deployment.name}: {need}: {capability.works} {capability.reason}")
        if capability.works:
            remembered.setdefault(key, {})[need] = int(time.time())
            _write(self._path, remembered)
        return capability

    def _get_client(self, deployment_name: str) -> "Client":
        """Return a client without a cache, so that the endpoint itself answers."""
        from helm.clients.auto_client import AutoClient

        if self._asking_client is None:
            auto_client = self._auto_client
            self._asking_client = AutoClient(
                auto_client.credentials, auto_client.file_storage_path, BlackHoleCacheBackendConfig()
            )
        return self._asking_client.get_client(deployment_name)


def needs_of(requests: Iterable[Any]) -> tuple[list[str], int]:
    """Return the abilities that the requests need besides text, and the largest number of tokens they ask for."""
    needs, most = set(), 0
    for request in requests:
        if not isinstance(request, Request):
            continue
        most = max(most, request.max_tokens)
        if request.echo_prompt and request.max_tokens == 0:
            needs.add(PROMPT_LOGPROBS)
        if request.messages:
            needs.add(MESSAGES)
        if request.embedding:
            needs.add(EMBEDDINGS)
        media = request.multimodal_prompt.media_objects if request.multimodal_prompt is not None else []
        for media_type, need in ((IMAGE_TYPE, IMAGES), (AUDIO_TYPE, SOUNDS)):
            if any(part.is_type(media_type) for part in media):
                needs.add(need)
    return sorted(needs), most


def _behind(text: str) -> str:
    return f" {text}" if text else ""


def _read(path: str) -> dict[str, dict[str, float]]:
    """Read the recorded abilities: endpoint -> ability -> when it was found to work. A damaged file counts as empty."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except (OSError, ValueError):
        return {}
    if not isinstance(content, dict):
        return {}
    return {
        key: {name: at for name, at in value.items() if isinstance(at, (int, float))}
        for key, value in content.items()
        if isinstance(value, dict)
    }


def _write(path: str, remembered: Mapping[str, Mapping[str, float]]) -> None:
    try:
        write_text_atomically(path, json.dumps(remembered, indent=2, sort_keys=True))
    except OSError as e:
        hwarn(f"{path}: cannot be written ({e.strerror}); endpoints will be asked again what they can do.")
