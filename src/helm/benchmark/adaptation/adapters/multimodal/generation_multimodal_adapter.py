"""The method `generation_multimodal` takes media and text, and gets text."""

from helm.benchmark.adaptation.adapters.in_context_learning_adapter import request_fields
from helm.benchmark.adaptation.adapters.multimodal.in_context_learning_multimodal_adapter import (
    InContextLearningMultimodalAdapter,
)
from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.scenarios.scenario import Instance
from helm.common.request import Request


class GenerationMultimodalAdapter(InContextLearningMultimodalAdapter):
    """Creates one request with a multimodal prompt per evaluation instance."""

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
            stop_sequences=spec.stop_sequences,
            random=spec.random,
            **request_fields(spec),
        )
        return [
            new_request_state(
                eval_instance,
                request,
                train_trial_index=train_trial_index,
                num_train_instances=prompt.num_train_instances,
            )
        ]
