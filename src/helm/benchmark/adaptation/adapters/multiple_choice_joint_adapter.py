"""The method `multiple_choice_joint` lists all choices in the prompt and gets one label."""

from functools import cache

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.adapters.adaptation_error import AdaptationError
from helm.benchmark.adaptation.adapters.in_context_learning_adapter import NO_OUTPUT, InContextLearningAdapter
from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.scenarios.scenario import Instance
from helm.benchmark.window_services.tokenizer_service import TokenizerService


@cache
def first_label_character(reference_prefix: str) -> str:
    """Return the first letter or digit of a reference prefix. Raises: AdaptationError if there is none."""
    character = next((character for character in reference_prefix if character.isalnum()), None)
    if character is None:
        raise AdaptationError(
            f"reference_prefix '{reference_prefix}' has no letter or digit to count the choices with."
        )
    return character


def reference_label(adapter_spec: AdapterSpec, index: int, first: str) -> str:
    """Return the label of choice `index` if the first choice has the label `first`."""
    characters = adapter_spec.reference_prefix_characters
    if characters is None:
        return chr(ord(first) + index)  # HELM: after Z come [ and \.
    if index >= len(characters):
        raise AdaptationError(
            f"reference_prefix_characters has {len(characters)} labels ({', '.join(characters)}), "
            f"but an instance has at least {index + 1} references."
        )
    return characters[index]


class MultipleChoiceJointAdapter(InContextLearningAdapter):
    """Creates one request per evaluation instance, listing its references under labels (`A. `, `B. `, ...).

    The request state's `output_mapping` maps each label to the text of its reference.
    """

    def __init__(self, adapter_spec: AdapterSpec, tokenizer_service: TokenizerService):
        super().__init__(adapter_spec, tokenizer_service)
        self._labels: list[str] = []
        self._prefixes: list[str] = []

    # All instances have the same labels. Several threads may adapt, so a list is replaced rather than extended.

    def _first_labels(self, number: int) -> list[str]:
        labels = self._labels
        if len(labels) < number:
            labels = self._labels = [self.get_reference_label(i) for i in range(number)]
        return labels

    def _first_prefixes(self, number: int) -> list[str]:
        prefixes = self._prefixes
        if len(prefixes) < number:
            prefixes = self._prefixes = [
                self.get_reference_prefix(self.adapter_spec.reference_prefix, i) for i in range(number)
            ]
        return prefixes

    def get_reference_label(self, index: int) -> str:
        """Return the bare label of choice `index`, for example `B`."""
        return reference_label(self.adapter_spec, index, first_label_character(self.adapter_spec.reference_prefix))

    def get_prefix_char(self, prefix: str) -> str:
        """Return the first letter or digit of a reference prefix. Raises: AdaptationError if there is none."""
        return first_label_character(prefix)

    def get_reference_prefix(self, prefix: str, i: int) -> str:
        """Return a reference prefix with the label of choice `i` in the place of the first label."""
        first = self.get_prefix_char(prefix)
        return prefix.replace(first, reference_label(self.adapter_spec, i, first))

    def generate_requests(
        self, eval_instance: Instance, train_trial_index: int, training_instances: list[Instance]
    ) -> list[RequestState]:
        spec = self.adapter_spec
        prompt = self.construct_prompt(training_instances, eval_instance, include_output=False, reference_index=None)
        # HELM: the stop sequences of the adapter spec are not used, and num_outputs asks for candidates per position.
        request = self.make_request(prompt, num_completions=1, top_k_per_token=spec.num_outputs, stop_sequences=[])
        return [
            new_request_state(
                eval_instance,
                request,
                train_trial_index=train_trial_index,
                output_mapping=self.output_mapping(eval_instance),
                num_train_instances=prompt.num_train_instances,
                prompt_truncated=prompt.truncated,
            )
        ]

    def output_mapping(self, instance: Instance) -> dict[str, str]:
        """Map each label to the text of its reference."""
        labels = self._first_labels(len(instance.references))
        return {label: reference.output.text for label, reference in zip(labels, instance.references, strict=False)}

    def construct_example_prompt(self, instance: Instance, include_output: bool, reference_index: int | None) -> str:
        spec = self.adapter_spec
        prefixes = self._first_prefixes(len(instance.references))
        choices = "".join(
            [
                f"{prefix}{reference.output.text}{spec.reference_suffix}"
                for prefix, reference in zip(prefixes, instance.references, strict=False)
            ]
        )
        question = f"{spec.input_prefix}{instance.input.text}{spec.input_suffix}{choices}"
        if not include_output:
            return question + spec.output_prefix.rstrip()
        return question + self._answer(instance)

    def _answer(self, instance: Instance) -> str:
        """Return what follows the choices of an in-context example."""
        spec = self.adapter_spec
        labels = [self.get_reference_label(i) for i in self._correct_indices(instance)]
        return f"{spec.output_prefix}{', '.join(labels) if labels else NO_OUTPUT}{spec.output_suffix}"

    def _correct_indices(self, instance: Instance) -> list[int]:
        """Return the positions of the correct references to show: the first, or with `multi_label` all."""
        indices = [i for i, reference in enumerate(instance.references) if reference.is_correct]
        return indices if self.adapter_spec.multi_label else indices[:1]
