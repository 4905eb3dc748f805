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
        nested = parallel_map(self.windows, instances, threads, description="prompts")
        states = [state for states in nested for state in states]
        hlog(f"{len(states)} requests")
        return states

    def windows(self, instance: Instance) -> list[RequestState]:
        """Return the requests that cover the text of an instance."""
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
        prompt, _ = self.construct_language_modeling_prompt(
            window.encode(window.prefix_token).tokens, tokens[:predicted], max_length, text
        )
        # HELM: the prefix always counts as one token, and only the first window gets `random`.
        states = [self._state(instance, prompt, 1 if window.prefix_token else 0, random=spec.random)]
        while predicted < len(tokens):
            end = predicted + min(len(tokens) - predicted, max_length - 1)
            # HELM: `end - max_length` may be negative; the slice then loses the beginning of the context.
            conditioning = tokens[end - max_length : predicted]
            prompt, num_conditioning = self.construct_language_modeling_prompt(
                conditioning, tokens[predicted:end], max_length, text
            )
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

    def fits_tokens_within_context_window(
        self,
        conditioning_tokens: list[TokenizationToken],
        pred_tokens: list[TokenizationToken],
        max_req_len: int,
        text: str | None = None,
    ) -> tuple[str, list[TokenizationToken]]:
        """Return the decoded tokens, and the prediction tokens among them, of which as many are dropped as do not fit.

        Decoding and encoding again may give more tokens; HELM predicts those that are dropped in no later window either.
        Raises: AdaptationError if no prediction token is left.
        """
        window = self.window_service
        raw = window.decode(conditioning_tokens + pred_tokens, text)
        length = len(window.encode(raw).tokens)
        while length > max_req_len:
            pred_tokens = pred_tokens[: max(len(pred_tokens) - (length - max_req_len), 0)]
            if not pred_tokens:
                raise AdaptationError(
                    "Truncating pred_tokens to fit them in the context window, "
                    f"but none is left: {len(conditioning_tokens)} conditioning tokens fill {max_req_len}."
                )
            raw = window.decode(conditioning_tokens + pred_tokens, text)
            length = len(window.encode(raw).tokens)
        return raw, pred_tokens

    def construct_language_modeling_prompt(
        self,
        conditioning_tokens: list[TokenizationToken],
        pred_tokens: list[TokenizationToken],
        max_req_len: int,
        text: str,
    ) -> tuple[str, int]:
        """Return the prompt of a window and how many of its tokens only provide context. Raises: AdaptationError."""
        raw, pred_tokens = self.fits_tokens_within_context_window(conditioning_tokens, pred_tokens, max_req_len, text)
        window = self.window_service
        prompt = raw.strip(_REPLACEMENT)
        if len(prompt) == len(raw):
            return prompt, len(conditioning_tokens)
        # A character split at either end is dropped; count the context tokens that remain.
        leading = max_req_len - len(window.encode(raw.lstrip(_REPLACEMENT)).tokens)
        trailing = max_req_len - len(window.encode(raw.rstrip(_REPLACEMENT)).tokens)
        if trailing >= len(pred_tokens):
            return prompt, len(window.encode(prompt).tokens)
        if leading >= len(conditioning_tokens):
            return prompt, 1
        return prompt, len(conditioning_tokens) - leading
