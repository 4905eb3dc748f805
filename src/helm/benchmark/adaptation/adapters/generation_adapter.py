"""The method `generation` sends one prompt and gets free text."""

from helm.benchmark.adaptation.adapters.in_context_learning_adapter import InContextLearningAdapter
from helm.benchmark.adaptation.prompt import Prompt
from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.scenarios.scenario import Instance
from helm.common.request import Request


class GenerationAdapter(InContextLearningAdapter):
    """Creates one request per evaluation instance: examples with their outputs, then the instance without one.

    With the nouns "Item" and "Color" a prompt ends with `Item: thing 5`, a line break, and `Color:` without a space.
    """

    def generate_requests(
        self, eval_instance: Instance, train_trial_index: int, training_instances: list[Instance]
    ) -> list[RequestState]:
        prompt = self.construct_prompt(training_instances, eval_instance, include_output=False, reference_index=None)
        return [
            new_request_state(
                eval_instance,
                self._request(prompt),
                train_trial_index=train_trial_index,
                num_train_instances=prompt.num_train_instances,
                prompt_truncated=prompt.truncated,
            )
        ]

    def _request(self, prompt: Prompt) -> Request:
        spec = self.adapter_spec
        return self.make_request(
            prompt,
            num_completions=spec.num_outputs,
            stop_sequences=spec.stop_sequences,
            image_generation_parameters=spec.image_generation_parameters,
        )
