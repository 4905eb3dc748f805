from helm.benchmark.window_services.local_window_service import LocalWindowService


class DefaultWindowService(LocalWindowService):
    """The window service of deployments that name a tokenizer and no window service of their own."""
