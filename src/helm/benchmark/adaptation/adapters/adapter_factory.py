"""From the name of an adaptation method to its adapter."""

from typing import Dict

from helm.benchmark.adaptation.adapter_spec import (
    ADAPT_CHAT,
    ADAPT_COMPILER_DIALOG,
    ADAPT_EHR_INSTRUCTION,
    ADAPT_EPISODE,
    ADAPT_EVALUATE,
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
from helm.benchmark.window_services.tokenizer_service import TokenizerService
from helm.common.errors import ConfigError, suggest
from helm.common.object_spec import get_class_by_name

__all__ = ["ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS", "AdapterFactory"]

_ADAPTERS = "helm.benchmark.adaptation.adapters"

# By class path, so that a run imports only the adapter it uses.
_CLASS_NAMES: Dict[str, str] = {
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
    ADAPT_EVALUATE: "helm.gradbench.adapter.EvaluateAdapter",
    ADAPT_EPISODE: "helm.compiler_gym.adapter.EpisodeAdapter",
    ADAPT_COMPILER_DIALOG: "helm.compiler_gym.adapter.DialogAdapter",
}


class AdapterFactory:
    @staticmethod
    def get_adapter(adapter_spec: AdapterSpec, tokenizer_service: TokenizerService) -> Adapter:
        """The adapter of `adapter_spec.method`, which may be a class path. Raises ConfigError for an unknown method."""
        method = adapter_spec.method
        class_name = _CLASS_NAMES.get(method, method if "." in method else None)
        if class_name is None:
            raise ConfigError(f"Invalid adaptation method: {method}{suggest(method, _CLASS_NAMES)}")
        return get_class_by_name(class_name)(adapter_spec, tokenizer_service)
