from helm.benchmark.window_services.local_window_service import LocalWindowService


class ICEWindowService(LocalWindowService):
    """For the tokenizer of GLM; it behaves like any other."""
