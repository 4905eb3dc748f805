"""The method `chat` sends a given conversation."""

from helm.benchmark.adaptation.adapters.adaptation_error import AdaptationError
from helm.benchmark.adaptation.adapters.in_context_learning_adapter import InContextLearningAdapter, request_fields
from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.scenarios.scenario import Instance
from helm.common.request import Request


class ChatAdapter(InContextLearningAdapter):
    """Creates one request per evaluation instance from its `input.messages`; ignores training instances.

    Raises AdaptationError for an instance without messages.
    """

    def generate_requests(
        self, eval_instance: Instance, train_trial_index: int, training_instances: list[Instance]
    ) -> list[RequestState]:
        spec = self.adapter_spec
        if eval_instance.input.messages is None:
            raise AdaptationError("ChatAdapter requires input.messages of instances to be non-empty")
        request = Request(
            model=spec.model,
            model_deployment=spec.model_deployment,
            messages=self._messages(eval_instance.input.messages),
            num_completions=spec.num_outputs,
            temperature=spec.temperature,
            max_tokens=spec.max_tokens,
            stop_sequences=spec.stop_sequences,
            random=spec.random,
            image_generation_parameters=spec.image_generation_parameters,
            **request_fields(spec),
        )
        return [new_request_state(eval_instance, request, train_trial_index=train_trial_index)]

    def _messages(self, messages: list[dict[str, str]]) -> list[dict[str, str]]:
        """Return the conversation with what the adapter spec adds: a system prompt in front, an instruction at the end."""
        chat = self.adapter_spec.chat
        if chat is None:
            return messages
        if chat.system_prompt:
            own = messages[0]["content"] if messages and messages[0]["role"] == "system" else ""
            first = {"role": "system", "content": "\n\n".join(text for text in (chat.system_prompt, own) if text)}
            messages = [first, *(messages[1:] if own else messages)]
        if chat.answer_instruction:
            last = {**messages[-1], "content": f"{messages[-1]['content']}\n\n{chat.answer_instruction}"}
            messages = [*messages[:-1], last]
        return messages
