"""What is known about each subject (language model, AD tool, compiler), by name.

Names are registered in order; a later registration of a name replaces the earlier one in lookups.
"""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from helm.common.errors import ConfigError

TEXT_MODEL_TAG = "TEXT_MODEL_TAG"
IMAGE_MODEL_TAG = "IMAGE_MODEL_TAG"
CODE_MODEL_TAG = "CODE_MODEL_TAG"
EMBEDDING_MODEL_TAG = "EMBEDDING_MODEL_TAG"
FULL_FUNCTIONALITY_TEXT_MODEL_TAG = "FULL_FUNCTIONALITY_TEXT_MODEL_TAG"
LIMITED_FUNCTIONALITY_TEXT_MODEL_TAG = "LIMITED_FUNCTIONALITY_TEXT_MODEL_TAG"
CHATML_MODEL_TAG = "CHATML_MODEL_TAG"
OPENAI_CHATGPT_MODEL_TAG = "OPENAI_CHATGPT_MODEL_TAG"
NOVA_MODEL_TAG = "NOVA_MODEL_TAG"
ANTHROPIC_CLAUDE_1_MODEL_TAG = "ANTHROPIC_CLAUDE_1_MODEL_TAG"
ANTHROPIC_CLAUDE_2_MODEL_TAG = "ANTHROPIC_CLAUDE_2_MODEL_TAG"
ANTHROPIC_CLAUDE_3_MODEL_TAG = "ANTHROPIC_CLAUDE_3_MODEL_TAG"
GOOGLE_PALM_2_MODEL_TAG = "GOOGLE_PALM_2_MODEL_TAG"
GOOGLE_GEMINI_MODEL_TAG = "GOOGLE_GEMINI_MODEL_TAG"
GOOGLE_GEMINI_PRO_VISION_V1_TAG = "GOOGLE_GEMINI_PRO_VISION_V1_TAG"
GOOGLE_GEMMA_INSTRUCT_MODEL_TAG = "GOOGLE_GEMMA_INSTRUCT_MODEL_TAG"
BUGGY_TEMP_0_TAG = "BUGGY_TEMP_0_TAG"
ABLATION_MODEL_TAG = "ABLATION_MODEL_TAG"
NO_NEWLINES_TAG = "NO_NEWLINES_TAG"
NLG_PREFIX_TAG = "NLG_PREFIX_TAG"
INSTRUCTION_FOLLOWING_MODEL_TAG = "INSTRUCTION_FOLLOWING_MODEL_TAG"
TEXT_TO_IMAGE_MODEL_TAG = "TEXT_TO_IMAGE_MODEL_TAG"
VISION_LANGUAGE_MODEL_TAG = "VISION_LANGUAGE_MODEL_TAG"
IDEFICS_INSTRUCT_MODEL_TAG = "IDEFICS_INSTRUCT_MODEL_TAG"
IDEFICS_MODEL_TAG = "IDEFICS_MODEL_TAG"
LLAVA_MODEL_TAG = "LLAVA_MODEL_TAG"
OPEN_FLAMINGO_MODEL_TAG = "OPEN_FLAMINGO_MODEL_TAG"
LIMITED_FUNCTIONALITY_VLM_TAG = "LIMITED_FUNCTIONALITY_VLM_TAG"
FULL_FUNCTIONALITY_VLM_TAG = "FULL_FUNCTIONALITY_VLM_TAG"
AUDIO_LANGUAGE_MODEL_TAG = "AUDIO_LANGUAGE_MODEL_TAG"
DEPRECATED_MODEL_TAG = "DEPRECATED_MODEL_TAG"
UNSUPPORTED_MODEL_TAG = "UNSUPPORTED_MODEL_TAG"

# Subjects that are not language models. The groups of language models select by tag, so they hold none of these.
AD_TOOL_TAG = "AD_TOOL_TAG"
COMPILER_TAG = "COMPILER_TAG"
AGENT_TAG = "AGENT_TAG"


@dataclass
class ModelMetadata:
    """Facts about a subject. Mutable: registering a deployment adds to `deployment_names`."""

    name: str
    """`creator/model`."""

    creator_organization_name: str
    """Name shown to readers."""

    display_name: str
    """Description shown to readers."""

    description: str

    access: str
    """One of `open`, `limited` and `closed`."""

    release_date: date | None = None

    tags: list[str] = field(default_factory=list)
    """Arbitrary words; the `_TAG` constants of this module control groups and automatic rules."""

    num_parameters: int | None = None
    """Number of parameters. None if unknown or not applicable."""

    deployment_names: list[str] | None = None
    """Names of the deployments. None if the only deployment has the model's name."""

    @property
    def creator_organization(self) -> str:
        return self.name.split("/")[0]

    @property
    def engine(self) -> str:
        return self.name.split("/")[1]


