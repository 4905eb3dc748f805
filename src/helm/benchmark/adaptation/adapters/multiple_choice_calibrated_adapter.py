"""The method `multiple_choice_separate_calibrated` compares each choice with its likelihood without the question."""

from dataclasses import replace

from helm.benchmark.adaptation.adapters.multiple_choice_separate_adapter import MultipleChoiceSeparateAdapter
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.scenarios.scenario import Input, Instance

_NEUTRAL_INPUT = Input(text="Answer:")


class MultipleChoiceCalibratedAdapter(MultipleChoiceSeparateAdapter):
    """Creates two requests per reference: the original, and one without examples and with `Answer:` as the question."""

    def generate_requests(
        self, eval_instance: Instance, train_trial_index: int, training_instances: list[Instance]
    ) -> list[RequestState]:
        neutral = replace(eval_instance, input=_NEUTRAL_INPUT)
        states: list[RequestState] = []
        for i in range(len(eval_instance.references)):
            states.append(self._reference_state(eval_instance, train_trial_index, training_instances, i))
            prompt = self.construct_prompt([], neutral, include_output=True, reference_index=i)
            states.append(self.construct_request_state(prompt, i, eval_instance, train_trial_index, "calibration"))
        return states
