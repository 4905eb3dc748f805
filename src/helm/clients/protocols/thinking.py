"""Reasoning effort as a number of tokens, and reasoning in tags within the text of an answer."""

from dataclasses import replace

from helm.clients.protocols.openai_protocol import split_thinking
from helm.common.request import GeneratedOutput, Request, RequestResult, Thinking
from helm.common.request_options import THINKING_TOKENS

_FEWEST_TOKENS = 1024
"""The smallest thinking budget that providers accept."""


def thinking_budget(effort: str, max_tokens: int) -> int:
    """Return the thinking budget in tokens, which is below `max_tokens`; 0 for the effort `none`."""
    return 0 if effort == "none" else max(_FEWEST_TOKENS, min(THINKING_TOKENS[effort], max_tokens * 3 // 4))


def why_no_budget(request: Request) -> str | None:
    """Return why a request's effort cannot be sent as a number of tokens; None if it can."""
    effort = request.options.reasoning_effort if request.options is not None else None
    if effort is None or effort == "none":
        return None
    if effort not in THINKING_TOKENS:
        return f"reasoning_effort takes none, {', '.join(THINKING_TOKENS)}, not '{effort}'"
    if request.max_tokens <= _FEWEST_TOKENS:
        return (
            f"{request.model_deployment} thinks with at least {_FEWEST_TOKENS} tokens, and max_tokens={request.max_tokens} "
            "leaves no room for an answer"
        )
    return None


def separate_thinking(request: Request, result: RequestResult) -> RequestResult:
    """Return the result with `<think>...</think>` in front of answers as their thinking, if the request asks for it."""
    if request.options is None or not request.options.split_thinking or not result.success:
        return result
    return replace(result, completions=[_separated(output) for output in result.completions])


def _separated(output: GeneratedOutput) -> GeneratedOutput:
    if output.thinking is not None:
        return output
    text, thinking = split_thinking(output.text)
    return output if thinking is None else replace(output, text=text, thinking=Thinking(thinking))
