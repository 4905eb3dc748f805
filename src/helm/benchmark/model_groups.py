"""Names that stand for several subjects, and how the name of a single subject is parsed."""

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.model_deployment_registry import DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT
from helm.benchmark.model_deployments.openai_compatible_deployments import PREFIX, split_base_url
from helm.benchmark.model_metadata_registry import (
    ABLATION_MODEL_TAG,
    AUDIO_LANGUAGE_MODEL_TAG,
    CODE_MODEL_TAG,
    DEPRECATED_MODEL_TAG,
    FULL_FUNCTIONALITY_TEXT_MODEL_TAG,
    INSTRUCTION_FOLLOWING_MODEL_TAG,
    LIMITED_FUNCTIONALITY_TEXT_MODEL_TAG,
    MODEL_NAME_TO_MODEL_METADATA,
    TEXT_MODEL_TAG,
    TEXT_TO_IMAGE_MODEL_TAG,
    UNSUPPORTED_MODEL_TAG,
    VISION_LANGUAGE_MODEL_TAG,
    get_all_models,
    get_model_names_with_tag,
    model_has_tag,
)
from helm.benchmark.subjects import find_subject_kind, kind_of_method, named_kind_of_method, subject_kinds
from helm.common.errors import ConfigError

_FIXED_GROUPS = {
    "ai21/j1-jumbo": ["ai21/j1-jumbo"],
    "openai/curie": ["openai/curie"],
    "summarization_zs": ["openai/davinci", "openai/curie", "openai/text-davinci-002", "openai/text-curie-001"],
    "biomedical": ["openai/text-davinci-003"],
    "interactive_qa": [
        "openai/text-davinci-001",
        "openai/davinci",
        "ai21/j1-jumbo",
        "openai/text-babbage-001",
    ],
    "opinions_qa_openai": [
        "openai/ada",
        "openai/davinci",
        "openai/text-ada-001",
        "openai/text-davinci-001",
        "openai/text-davinci-002",
        "openai/text-davinci-003",
    ],
    "opinions_qa_ai21": ["ai21/j1-grande", "ai21/j1-jumbo", "ai21/j1-grande-v2-beta"],
}


def get_subject_kind(adapter_spec: AdapterSpec) -> str:
    """Return the name of the kind of subject that `model=` names in a run with this adapter spec."""
    return named_kind_of_method(adapter_spec.method).name


_TAGS_OF_GROUPS: dict[str, tuple[str, ...]] = {
    "text_code": (TEXT_MODEL_TAG, CODE_MODEL_TAG),
    "text": (TEXT_MODEL_TAG,),
    "code": (CODE_MODEL_TAG,),
    "instruction_following": (INSTRUCTION_FOLLOWING_MODEL_TAG,),
    "full_functionality_text": (FULL_FUNCTIONALITY_TEXT_MODEL_TAG,),
    "limited_functionality_text": (LIMITED_FUNCTIONALITY_TEXT_MODEL_TAG,),
    "text_to_image": (TEXT_TO_IMAGE_MODEL_TAG,),
    "vlm": (VISION_LANGUAGE_MODEL_TAG,),
    "audiolm": (AUDIO_LANGUAGE_MODEL_TAG,),
}

_WHOLE_GROUPS = ("all", *_TAGS_OF_GROUPS, *_FIXED_GROUPS)

_ABLATION_GROUPS = {"ablation" if name == "all" else f"ablation_{name}": name for name in _WHOLE_GROUPS}


def get_model_groups(kind: str = "model") -> dict[str, list[str]]:
    """Map each group to its members, in registration order, without those tagged deprecated or unsupported.

    `kind` is the name of a kind of subject; the group `all` holds every subject of that kind.
    """
    return {name: get_model_group(name, kind) or [] for name in (*_WHOLE_GROUPS, *_ABLATION_GROUPS)}


def get_model_group(name: str, kind: str = "model") -> list[str] | None:
    """Return the members of a group, possibly none. None if there is no such group. See `get_model_groups`."""
    if name in _ABLATION_GROUPS:
        members = _members(_ABLATION_GROUPS[name], kind)
        return [m for m in dict.fromkeys(members) if model_has_tag(m, ABLATION_MODEL_TAG) and _is_current(m)]
    if name in _WHOLE_GROUPS:
        return [member for member in _members(name, kind) if _is_current(member)]
    return None


def _members(group: str, kind: str) -> list[str]:
    if group == "all":
        return [name for name in get_all_models() if _is_of_kind(name, kind)]
    if group in _FIXED_GROUPS:
        return _FIXED_GROUPS[group]
    return [name for tag in _TAGS_OF_GROUPS[group] for name in get_model_names_with_tag(tag)]


def _is_of_kind(model_name: str, kind: str) -> bool:
    tag = find_subject_kind(kind).tag
    if tag is not None:
        return model_has_tag(model_name, tag)
    return not any(other.tag is not None and model_has_tag(model_name, other.tag) for other in subject_kinds())


def check_subject_kind(run_name: str, kind: str, model_name: str, method: str = "") -> None:
    """Check a subject's kind. Raises: ConfigError if its tags say that it differs from the run's.

    Nothing is known of subjects without such a tag, so they pass. A method that is of another kind than what its `model=`
    usually names takes subjects of both.
    """
    expected = find_subject_kind(kind)
    for other in subject_kinds():
        if (
            other not in (expected, kind_of_method(method))
            and other.tag is not None
            and model_has_tag(model_name, other.tag)
        ):
            raise ConfigError(
                f"Run '{run_name}' evaluates {expected.plural}, but '{model_name}' is one of the {other.plural}. "
                f"Name another one, for example model={expected.example}."
            )


def _is_current(model_name: str) -> bool:
    return not (model_has_tag(model_name, DEPRECATED_MODEL_TAG) or model_has_tag(model_name, UNSUPPORTED_MODEL_TAG))


def split_subject_name(name: str, accept_deployments: bool = False) -> tuple[str, str | None]:
    """Split a name into the model and, if `name` gives one, the deployment.

    The model is the last two parts; with more parts the whole is a deployment. `openai-compat/NAME@URL` is a deployment
    of `openai-compat/NAME`. With `accept_deployments`, a registered deployment that is not a model means its model.
    """
    if name.startswith(f"{PREFIX}/"):
        plain_name, base_url = split_base_url(name)
        parts = plain_name.split("/")
        return "/".join(parts[-2:]), name if base_url or len(parts) > 2 else None
    if accept_deployments and name not in MODEL_NAME_TO_MODEL_METADATA:
        deployment = DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT.get(name)
        if deployment is not None:
            return str(deployment.model_name), name
    parts = name.split("/")
    return "/".join(parts[-2:]), name if len(parts) > 2 else None
