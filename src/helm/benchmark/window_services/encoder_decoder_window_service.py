from helm.benchmark.window_services.local_window_service import LocalWindowService
from helm.common.hierarchical_logger import hwarn


class EncoderDecoderWindowService(LocalWindowService):
    """For encoder-decoder models: prompt and completion do not share the window, so each may fill it."""

    _has_warned = False

    @property
    def max_output_length(self) -> int:
        return self.max_sequence_length

    def fits_within_context_window(self, text: str, expected_completion_token_length: int = 0) -> bool:
        if expected_completion_token_length > self.max_output_length and not self._has_warned:
            self._has_warned = True
            hwarn(
                f"max_tokens={expected_completion_token_length} is more than the longest completion of this model, "
                f"{self.max_output_length} tokens"
            )
        return self.get_num_tokens(text) <= self.max_request_length

    def truncate_from_right(self, text: str, expected_completion_token_length: int = 0) -> str:
        return self._truncate(text, 0)