@dataclass(frozen=True)
class ModelMetadataList:
    """The content of `model_metadata.yaml`."""

    models: list[ModelMetadata] = field(default_factory=list)


ALL_MODELS_METADATA: list[ModelMetadata] = []
"""Every registration, in order."""

MODEL_NAME_TO_MODEL_METADATA: dict[str, ModelMetadata] = {}
"""The latest registration of each name."""


def register_model_metadata_from_path(path: str) -> None:
    """Register the `models` of a YAML file; does nothing if the file lacks that key.

    Types are strict and unknown keys are ignored. Raises: ConfigError with the file and the path of what is wrong.
    """
    from helm.common.formats.json_lines_yaml import read_json_lines_yaml

    models = read_json_lines_yaml(path, "models", ModelMetadata)
    if models is not None:
        for model in models:
            register_model_metadata(model)
        return
    from helm.common.files import load_yaml

    raw = load_yaml(path)
    if not isinstance(raw, dict):
        raise ConfigError(f"{path}: expected a mapping with the key 'models', got {_describe(raw)}.")
    entries = raw.get("models", [])
    if not isinstance(entries, list):
        raise ConfigError(f"{path}: models: expected a list, got {_describe(entries)}.")
    for index, entry in enumerate(entries):
        register_model_metadata(_read_model_metadata(entry, f"{path}: models[{index}]"))


def _read_model_metadata(raw: Any, where: str) -> ModelMetadata:
    import dacite

    if not isinstance(raw, dict):
        raise ConfigError(f"{where}: expected a mapping, got {_describe(raw)}.")
    try:
        return dacite.from_dict(ModelMetadata, raw)
    except dacite.DaciteError as e:
        name = f" (model '{raw['name']}')" if isinstance(raw.get("name"), str) else ""
        raise ConfigError(f"{where}{name}: {e}") from e


def _describe(value: Any) -> str:
    return "nothing" if value is None else f"{type(value).__name__} {value!r}"[:100]


def register_model_metadata(model_metadata: ModelMetadata) -> None:
    ALL_MODELS_METADATA.append(model_metadata)
    MODEL_NAME_TO_MODEL_METADATA[model_metadata.name] = model_metadata


def get_model_metadata(model_name: str) -> ModelMetadata:
    """Return the metadata of a model. Raises: ValueError for an unregistered name."""
    if model_name not in MODEL_NAME_TO_MODEL_METADATA:
        hint = "did you remember to add this model to model_metadata.yaml?"
        raise ConfigError(f"No model metadata for model name: {model_name} - {hint}")
    return MODEL_NAME_TO_MODEL_METADATA[model_name]


def get_unknown_model_metadata(helm_model_name: str) -> ModelMetadata:
    """Return the metadata assumed for a model that nobody described."""
    return ModelMetadata(
        name=helm_model_name,
        creator_organization_name="Unknown",
        display_name=helm_model_name,
        description=helm_model_name,
        access="open",
        release_date=date.today(),
        tags=[TEXT_MODEL_TAG, FULL_FUNCTIONALITY_TEXT_MODEL_TAG],
    )


def get_all_models() -> list[str]:
    """Return each registered name once, in the order of first registration."""
    return list(MODEL_NAME_TO_MODEL_METADATA)


def get_model_names_with_tag(tag: str) -> list[str]:
    """Return the models with a tag. HELM: a name registered twice with the tag appears twice."""
    return [model.name for model in ALL_MODELS_METADATA if tag in model.tags]


def model_has_tag(model_name: str, tag: str) -> bool:
    """Whether a model has a tag. False for an unknown model."""
    model = MODEL_NAME_TO_MODEL_METADATA.get(model_name)
    return model is not None and tag in model.tags


def get_all_text_models() -> list[str]:
    return get_model_names_with_tag(TEXT_MODEL_TAG)


def get_all_code_models() -> list[str]:
    return get_model_names_with_tag(CODE_MODEL_TAG)


def get_all_instruction_following_models() -> list[str]:
    return get_model_names_with_tag(INSTRUCTION_FOLLOWING_MODEL_TAG)


def is_text_to_image_model(model_name: str) -> bool:
    return model_has_tag(model_name, TEXT_TO_IMAGE_MODEL_TAG)


def is_vlm(model_name: str) -> bool:
    return model_has_tag(model_name, VISION_LANGUAGE_MODEL_TAG)


def is_audiolm(model_name: str) -> bool:
    return model_has_tag(model_name, AUDIO_LANGUAGE_MODEL_TAG)
