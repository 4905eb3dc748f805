"""Spans of OpenTelemetry: one for the command, below it one for each run, and below these one for each request.

Attributes of requests follow the semantic conventions for generative AI (`gen_ai.*`,
https://opentelemetry.io/docs/specs/semconv/gen-ai/). Where spans go is for the usual environment variables to say:
`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`.
"""

import json
import os
from typing import Any

from helm.common.optional_dependencies import needs_extra
from helm.common.telemetry.hooks import DEFERRED, FAILED, SENT, CommandEvent, Hooks, RequestEvent, RunEvent

_PROVIDERS = {
    "ai21": "ai21",
    "amazon": "aws.bedrock",
    "anthropic": "anthropic",
    "azure": "azure.ai.openai",
    "cohere": "cohere",
    "deepseek": "deepseek",
    "deepseek-ai": "deepseek",
    "google": "gcp.gen_ai",
    "groq": "groq",
    "ibm": "ibm.watsonx.ai",
    "mistralai": "mistral_ai",
    "openai": "openai",
    "perplexity": "perplexity",
    "xai": "x_ai",
}
"""The conventions' names of providers; others keep the word in the name of the deployment."""

_PARAMS = {
    "temperature": "gen_ai.request.temperature",
    "max_tokens": "gen_ai.request.max_tokens",
    "top_p": "gen_ai.request.top_p",
    "seed": "gen_ai.request.seed",
}


class OpenTelemetryHooks(Hooks):
    """Makes spans and exports them by OTLP over HTTP.

    A tracer provider that the process has set up already is used, otherwise one is made for the command.

    Raises: OptionalDependencyNotInstalled without the extra `opentelemetry`.
    """

    def __init__(self) -> None:
        with needs_extra("opentelemetry"):
            from opentelemetry import trace
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import SERVICE_NAME, Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor

        self._trace = trace
        provider = trace.get_tracer_provider()
        self._is_own = not isinstance(provider, TracerProvider)
        if self._is_own:
            named = os.environ.get("OTEL_SERVICE_NAME") or "helm"
            provider = TracerProvider(resource=Resource.create({SERVICE_NAME: named}))
            provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._provider: Any = provider
        self._tracer = provider.get_tracer("helm")
        self._command: Any = None
        self._runs: dict[str, Any] = {}
        self._sent: dict[int, RequestEvent] = {}

    def on_command_start(self, event: CommandEvent) -> None:
        self._command = self._tracer.start_span(event.program, start_time=_ns(event.at))
        self._command.set_attributes({"helm.suite": event.suite, "helm.runs": len(event.run_names)})

    def on_command_end(self, event: CommandEvent) -> None:
        for span in self._runs.values():
            span.end(end_time=_ns(event.at))
        self._command.set_attribute("helm.state", str(event.state))
        if event.message is not None:
            self._set_error(self._command, "", event.message)
        self._command.end(end_time=_ns(event.at))
        if self._is_own:
            self._provider.shutdown()
        else:
            self._provider.force_flush()

    def on_run_start(self, event: RunEvent) -> None:
        span = self._runs[event.run] = self._start(f"run {event.run}", self._command, event.at)
        span.set_attributes(
            {
                "helm.run": event.run,
                "helm.suite": event.suite,
                "gen_ai.request.model": event.model,
                "helm.model_deployment": event.model_deployment,
            }
        )

    def on_run_end(self, event: RunEvent) -> None:
        self._end_run(event)

    def on_run_failure(self, event: RunEvent) -> None:
        self._end_run(event)

    def on_request(self, event: RequestEvent) -> None:
        if event.state == SENT:
            self._sent[event.number] = event
            return
        sent = self._sent.pop(event.number, event)
        if event.state == DEFERRED:
            return
        kind = self._trace.SpanKind.CLIENT
        span = self._start(f"{event.kind} {event.model}", self._runs.get(event.run), sent.at, kind)
        attributes: dict[str, Any] = {
            "gen_ai.operation.name": event.kind,
            "gen_ai.provider.name": _PROVIDERS.get(event.provider, event.provider),
            "gen_ai.request.model": event.model,
            "helm.run": event.run,
            "helm.stage": event.stage,
            "helm.cached": event.cached,
            "helm.model_deployment": event.model_deployment,
            "helm.cost_usd": event.cost_usd,
            "helm.latency_s": event.latency_s,
            "gen_ai.usage.input_tokens": event.prompt_tokens,
            "gen_ai.usage.output_tokens": event.completion_tokens,
            "gen_ai.response.finish_reasons": event.finish_reasons or None,
        }
        attributes.update({name: event.params.get(param) for param, name in _PARAMS.items()})
        count = event.params.get("num_completions", 1)
        if count != 1:
            attributes["gen_ai.request.choice.count"] = count
        if event.prompt is not None:
            attributes["gen_ai.input.messages"] = _input_messages(event)
            attributes["gen_ai.output.messages"] = json.dumps(
                [_message("assistant", text) for text in event.completions or ()], ensure_ascii=False
            )
        span.set_attributes({name: value for name, value in attributes.items() if value is not None})
        if event.state == FAILED:
            self._set_error(span, event.outcome or "unknown", event.outcome)
        span.end(end_time=_ns(event.at))

    def _start(self, name: str, parent: Any, at: float, kind: Any = None) -> Any:
        context = None if parent is None else self._trace.set_span_in_context(parent)
        kind = self._trace.SpanKind.INTERNAL if kind is None else kind
        return self._tracer.start_span(name, context=context, kind=kind, start_time=_ns(at))

    def _end_run(self, event: RunEvent) -> None:
        span = self._runs.pop(event.run)
        attributes: dict[str, Any] = {
            "helm.state": event.state,
            "helm.score": event.score,
            "helm.score_name": event.score_name,
            "helm.cost_usd": event.cost_usd,
            "helm.stage": event.stage,
        }
        attributes.update({f"helm.requests.{name}": count for name, count in (event.requests or {}).items()})
        span.set_attributes({name: value for name, value in attributes.items() if value is not None})
        if event.error_type is not None:
            self._set_error(span, event.error_type, event.message)
        span.end(end_time=_ns(event.at))

    def _set_error(self, span: Any, kind: str, message: str | None) -> None:
        if kind:
            span.set_attribute("error.type", kind)
        span.set_status(self._trace.Status(self._trace.StatusCode.ERROR, message))


def _ns(seconds: float) -> int:
    return int(seconds * 1e9)


def _message(role: str, text: Any) -> dict[str, Any]:
    content = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
    return {"role": role, "parts": [{"type": "text", "content": content}]}


def _input_messages(event: RequestEvent) -> str:
    messages = [{"role": "user", "content": event.prompt}]
    if event.kind == "chat":
        messages = json.loads(event.prompt or "[]")
    found = [_message(str(message.get("role", "user")), message.get("content")) for message in messages]
    return json.dumps(found, ensure_ascii=False)
