"""The method `language_modeling` asks for the log-probability of whole texts, window by window."""

from helm.benchmark.adaptation.adapters.adaptation_error import AdaptationError
from helm.benchmark.adaptation.adapters.adapter import Adapter
from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.scenarios.scenario import EVAL_SPLITS, Instance
from helm.common.concurrency import parallel_map
from helm.common.hierarchical_logger import hlog
from helm.common.request import Request
from helm.common.tokenization_request import TokenizationToken

_REPLACEMENT = "\ufffd"
"""What decoding returns for a character that a window boundary splits."""


class LanguageModelingAdapter(Adapter):
    """Covers each text with windows: every token is predicted once, with as much preceding context as fits.

    The prompt of a window is decoded from its conditioning tokens (only context) and its prediction tokens; the
    request asks for no completion but for the log-probabilities of the prompt. Only evaluation instances are allowed.
    """

    def adapt(self, instances: list[Instance], parallelism: int) -> list[RequestState]:
        if any(instance.split not in EVAL_SPLITS for instance in instances):
            raise AdaptationError(
                "Non-evaluation instances were passed to LanguageModelingAdapter, but LanguageModelingAdapter expects "
                "evaluation instances only. Please open a GitHub issue with your RunSpec."
            )
        threads = parallelism if self.window_service.waits_on_io else 1
        nested = parallel_map(self._windows, instances, threads, description="prompts")
        states = [state for states in nested for state in states]
        hlog(f"{len(states)} requests")
        return states

    def _windows(self, instance: Instance) -> list[RequestState]:
        spec, window = self.adapter_spec, self.window_service
        text = instance.input.text
        tokens = window.encode(text).tokens
        max_length = min(window.max_request_length, window.max_sequence_and_generated_tokens_length - spec.max_tokens)
        if max_length < 2:
            raise AdaptationError(
                f"max_tokens={spec.max_tokens} leaves no room for a text in the window of deployment "
                f"'{spec.model_deployment}'."
            )
        predicted = min(window.max_sequence_length, len(tokens))
        prompt, _ = self._build(window.encode(window.prefix_token).tokens, tokens[:predicted], max_length, text)
        # HELM: the prefix always counts as one token, and only the first window gets `random`.
        states = [self._state(instance, prompt, 1 if window.prefix_token else 0, random=spec.random)]
        while predicted < len(tokens):
            end = predicted + min(len(tokens) - predicted, max_length - 1)
            # HELM: `end - max_length` may be negative; the slice then loses the beginning of the context.
            conditioning = tokens[end - max_length : predicted]
            prompt, num_conditioning = self._build(conditioning, tokens[predicted:end], max_length, text)
            states.append(self._state(instance, prompt, num_conditioning))
            predicted = end
        return states

    def _state(
        self, instance: Instance, prompt: str, num_conditioning_tokens: int, random: "str | None" = None
    ) -> RequestState:
        spec = self.adapter_spec
        request = Request(
            model=spec.model,
            model_deployment=spec.model_deployment,
            prompt=prompt,
            num_completions=1,
            temperature=0,
            max_tokens=spec.max_tokens,
            stop_sequences=spec.stop_sequences,
            echo_prompt=True,
            random=random,
        )
        return new_request_state(
            instance,
            request,
            num_train_instances=spec.max_train_instances,  # HELM: the maximum is reported although there are none
            num_conditioning_tokens=num_conditioning_tokens,
        )

    def _build(
        self, conditioning: list[TokenizationToken], prediction: list[TokenizationToken], max_length: int, text: str
    ) -> tuple[str, int]:
        """Return the prompt of a window and how many of its tokens only provide context.

        Decoding and encoding again may give more tokens; then prediction tokens are dropped from the end, and HELM
        predicts those in no later window either.
        """
        window = self.window_service
        raw = window.decode(conditioning + prediction, text)
        length = len(window.encode(raw).tokens)
        while length > max_length:
            prediction = prediction[: max(len(prediction) - (length - max_length), 0)]
            if not prediction:
                raise AdaptationError(
                    "Truncating pred_tokens to fit them in the context window, "
                    f"but none is left: {len(conditioning)} conditioning tokens fill {max_length}."
                )
            raw = window.decode(conditioning + prediction, text)
            length = len(window.encode(raw).tokens)
        prompt = raw.strip(_REPLACEMENT)
        if len(prompt) == len(raw):
            return prompt, len(conditioning)
        # A character split at either end is dropped; count the context tokens that remain.
        leading = max_length - len(window.encode(raw.lstrip(_REPLACEMENT)).tokens)
        trailing = max_length - len(window.encode(raw.rstrip(_REPLACEMENT)).tokens)
        if trailing >= len(prediction):
            return prompt, len(window.encode(prompt).tokens)
        if leading >= len(conditioning):
            return prompt, 1
        return prompt, len(conditioning) - leading
