"""Maps the name of an adaptation method to its adapter."""

from helm.benchmark.adaptation.adapter_spec import (
    ADAPT_CHAT,
    ADAPT_EHR_INSTRUCTION,
    ADAPT_GENERATION,
    ADAPT_GENERATION_MULTIMODAL,
    ADAPT_LANGUAGE_MODELING,
    ADAPT_MULTIPLE_CHOICE_JOINT,
    ADAPT_MULTIPLE_CHOICE_JOINT_CHAIN_OF_THOUGHT,
    ADAPT_MULTIPLE_CHOICE_JOINT_MULTIMODAL,
    ADAPT_MULTIPLE_CHOICE_SEPARATE_CALIBRATED,
    ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS,
    ADAPT_MULTIPLE_CHOICE_SEPARATE_ORIGINAL,
    ADAPT_RANKING_BINARY,
    AdapterSpec,
)
from helm.benchmark.adaptation.adapters.adapter import Adapter
from helm.benchmark.subjects import subject_kinds
from helm.benchmark.window_services.tokenizer_service import TokenizerService
from helm.common.errors import ConfigError, suggest
from helm.common.object_spec import get_class_by_name

__all__ = ["ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS", "AdapterFactory"]

_ADAPTERS = "helm.benchmark.adaptation.adapters"

# Class paths instead of classes, so that a run imports only the adapter it uses.
_CLASS_NAMES: dict[str, str] = {
    ADAPT_GENERATION: f"{_ADAPTERS}.generation_adapter.GenerationAdapter",
    ADAPT_CHAT: f"{_ADAPTERS}.chat_adapter.ChatAdapter",
    ADAPT_LANGUAGE_MODELING: f"{_ADAPTERS}.language_modeling_adapter.LanguageModelingAdapter",
    ADAPT_MULTIPLE_CHOICE_JOINT: f"{_ADAPTERS}.multiple_choice_joint_adapter.MultipleChoiceJointAdapter",
    ADAPT_MULTIPLE_CHOICE_JOINT_CHAIN_OF_THOUGHT: (
        f"{_ADAPTERS}.multiple_choice_joint_chain_of_thought_adapter.MultipleChoiceJointChainOfThoughtAdapter"
    ),
    ADAPT_MULTIPLE_CHOICE_SEPARATE_ORIGINAL: (
        f"{_ADAPTERS}.multiple_choice_separate_adapter.MultipleChoiceSeparateAdapter"
    ),
    ADAPT_MULTIPLE_CHOICE_SEPARATE_CALIBRATED: (
        f"{_ADAPTERS}.multiple_choice_calibrated_adapter.MultipleChoiceCalibratedAdapter"
    ),
    ADAPT_RANKING_BINARY: f"{_ADAPTERS}.binary_ranking_adapter.BinaryRankingAdapter",
    ADAPT_EHR_INSTRUCTION: f"{_ADAPTERS}.ehr_instruction_adapter.EHRInstructionAdapter",
    ADAPT_GENERATION_MULTIMODAL: f"{_ADAPTERS}.multimodal.generation_multimodal_adapter.GenerationMultimodalAdapter",
    ADAPT_MULTIPLE_CHOICE_JOINT_MULTIMODAL: (
        f"{_ADAPTERS}.multimodal.multiple_choice_joint_multimodal_adapter.MultipleChoiceJointMultimodalAdapter"
    ),
}


class AdapterFactory:
    @staticmethod
    def get_adapter(adapter_spec: AdapterSpec, tokenizer_service: TokenizerService) -> Adapter:
        """Create the adapter for `adapter_spec.method`, which may be a class path. Raises: ConfigError for an unknown method."""
        if adapter_spec.chat or adapter_spec.request_options or adapter_spec.top_p or adapter_spec.response_format:
            from helm.benchmark.adaptation.chat_methods import check_adapter_spec

            check_adapter_spec(adapter_spec)
        class_names = {
            **_CLASS_NAMES,
            **{name: path for kind in subject_kinds() for name, path in kind.adapters.items()},
        }
        method = adapter_spec.method
        class_name = class_names.get(method, method if "." in method else None)
        if class_name is None:
            raise ConfigError(f"Invalid adaptation method: {method}{suggest(method, class_names)}")
        return get_class_by_name(class_name)(adapter_spec, tokenizer_service)
