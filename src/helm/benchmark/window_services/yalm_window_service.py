from helm.benchmark.window_services.local_window_service import LocalWindowService


class YaLMWindowService(LocalWindowService):
    """For the tokenizer of YaLM; it behaves like any other."""
