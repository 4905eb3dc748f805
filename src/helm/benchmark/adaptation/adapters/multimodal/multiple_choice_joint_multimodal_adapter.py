"""The method `multiple_choice_joint_multimodal` shows media and choices, and gets a label."""

from helm.benchmark.adaptation.adapters.in_context_learning_adapter import NO_OUTPUT, request_fields
from helm.benchmark.adaptation.adapters.multimodal.in_context_learning_multimodal_adapter import (
    InContextLearningMultimodalAdapter,
)
from helm.benchmark.adaptation.adapters.multiple_choice_joint_adapter import first_label_character, reference_label
from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.scenarios.scenario import Instance
from helm.common.media_object import MultimediaObject
from helm.common.request import Request


class MultipleChoiceJointMultimodalAdapter(InContextLearningMultimodalAdapter):
    """Creates one request per evaluation instance, with its references (texts or media) under labels.

    HELM: the labels of answers and of `output_mapping` count from A regardless of `reference_prefix`.
    """

    def generate_requests(
        self, eval_instance: Instance, train_trial_index: int, training_instances: list[Instance]
    ) -> list[RequestState]:
        spec = self.adapter_spec
        prompt = self.construct_multimodal_prompt(training_instances, eval_instance)
        request = Request(
            model=spec.model,
            model_deployment=spec.model_deployment,
            multimodal_prompt=prompt.content,
            num_completions=spec.num_outputs,
            temperature=spec.temperature,
            max_tokens=spec.max_tokens,
            stop_sequences=[],
            random=spec.random,
            **request_fields(spec),
        )
        mapping = {self.get_reference_label(i): r.output.text for i, r in enumerate(eval_instance.references)}
        return [
            new_request_state(
                eval_instance,
                request,
                train_trial_index=train_trial_index,
                output_mapping=mapping,
                num_train_instances=prompt.num_train_instances,
            )
        ]

    def get_reference_label(self, index: int) -> str:
        return reference_label(self.adapter_spec, index, "A")

    def get_reference_prefix(self, index: int) -> str:
        prefix = self.adapter_spec.reference_prefix
        first = first_label_character(prefix)
        return prefix.replace(first, reference_label(self.adapter_spec, index, first))

    def _question(self, instance: Instance) -> MultimediaObject:
        result = super()._question(instance)
        suffix = self.adapter_spec.reference_suffix
        for i, reference in enumerate(instance.references):
            prefix, media = self.get_reference_prefix(i), reference.output.multimedia_content
            if media is None:
                result = result.add_textual_suffix(f"{prefix}{reference.output.text}{suffix}")
            else:
                result = result.combine(media.add_textual_prefix(prefix).add_textual_suffix(suffix))
        return result

    def construct_output(self, instance: Instance, reference_index: "int | None") -> str:
        if reference_index is not None:
            return self.get_reference_label(reference_index)
        shown = self._shown_references(instance)
        labels = [self.get_reference_label(i) for i, r in enumerate(instance.references) if any(r is s for s in shown)]
        return ", ".join(labels) if labels else NO_OUTPUT
