from helm.benchmark.window_services.local_window_service import LocalWindowService


class CLIPWindowService(LocalWindowService):
    """For image models with CLIP's text encoder: the image takes no part of the window."""

    def truncate_from_right(self, text: str, expected_completion_token_length: int = 0) -> str:
        # HELM: fits_within_context_window counts the completion, but truncation does not.
        return self._truncate(text, 0)
