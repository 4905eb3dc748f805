"""In-context adapters whose instances hold images, audio or video."""

from abc import ABC
from dataclasses import replace

from helm.benchmark.adaptation.adapters.adaptation_error import AdaptationError
from helm.benchmark.adaptation.adapters.in_context_learning_adapter import InContextLearningAdapter
from helm.benchmark.adaptation.adapters.multimodal.multimodal_prompt import MultimodalPrompt
from helm.benchmark.scenarios.scenario import Instance
from helm.common.media_object import MediaObject, MultimediaObject


def text_object(text: str) -> MultimediaObject:
    return MultimediaObject([MediaObject(content_type="text/plain", text=text)])


class InContextLearningMultimodalAdapter(InContextLearningAdapter, ABC):
    """Uses sequences of media as examples. Ignores substitutions, and never truncates the evaluation instance."""

    def construct_multimodal_prompt(
        self, train_instances: list[Instance], eval_instance: Instance, include_output: bool = False
    ) -> MultimodalPrompt:
        spec = self.adapter_spec
        prompt = MultimodalPrompt(
            global_prefix=spec.global_prefix,
            global_suffix=spec.global_suffix,
            instance_prefix=spec.instance_prefix,
            instructions=spec.instructions,
            train_instance_blocks=[self.construct_example_multimodal_prompt(i, True, None) for i in train_instances],
            eval_instance_block=self.construct_example_multimodal_prompt(eval_instance, include_output, None),
        )
        while prompt.train_instance_blocks and not self.window_service.fits_within_context_window(
            prompt.text, expected_completion_token_length=spec.max_tokens
        ):
            prompt = replace(prompt, train_instance_blocks=prompt.train_instance_blocks[:-1])
        return prompt

    def construct_example_multimodal_prompt(
        self, instance: Instance, include_output: bool, reference_index: int | None
    ) -> MultimediaObject:
        spec = self.adapter_spec
        result = self._question(instance)
        if include_output:
            output = self.construct_output(instance, reference_index)
            return result.combine(text_object(f"{spec.output_prefix}{output}{spec.output_suffix}"))
        return result.add_textual_suffix(spec.output_prefix.rstrip())

    def _question(self, instance: Instance) -> MultimediaObject:
        spec, content = self.adapter_spec, instance.input.multimedia_content
        if content is None or not content.media_objects:
            raise AdaptationError(f"instance {instance.id}: the method {spec.method} needs input.multimedia_content.")
        return content.add_textual_prefix(spec.input_prefix).add_textual_suffix(spec.input_suffix)
