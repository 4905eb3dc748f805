"""Language models that are asked by DSPy's modules, with prompts that DSPy has optimised."""

import hashlib
import os
import threading
from functools import cached_property
from typing import Any

from helm.clients.client import CachingClient
from helm.common.cache import CacheConfig
from helm.common.commands.output_path import get_cached_models_path
from helm.common.data.downloads import ensure_downloaded
from helm.common.errors import ConfigError, suggest
from helm.common.optional_dependencies import needs_extra
from helm.common.request import (
    MALFORMED,
    OK,
    SERVER,
    GeneratedOutput,
    Request,
    RequestResult,
    Thinking,
    Usage,
    wrap_request_time,
)
from helm.common.telemetry.progress import current_run
from helm.tokenizers.tokenizer import Tokenizer

MODULES = ("Predict", "ChainOfThought")
"""DSPy's modules that HELM knows."""

_SIGNATURE = "inputs -> output"
_TEMPERATURE = 0.0
_SCENARIO = "{scenario}"
_MAX_AGENT_BYTES = 16 << 20
_LITELLM_NAMES = {"google/": "gemini/"}
"""Beginnings of names of models that LiteLLM, by which DSPy asks, calls otherwise."""


class DSPyClient(CachingClient):
    """Asks a model through a module of DSPy (`pip install 'helm-evals[dspy]'`) with the signature `inputs -> output`.

    The prompt is the input, and the module's `output` is the completion; a chain of thought becomes its `thinking`. As in HELM,
    the temperature is 0, and the request's own temperature, stop sequences and number of tokens have no effect.

    Args:
        cache_config: where responses are cached. DSPy's own cache is not used.
        tokenizer: HELM's argument; not used.
        tokenizer_name: HELM's argument; not used.
        model_name: the model's name in the catalogue.
        dspy_agent_url: address of a module that DSPy has optimised and saved as JSON; `{scenario}` stands for the name of the
            run up to its first colon. None uses the module as it is.
        dspy_module: `Predict` or `ChainOfThought`.
        dspy_api_model: the model as LiteLLM names it; None takes `model_name`.
        dspy_api_base: the address of the API; None takes the provider's.
        api_key: the key of the API; None takes what LiteLLM finds in the environment.

    Raises:
        ConfigError: There is no such module. Requests raise OptionalDependencyNotInstalled without DSPy.
    """

    def __init__(
        self,
        cache_config: CacheConfig,
        tokenizer: Tokenizer | None = None,
        tokenizer_name: str | None = None,
        model_name: str | None = None,
        dspy_agent_url: str | None = None,
        dspy_module: str | None = None,
        dspy_api_model: str | None = None,
        dspy_api_base: str | None = None,
        api_key: str | None = None,
    ):
        super().__init__(cache_config)
        self._module = dspy_module or MODULES[0]
        if self._module not in MODULES:
            raise ConfigError(
                f"dspy_module takes {' or '.join(MODULES)}, not '{dspy_module}'.{suggest(self._module, MODULES)}"
            )
        name = dspy_api_model or model_name or ""
        for begins, instead in _LITELLM_NAMES.items():
            if name.startswith(begins):
                name = instead + name[len(begins) :]
        self._model, self._api_base, self._agent_url = name, dspy_api_base, dspy_agent_url
        self._api_key = api_key
        self._agents: dict[str, tuple[Any, str | None]] = {}
        self._lock = threading.Lock()

    @cached_property
    def _dspy(self) -> Any:
        """The package, which takes seconds to import."""
        # Without these, LiteLLM and DSPy look for newer tables of models on the internet.
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        with needs_extra("dspy"):
            import dspy
        return dspy

    @cached_property
    def _lm(self) -> Any:
        return self._dspy.LM(
            self._model,
            api_base=self._api_base,
            api_key=self._api_key,
            temperature=_TEMPERATURE,
            cache=False,  # answers are kept in the response cache
            num_retries=0,  # the caller tries again
        )

    def make_request(self, request: Request) -> RequestResult:
        agent, digest = self._load_agent_for_scenario()
        raw = {
            "model": self._model,
            "prompt": request.text,
            "dspy_module": self._module,
            "dspy_agent": digest,
            "api_base": self._api_base,
            "num_completions": request.num_completions,
        }
        try:
            response, cached = self.cache.get(
                self.make_cache_key(raw, request), wrap_request_time(lambda: self._ask(agent, request))
            )
        except self._dspy.utils.exceptions.AdapterParseError as e:
            return _failure(f"the answer lacks the fields that DSPy asked for: {e}", MALFORMED)
        except Exception as e:  # whatever LiteLLM raises for the provider at hand
            return _failure(f"{type(e).__name__}: {e}", SERVER)
        completions = [
            GeneratedOutput(
                each["output"], 0.0, [], thinking=Thinking(each["reasoning"]) if each.get("reasoning") else None
            )
            for each in response["completions"]
        ]
        usage = response.get("usage")
        return RequestResult(
            success=True,
            cached=cached,
            completions=completions,
            embedding=[],
            request_time=response["request_time"],
            request_datetime=response["request_datetime"],
            outcome=OK,
            usage=Usage(*usage) if usage else None,
        )

    def _ask(self, agent: Any, request: Request) -> dict[str, Any]:
        """Return the outputs, and the tokens of all calls together."""
        lm, completions = self._lm.copy(), []
        lm.history = []
        with self._dspy.context(lm=lm):
            for _ in range(request.num_completions):
                answer = agent(inputs=request.text)
                completions.append({"output": str(answer.output), "reasoning": getattr(answer, "reasoning", None)})
        usages = [call.get("usage") or {} for call in lm.history]
        tokens = [sum(int(usage.get(name) or 0) for usage in usages) for name in ("prompt_tokens", "completion_tokens")]
        return {"completions": completions, "usage": tokens if any(tokens) else None}

    def _load_agent_for_scenario(self) -> tuple[Any, str | None]:
        """Return the module for the run of this thread, and the hash of its file; None without a file.

        Raises: DownloadError; ConfigError for a file that is no saved module.
        """
        url = self._agent_url
        if url is not None:
            url = url.replace(_SCENARIO, current_run().name.partition(":")[0] or "unknown")
        with self._lock:
            if (url or "") not in self._agents:
                self._agents[url or ""] = self._load(url)
            return self._agents[url or ""]

    def _load(self, url: str | None) -> tuple[Any, str | None]:
        agent = getattr(self._dspy, self._module)(_SIGNATURE)
        if url is None:
            return agent, None
        path = self._get_cache_file(url)
        ensure_downloaded(url, path, max_bytes=_MAX_AGENT_BYTES)
        try:
            agent.load(path)
            with open(path, "rb") as file:
                return agent, hashlib.sha256(file.read()).hexdigest()
        except Exception as e:
            raise ConfigError(f"{path}, from {url}, is no module that DSPy has saved as JSON: {e}") from e

    def _get_cache_file(self, url: str) -> str:
        """Return where the file of an address is kept. It ends in `.json`, so DSPy never reads a pickle."""
        name = f"{hashlib.sha256(url.encode()).hexdigest()[:32]}.json"
        return os.path.join(get_cached_models_path(), "dspy_agents", name)


def _failure(error: str, outcome: str) -> RequestResult:
    return RequestResult(success=False, cached=False, completions=[], embedding=[], error=error, outcome=outcome)
