"""The interface of adapters, which turn instances into requests without sending them."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import cached_property

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.scenarios.scenario import Instance
from helm.benchmark.window_services.tokenizer_service import TokenizerService
from helm.benchmark.window_services.window_service import WindowService
from helm.common.request import Request


class Adapter(ABC):
    """Creates the request states of a run from its instances."""

    request_type: type = Request
    """The class of the requests it creates."""

    def __init__(self, adapter_spec: AdapterSpec, tokenizer_service: TokenizerService):
        self.adapter_spec = adapter_spec
        self.tokenizer_service = tokenizer_service

    @cached_property
    def window_service(self) -> WindowService:
        """Counts and truncates tokens with the deployment's tokenizer; created on first use."""
        from helm.benchmark.window_services.window_service_factory import WindowServiceFactory

        return WindowServiceFactory.get_window_service(self.adapter_spec.model_deployment, self.tokenizer_service)

    @abstractmethod
    def adapt(self, instances: list[Instance], parallelism: int) -> list[RequestState]:
        """Return request states without results, in a fixed order that does not depend on `parallelism`."""

    def adapt_each(self, instances: Iterable[Instance], parallelism: int) -> Iterator[RequestState]:
        """Yield what `adapt` returns. An adapter whose requests need nothing of other instances makes them one by one."""
        yield from self.adapt(list(instances), parallelism)
