"""The method `chat` sends a given conversation unchanged."""

from helm.benchmark.adaptation.adapters.adaptation_error import AdaptationError
from helm.benchmark.adaptation.adapters.in_context_learning_adapter import InContextLearningAdapter
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
            messages=eval_instance.input.messages,
            num_completions=spec.num_outputs,
            temperature=spec.temperature,
            max_tokens=spec.max_tokens,
            stop_sequences=spec.stop_sequences,
            random=spec.random,
            image_generation_parameters=spec.image_generation_parameters,
        )
        return [new_request_state(eval_instance, request, train_trial_index=train_trial_index)]
