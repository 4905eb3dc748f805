"""The method `multiple_choice_separate_original` asks how likely each choice is as the continuation."""

from helm.benchmark.adaptation.adapters.in_context_learning_adapter import InContextLearningAdapter
from helm.benchmark.adaptation.prompt import Prompt
from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.scenarios.scenario import Instance
from helm.common.request import Request


class MultipleChoiceSeparateAdapter(InContextLearningAdapter):
    """Creates one request per reference, asking for the log-probabilities of the prompt that ends with it."""

    def generate_requests(
        self, eval_instance: Instance, train_trial_index: int, training_instances: list[Instance]
    ) -> list[RequestState]:
        return [
            self._reference_state(eval_instance, train_trial_index, training_instances, i)
            for i in range(len(eval_instance.references))
        ]

    def _reference_state(
        self, instance: Instance, train_trial_index: int, training_instances: list[Instance], reference_index: int
    ) -> RequestState:
        prompt = self.construct_prompt(
            training_instances, instance, include_output=True, reference_index=reference_index
        )
        return self.construct_request_state(prompt, reference_index, instance, train_trial_index)

    def construct_request_state(
        self,
        prompt: Prompt,
        reference_index: int,
        eval_instance: Instance,
        train_trial_index: int,
        request_mode: str = "original",
    ) -> RequestState:
        """Return the state that asks for the log-probabilities of a prompt with one of the references."""
        # HELM: `random` of the adapter spec is not passed on, and the temperature is an int.
        request = Request(
            model=self.adapter_spec.model,
            model_deployment=self.adapter_spec.model_deployment,
            prompt=prompt.text,
            num_completions=1,
            temperature=0,
            max_tokens=0,
            stop_sequences=[],
            echo_prompt=True,
        )
        return new_request_state(
            eval_instance,
            request,
            reference_index=reference_index,
            request_mode=request_mode,
            train_trial_index=train_trial_index,
            num_train_instances=prompt.num_train_instances,
            prompt_truncated=prompt.truncated,
        )
