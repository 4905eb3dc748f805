"""The method `ranking_binary` asks whether a passage answers the query, yes or no."""

from helm.benchmark.adaptation.adapters.adaptation_error import AdaptationError
from helm.benchmark.adaptation.adapters.in_context_learning_adapter import InContextLearningAdapter
from helm.benchmark.adaptation.prompt import Turn
from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.scenarios.scenario import ALL_SPLITS, EVAL_SPLITS, TRAIN_SPLIT, Instance, Reference


class BinaryRankingAdapter(InContextLearningAdapter):
    """Creates one request per reference of an evaluation instance; an example shows all its references with answers."""

    RANKING_CORRECT_LABEL = "Yes"
    RANKING_WRONG_LABEL = "No"

    def generate_requests(
        self, eval_instance: Instance, train_trial_index: int, training_instances: list[Instance]
    ) -> list[RequestState]:
        spec = self.adapter_spec
        states = []
        for i in range(len(eval_instance.references)):
            prompt = self.construct_prompt(training_instances, eval_instance, include_output=False, reference_index=i)
            request = self.make_request(prompt, num_completions=spec.num_outputs, stop_sequences=spec.stop_sequences)
            states.append(
                new_request_state(
                    eval_instance,
                    request,
                    reference_index=i,
                    request_mode="original",
                    train_trial_index=train_trial_index,
                    num_train_instances=prompt.num_train_instances,
                    prompt_truncated=prompt.truncated,
                )
            )
        return states

    def construct_example_prompt(self, instance: Instance, include_output: bool, reference_index: int | None) -> str:
        if instance.split == TRAIN_SPLIT:
            references = instance.references
        elif instance.split in EVAL_SPLITS:
            references = instance.references if reference_index is None else [instance.references[reference_index]]
        else:
            raise AdaptationError(
                f"instance {instance.id}: unknown split '{instance.split}', expected one of {ALL_SPLITS}."
            )
        blocks = [self._reference_block(instance, reference, include_output) for reference in references]
        return self.adapter_spec.instance_prefix.join(blocks)

    def construct_example_turns(self, instance: Instance) -> list[Turn]:
        return [
            self._turn(self._reference_block(instance, ref, False), self._reference_block(instance, ref, True))
            for ref in instance.references
        ]

    def _reference_block(self, instance: Instance, reference: Reference, include_output: bool) -> str:
        spec = self.adapter_spec
        question = (
            f"{spec.reference_prefix}{reference.output.text}{spec.reference_suffix}"
            f"{spec.input_prefix}{instance.input.text}{spec.input_suffix}"
        )
        if not include_output:
            return question + spec.output_prefix.rstrip()
        label = self.RANKING_CORRECT_LABEL if reference.is_correct else self.RANKING_WRONG_LABEL
        return f"{question}{spec.output_prefix}{label}{spec.output_suffix}"
