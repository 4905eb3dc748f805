"""Base of the adapters that put examples from the training split before each evaluation instance."""

import random
from abc import ABC, abstractmethod
from collections import defaultdict
from dataclasses import replace
from itertools import cycle
from typing import Any

from helm.benchmark.adaptation.adapter_spec import CHAT_OFF, CHAT_ON, AdapterSpec
from helm.benchmark.adaptation.adapters.adapter import Adapter
from helm.benchmark.adaptation.prompt import Prompt, Turn
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.scenarios.scenario import EVAL_SPLITS, TRAIN_SPLIT, Instance, Reference
from helm.common.concurrency import parallel_map
from helm.common.errors import ConfigError
from helm.common.general import changed_copy
from helm.common.hierarchical_logger import hdebug, hlog, hwarn
from helm.common.request import Request
from helm.common.request_options import RequestOptions

NO_OUTPUT = "n/a"
"""Shown as the answer of an example without a correct reference."""

TOKENS_AROUND_MESSAGE = 4
"""What chat templates add to a message, in tokens."""


class InContextLearningAdapter(Adapter, ABC):
    """Draws new examples for each train trial, and creates the subclass's requests for each evaluation instance.

    Subclasses implement `generate_requests` and may override `construct_example_prompt`, which writes one example.
    """

    _blocks_of: tuple[list[Instance] | None, list[str]] = (None, [])
    _turns_of: tuple[list[Instance] | None, list[list[Turn]]] = (None, [])
    _prompt_of: tuple[AdapterSpec | None, list[str] | None, Prompt] = (None, None, Prompt())
    _request_of: tuple[AdapterSpec | None, Request, dict[str, Any]] = (None, Request(), {})

    def adapt(self, instances: list[Instance], parallelism: int) -> list[RequestState]:
        """Return request states ordered by train trial, then evaluation instance, then as in `generate_requests`."""
        spec = self.adapter_spec
        train = [instance for instance in instances if instance.split == TRAIN_SPLIT]
        evaluation = [instance for instance in instances if instance.split in EVAL_SPLITS]
        hlog(f"{len(train)} training instances, {len(evaluation)} evaluation instances")
        if len(train) < spec.max_train_instances:
            hwarn(f"only {len(train)} training instances, wanted {spec.max_train_instances}")
        states: list[RequestState] = []
        for trial in range(spec.num_train_trials):
            examples = self.sample_examples(train, seed=trial, sample_train=spec.sample_train)
            of_trial = self._adapt_trial(evaluation, trial, examples, parallelism)
            if trial == 0 and of_trial:
                self._log_first(of_trial)
            states.extend(of_trial)
            for i in range(1, spec.num_trials):
                states.extend(self._again(state, random=str(i)) for state in of_trial)
        hlog(f"{len(states)} requests")
        return states

    @staticmethod
    def _again(state: RequestState, random: str) -> RequestState:
        assert isinstance(state.request, Request)
        return replace(state, request=replace(state.request, random=random))

    def _adapt_trial(
        self, evaluation: list[Instance], trial: int, examples: list[Instance], parallelism: int
    ) -> list[RequestState]:
        if parallelism > 1 and self.window_service.waits_on_io:
            nested = parallel_map(
                lambda instance: self.generate_requests(instance, trial, examples),
                evaluation,
                parallelism,
                description="prompts",
            )
        else:  # Threads would only wait for each other.
            nested = [self.generate_requests(instance, trial, examples) for instance in evaluation]
        return [state for states in nested for state in states]

    @staticmethod
    def _log_first(states: list[RequestState]) -> None:
        first = states[0].instance
        for state in states:
            if state.instance is not first:
                break
            if isinstance(state.request, Request):
                title = "" if state.reference_index is None else f" of reference {state.reference_index}"
                hdebug(f"Sample prompt{title} for instance {first.id}:")
                for line in _shown_text(state.request).split("\n"):
                    hdebug(f"  {line}")

    @abstractmethod
    def generate_requests(
        self, eval_instance: Instance, train_trial_index: int, training_instances: list[Instance]
    ) -> list[RequestState]:
        """Return the request states of one evaluation instance; `training_instances` are the examples of this trial."""

    # --- examples -----------------------------------------------------------------------------------------------------

    def sample_examples(
        self, all_train_instances: list[Instance], seed: int, sample_train: bool = True
    ) -> list[Instance]:
        """Return at most `max_train_instances` examples, the same for every evaluation instance.

        Without `sample_train`: the next ones in order (perhaps none for later seeds). With it: one of each label in
        turn, labels with more instances first, labels of equally many instances shuffled; a label is the text of the
        first correct reference. Instances without one come last.
        """
        count = min(len(all_train_instances), self.adapter_spec.max_train_instances)
        if not sample_train:
            return all_train_instances[count * seed : count * (seed + 1)]
        rng = random.Random(seed)
        by_label: dict[str, list[Instance]] = defaultdict(list)
        unlabeled: list[Instance] = []
        for instance in all_train_instances:
            reference = instance.first_correct_reference
            if reference is None:
                unlabeled.append(instance)
            else:
                by_label[reference.output.text].append(instance)
        by_size: dict[int, list[str]] = defaultdict(list)
        for label in sorted(by_label):
            by_size[len(by_label[label])].append(label)
        order: list[str] = []
        for size in sorted(by_size, reverse=True):
            rng.shuffle(by_size[size])
            order.extend(by_size[size])
        examples: list[Instance] = []
        num_labeled = min(count, len(all_train_instances) - len(unlabeled))
        labels = cycle(order)
        while len(examples) < num_labeled:
            pool = by_label[next(labels)]
            if pool:
                examples.append(pool.pop(rng.randrange(len(pool))))
        return examples + rng.sample(unlabeled, count - num_labeled)

    # --- prompts ------------------------------------------------------------------------------------------------------

    def construct_prompt(
        self,
        train_instances: list[Instance],
        eval_instance: Instance,
        include_output: bool,
        reference_index: int | None,
    ) -> Prompt:
        """Return the prompt for one evaluation instance, with as many examples as fit into the window.

        Args:
            include_output: whether to show the answer of the evaluation instance too.
            reference_index: the reference that the request is about. None if it is about none in particular.
        """
        common = self._common_prompt(self._train_blocks(train_instances))
        question = self.construct_example_prompt(eval_instance, include_output, reference_index)
        prompt = changed_copy(common, eval_instance_block=question)
        if self.adapter_spec.chat is not None:
            prompt = self._as_chat(prompt, train_instances)
        return self._make_prompt_fit(prompt)

    def _common_prompt(self, train_blocks: list[str]) -> Prompt:
        """Return the prompt without a question. All instances of a trial have the same."""
        spec, (of, blocks, prompt) = self.adapter_spec, self._prompt_of
        if of is not spec or blocks is not train_blocks:
            prompt = Prompt(
                global_prefix=spec.global_prefix,
                global_suffix=spec.global_suffix,
                instance_prefix=spec.instance_prefix,
                substitutions=spec.substitutions,
                instructions_block=spec.instructions,
                train_instance_blocks=train_blocks,
            )
            self._prompt_of = (spec, train_blocks, prompt)
        return prompt

    def _as_chat(self, prompt: Prompt, train_instances: list[Instance]) -> Prompt:
        """Return the prompt with what the adapter spec's `chat` adds to it."""
        spec, chat = self.adapter_spec, self.adapter_spec.chat
        assert chat is not None
        is_chat = chat.mode == CHAT_ON
        prompt = replace(prompt, is_chat=is_chat, system_prompt=chat.system_prompt or "")
        if is_chat and chat.fewshot_as_turns:
            prompt = replace(prompt, example_turns=self._turns_of_examples(train_instances))
        if chat.answer_instruction:
            question = self._without_output_prefix(prompt.eval_instance_block)
            prompt = replace(prompt, eval_instance_block=question, closing=chat.answer_instruction)
            if spec.global_suffix:
                prompt = replace(prompt, global_suffix=self._without_output_prefix(spec.global_suffix))
        return prompt

    def _without_output_prefix(self, text: str) -> str:
        """Return a question without the word that the answer follows: an instruction on the answer takes its place."""
        return text.removesuffix(self.adapter_spec.output_prefix.rstrip()).rstrip()

    def _turns_of_examples(self, train_instances: list[Instance]) -> list[list[Turn]]:
        """Return the questions and answers of each example. They are formatted once per trial."""
        of, turns = self._turns_of
        if of is not train_instances:
            turns = [self.construct_example_turns(instance) for instance in train_instances]
            self._turns_of = (train_instances, turns)
        return turns

    def construct_example_turns(self, instance: Instance) -> list[Turn]:
        """Return the questions and answers of an example for a conversation, usually one of each."""
        question = self.construct_example_prompt(instance, False, None)
        whole = self.construct_example_prompt(instance, True, None)
        return [self._turn(question, whole)]

    def _turn(self, question: str, whole: str) -> Turn:
        """Split an example into what is asked and what is answered."""
        answer = whole.removeprefix(question).strip()
        chat = self.adapter_spec.chat
        if chat is not None and chat.answer_instruction:
            question = self._without_output_prefix(question)
        return question, answer

    def _train_blocks(self, train_instances: list[Instance]) -> list[str]:
        """Return the examples as text. They are formatted once per trial, because all its instances share the list."""
        of, blocks = self._blocks_of
        if of is not train_instances:
            blocks = [self.construct_example_prompt(instance, True, None) for instance in train_instances]
            self._blocks_of = (train_instances, blocks)
        return blocks

    def construct_example_prompt(self, instance: Instance, include_output: bool, reference_index: int | None) -> str:
        """Format one example: the input, then the output or the place for it."""
        spec = self.adapter_spec
        if not include_output:
            return f"{spec.input_prefix}{instance.input.text or ''}{spec.input_suffix}{spec.output_prefix.rstrip()}"
        output = self.construct_output(instance, reference_index)
        return (
            f"{spec.input_prefix}{instance.input.text or ''}{spec.input_suffix}"
            f"{spec.output_prefix}{output}{spec.output_suffix}"
        )

    def construct_output(self, instance: Instance, reference_index: int | None) -> str:
        """Return the text of the given reference, else of the first correct one (with `multi_label` all of them), else `n/a`."""
        if reference_index is not None:
            return instance.references[reference_index].output.text
        correct = self._shown_references(instance)
        return ", ".join(reference.output.text for reference in correct) if correct else NO_OUTPUT

    def _shown_references(self, instance: Instance) -> list[Reference]:
        correct = instance.all_correct_references
        return correct if self.adapter_spec.multi_label else correct[:1]

    def _make_prompt_fit(self, prompt: Prompt) -> Prompt:
        """Drop examples from the end, then text from the end, until prompt and completion fit into the window.

        Raises: ConfigError when the completion alone is longer than the window.
        """
        if prompt.is_chat or prompt.closing or prompt.system_prompt:
            return self._make_chat_fit(prompt)
        window, max_tokens = self.window_service, self.adapter_spec.max_tokens
        while prompt.train_instance_blocks:
            if window.fits_within_context_window(prompt.text, expected_completion_token_length=max_tokens):
                return prompt
            prompt = replace(prompt, train_instance_blocks=prompt.train_instance_blocks[:-1])
        text = prompt.text
        try:
            cut = window.truncate_from_right(text, max_tokens)
        except ConfigError as e:
            raise ConfigError(f"Deployment '{self.adapter_spec.model_deployment}': {e}") from e
        if len(cut) >= len(text):
            return prompt
        if not cut:
            hwarn(
                f"max_tokens={max_tokens} leaves no room for a prompt in the window of deployment "
                f"'{self.adapter_spec.model_deployment}' ({window.max_request_length} tokens); the prompt is sent in full."
            )
        return replace(prompt, truncated_text=cut)

    def _make_chat_fit(self, prompt: Prompt) -> Prompt:
        """Do the same for messages: drop examples, then the end of the question, but never system prompt or closing.

        Raises: ConfigError when the completion and what is never dropped are longer than the window.
        """
        window, max_tokens = self.window_service, self.adapter_spec.max_tokens

        def num_reserved(prompt: Prompt) -> int:
            return max_tokens + TOKENS_AROUND_MESSAGE * len(prompt.messages or [])

        while not window.fits_within_context_window(prompt.text, num_reserved(prompt)):
            if not prompt.train_instance_blocks:
                break
            prompt = replace(prompt, train_instance_blocks=prompt.train_instance_blocks[:-1])
        else:
            return prompt
        kept = "\n\n".join((prompt.system_prompt, prompt.closing))
        try:
            cut = window.truncate_from_right(prompt.body, num_reserved(prompt) + window.get_num_tokens(kept))
        except ConfigError as e:
            raise ConfigError(f"Deployment '{self.adapter_spec.model_deployment}': {e}") from e
        if not cut:
            raise ConfigError(
                f"max_tokens={max_tokens} leaves no room for a prompt in the window of deployment "
                f"'{self.adapter_spec.model_deployment}' ({window.max_request_length} tokens). Lower max_tokens in the entry."
            )
        return prompt if len(cut) >= len(prompt.body) else replace(prompt, truncated_text=cut)

    # --- requests -----------------------------------------------------------------------------------------------------

    def make_request(self, prompt: Prompt, **fields: Any) -> Request:
        """Return a request for a prompt, with what the adapter spec says about all requests and `fields` besides."""
        spec, (of, common, overriding) = self.adapter_spec, self._request_of
        if of is not spec:
            common = Request(
                model=spec.model,
                model_deployment=spec.model_deployment,
                temperature=spec.temperature,
                max_tokens=spec.max_tokens,
                random=spec.random,
            )
            overriding = request_fields(spec)
            self._request_of = (spec, common, overriding)
        messages = prompt.messages if prompt.is_chat else None
        fields["prompt"], fields["messages"] = prompt.text if messages is None else "", messages
        fields.update(overriding)
        if not fields.keys() <= common.__dict__.keys():
            return replace(common, **fields)  # raises TypeError
        return changed_copy(common, **fields)


def _shown_text(request: Request) -> str:
    if request.messages is None:
        return request.prompt
    return "\n".join(f"{message['role']}: {message['content']}" for message in request.messages)


def request_fields(spec: AdapterSpec) -> dict[str, Any]:
    """Return the fields of a request that only some adapter specs set."""
    is_plain = spec.chat is not None and spec.chat.mode == CHAT_OFF
    if spec.request_options is None and spec.top_p is None and spec.response_format is None and spec.chat is None:
        return {}
    options = spec.request_options or RequestOptions()
    fields: dict[str, Any] = {"options": replace(options, plain_prompt=True) if is_plain else options}
    if spec.top_p is not None:
        fields["top_p"] = spec.top_p
    if spec.response_format is not None:
        fields["response_format"] = spec.response_format
    return fields
