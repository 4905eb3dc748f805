"""The method `ehr_instruction` asks about a long health record, truncated from the start."""

from helm.benchmark.adaptation.adapters.adaptation_error import AdaptationError
from helm.benchmark.adaptation.adapters.generation_adapter import GenerationAdapter
from helm.benchmark.adaptation.adapters.in_context_learning_adapter import TOKENS_AROUND_MESSAGE
from helm.benchmark.adaptation.prompt import Prompt
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.scenarios.scenario import TRAIN_SPLIT, Instance

PROMPT_TEMPLATE_EHR_PLACEHOLDER = "{ehr}"


class EHRInstructionAdapter(GenerationAdapter):
    """Fills `extra_data["prompt_template"]` with the question and as much of the end of `extra_data["ehr"]` as fits.

    Instructions, prefixes and substitutions of the adapter spec have no effect, and the prompt always counts as
    truncated. Needs a tokenizer. Raises AdaptationError for training instances, for instances without the two keys
    and when the template alone does not fit.
    """

    def adapt(self, instances: list[Instance], parallelism: int) -> list[RequestState]:
        if any(instance.split == TRAIN_SPLIT for instance in instances):
            raise AdaptationError("Got train instances for EHRInstructionAdapter - expected only eval instances.")
        return super().adapt(instances, parallelism)

    def construct_prompt(
        self,
        train_instances: list[Instance],
        eval_instance: Instance,
        include_output: bool,
        reference_index: int | None,
    ) -> Prompt:
        data = eval_instance.extra_data or {}
        missing = [key for key in ("ehr", "prompt_template") if key not in data]
        if missing:
            raise AdaptationError(f"instance {eval_instance.id}: extra_data lacks {' and '.join(missing)}.")
        if PROMPT_TEMPLATE_EHR_PLACEHOLDER not in data["prompt_template"]:
            raise AdaptationError(
                f"instance {eval_instance.id}: the prompt template has no {PROMPT_TEMPLATE_EHR_PLACEHOLDER}."
            )
        text = self._fill(eval_instance, data["prompt_template"], data["ehr"])
        prompt = Prompt(eval_instance_block=text, truncated_text=text)
        return prompt if self.adapter_spec.chat is None else self._as_chat(prompt, [])

    def _num_chat_tokens(self) -> int:
        """Return the number of tokens that the messages have besides the record and its question."""
        chat = self.adapter_spec.chat
        if chat is None:
            return 0
        added = "\n\n".join((chat.system_prompt or "", chat.answer_instruction or ""))
        return self.window_service.get_num_tokens(added) + 2 * TOKENS_AROUND_MESSAGE

    def _fill(self, instance: Instance, template: str, record: str) -> str:
        window, max_tokens = self.window_service, self.adapter_spec.max_tokens + self._num_chat_tokens()

        def filled(record: str) -> str:
            return template.format(question=instance.input.text, ehr=record)

        room = window.max_request_length - max_tokens - window.get_num_tokens(filled(""))
        if room < 0:
            raise AdaptationError(
                f"instance {instance.id}: the prompt template without the record is {-room} tokens too long for "
                f"deployment '{self.adapter_spec.model_deployment}' with max_tokens={max_tokens}."
            )
        kept = window.encode(record).tokens[-room:] if room else []
        while True:
            text = filled(window.decode(kept))
            excess = max_tokens + window.get_num_tokens(text) - window.max_request_length
            if excess <= 0:
                return text
            if not kept:
                raise AdaptationError(f"instance {instance.id}: the prompt does not fit even without the record.")
            kept = kept[excess:]
