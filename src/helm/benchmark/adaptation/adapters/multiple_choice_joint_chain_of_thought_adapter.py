"""The method `multiple_choice_joint_chain_of_thought` shows examples that reason before they answer."""

from helm.benchmark.adaptation.adapters.in_context_learning_adapter import NO_OUTPUT
from helm.benchmark.adaptation.adapters.multiple_choice_joint_adapter import MultipleChoiceJointAdapter
from helm.benchmark.scenarios.scenario import Instance


class MultipleChoiceJointChainOfThoughtAdapter(MultipleChoiceJointAdapter):
    """Like joint multiple choice, but an example shows `extra_data["chain_of_thought"]` before its answer."""

    def _answer(self, instance: Instance) -> str:
        spec = self.adapter_spec
        chain = (instance.extra_data or {}).get("chain_of_thought", "")
        # HELM: the answer is the whole reference prefix ("A. "), not the bare label.
        answers = [
            self.get_reference_prefix(self.adapter_spec.reference_prefix, i) for i in self._correct_indices(instance)
        ]
        return (
            f"{spec.output_prefix}{spec.chain_of_thought_prefix}{chain}{spec.chain_of_thought_suffix}"
            f"{', '.join(answers) if answers else NO_OUTPUT}{spec.output_suffix}"
        )
