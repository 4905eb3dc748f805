"""Compares instances and requests with images, sounds and videos with those of `helm-vision-audio/fixtures_*.json`."""

from dataclasses import asdict, replace
from typing import Any


def _shown(content: Any, folder: str) -> list[dict[str, str]]:
    return [
        {name: value.replace(folder, "") for name, value in media.to_dict().items()}
        for media in (content.media_objects if content is not None else [])
    ]


def parts_of(input: Any, folder: str) -> list[dict[str, str]]:
    """The parts of an input, with locations below the scenario's cache folder."""
    return _shown(input.multimedia_content, folder)


def references_of(instance: Any, folder: str) -> list[Any]:
    """`[text, tags]`, or `[{text, multimedia}, tags]`; fields of a subclass follow."""
    result = []
    for reference in instance.references:
        media = _shown(reference.output.multimedia_content, folder)
        text = reference.output.text.replace(folder, "")
        shown: list[Any] = [{"text": text, "multimedia": media} if media else text, list(reference.tags)]
        more = {name: value for name, value in asdict(reference).items() if name not in ("output", "tags")}
        result.append([*shown, more] if more else shown)
    return result


def check_requests(case: dict[str, Any], run_spec: Any, instances: list[Any], folder: str) -> None:
    """The first requests, as the adapter makes them for a text model."""
    from helm.benchmark.adaptation.adapters.adapter_factory import AdapterFactory
    from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
    from helm.benchmark.scenarios.scenario import with_instance_ids
    from helm.benchmark.window_services.tokenizer_service import TokenizerService
    from helm.common.local_context import LocalContext

    register_builtin_configs_from_helm_package()
    spec = replace(run_spec.adapter_spec, model="simple/model1", model_deployment="simple/model1")
    adapter = AdapterFactory.get_adapter(spec, TokenizerService(LocalContext("prod_env")))
    states = adapter.adapt(with_instance_ids(instances), 1)
    for state, expected in zip(states, case["requests"], strict=False):
        assert _shown(state.request.multimodal_prompt, folder) == expected["multimodal_prompt"]
        assert state.request.prompt == "" and (state.output_mapping or {}) == (expected.get("output_mapping") or {})
