"""A `CompilerService` behind gRPC."""

from typing import Any, Protocol

from helm.common.optional_dependencies import needs_extra
from helm.compiler_gym import proto
from helm.compiler_gym.errors import StatusError

DEFAULT_MAX_MESSAGE_BYTES = 1 << 30
"""Large, because observations and programs of tens of megabytes are normal; protobuf's own limit is two gigabytes."""

_MAX_DETAILS_CHARACTERS = 60_000  # details are sent as metadata, which the channel options limit to 512 KiB


def import_grpc() -> Any:
    """Import the gRPC package; one clear message says when it is missing."""
    with needs_extra("compilers"):
        import grpc
    return grpc


def get_channel_options(max_message_bytes: int = DEFAULT_MAX_MESSAGE_BYTES) -> list[tuple[str, int]]:
    """Return the options that both ends of a connection use."""
    return [
        ("grpc.max_send_message_length", max_message_bytes),
        ("grpc.max_receive_message_length", max_message_bytes),
        ("grpc.max_metadata_size", 512 * 1024),
        ("grpc.enable_http_proxy", 0),
        ("grpc.so_reuseport", 0),
    ]


class Service(Protocol):
    """The interface of what can be served: `CompilerService` and `IsolatedCompilerService`."""

    def handle(self, call: str, request: Any) -> Any: ...


class GrpcServer:
    """Answers the eight calls of the service, and those of `CompilerBatchService`, on one port."""

    def __init__(
        self,
        service: Service,
        host: str = "127.0.0.1",
        port: int = 0,
        num_threads: int = 4,
        max_message_bytes: int = DEFAULT_MAX_MESSAGE_BYTES,
    ):
        """Open the port and start to serve.

        Args:
            service: answers the calls.
            host: address to listen on. The protocol has no authentication, so listen on other addresses than the loopback
                only in a network whose users may all run programs on this machine.
            port: port number; 0 chooses a free port, see `self.port`.
            num_threads: number of calls that are answered at the same time.
            max_message_bytes: size of the longest request or reply; -1 means no limit.
        Raises: OSError when the port cannot be opened.
        """
        grpc = import_grpc()
        from concurrent.futures import ThreadPoolExecutor

        self._server = grpc.server(
            ThreadPoolExecutor(max_workers=num_threads, thread_name_prefix="compiler-service"),
            options=get_channel_options(max_message_bytes),
        )
        for schema in (proto.get_schema(), proto.get_batch_schema()):
            handlers = {
                call: grpc.unary_unary_rpc_method_handler(
                    _make_handler(grpc, service, call),
                    request_deserializer=schema.messages[request].FromString,
                    response_serializer=lambda message: message.SerializeToString(),
                )
                for call, (request, _) in schema.calls.items()
            }
            self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(schema.service, handlers),))
        address = f"{f'[{host}]' if ':' in host else host}:{port}"
        try:
            self.port = self._server.add_insecure_port(address)
        except RuntimeError as error:
            raise OSError(f"Cannot listen on {address}: {error}") from error
        if self.port == 0:
            raise OSError(f"Cannot listen on {address}.")
        self._server.start()

    def stop(self, grace_s: float = 5.0) -> None:
        """Accept no more calls; wait up to `grace_s` seconds for those in progress, then abandon them."""
        self._server.stop(grace_s).wait()


def _make_handler(grpc: Any, service: Service, call: str) -> Any:
    def handle(request: Any, context: Any) -> Any:
        try:
            return service.handle(call, request)
        except StatusError as error:
            context.abort(grpc.StatusCode[error.status], error.details[:_MAX_DETAILS_CHARACTERS])

    return handle
