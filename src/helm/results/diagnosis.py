"""Says when a run measures something else than its scenario means: cut, refused, empty and unreadable answers."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from helm.benchmark.adaptation.adapter_spec import (
    ADAPT_CHAT,
    ADAPT_GENERATION,
    ADAPT_GENERATION_MULTIMODAL,
    ADAPT_MULTIPLE_CHOICE_JOINT,
    ADAPT_MULTIPLE_CHOICE_JOINT_CHAIN_OF_THOUGHT,
    ADAPT_MULTIPLE_CHOICE_JOINT_MULTIMODAL,
)
from helm.benchmark.run_spec import RunSpec
from helm.common.request import Request, RequestResult
from helm.results.output_mapping import compile_pattern, map_output
from helm.results.run_files.coverage_file import FILTER_REASONS, AnswerCounts
from helm.results.run_files.run_folder import RUN_SPEC_FILE_NAME

_METHODS = frozenset(
    (
        ADAPT_CHAT,
        ADAPT_GENERATION,
        ADAPT_GENERATION_MULTIMODAL,
        ADAPT_MULTIPLE_CHOICE_JOINT,
        ADAPT_MULTIPLE_CHOICE_JOINT_CHAIN_OF_THOUGHT,
        ADAPT_MULTIPLE_CHOICE_JOINT_MULTIMODAL,
    )
)

_REFUSAL = re.compile(
    r"(?:i(?:'|’)m (?:really |very |so |truly )?sorry(?: that you[^.!?\n]{0,60}?, but)?|i am (?:really |"
    r"very )?sorry|sorry|i apologi[sz]e|my apologies|unfortunately|"
    r"thank you for your question)?"
    r"[,.!]?\s{0,3}(?:but )?(?:i (?:can(?:'|’)?t|can ?not|am (?:unable|not able) to|(?:'|’)m (?:unable|not able) to|won(?:'|’)t|"
    r"will not|must (?:decline|refuse)|have to decline|do not feel comfortable|don(?:'|’)t feel comfortable)|"
    r"i(?:'|’)m (?:unable|not able) to)\s(?:to )?"
    r"(?:help|assist|provide|answer|fulfil|comply|discuss|engage|support|share|create|generate|write|offer|participate|"
    r"continue|complete|do that|respond|give|with)"
    r"(?!ed|ing| but |(?:ing)? up\b|,? with (?:complete |full |absolute )?certainty|"
    r" [^.!?\n]{0,30}\b(?:better|exact|precise|definit\w+)\b)"
    r"|(?:i(?:'|’)m sorry, (?:but )?)?i(?:(?:'|’)d rather not|(?: must|(?:'|’)ll have to| have to) (?:decline|refuse)| refuse to"
    r"|(?:'|’)m not comfortable| am not comfortable| won(?:'|’)t be able to (?:help|assist|provide|answer))\b"
    r"|as an ai(?: language model| assistant)?,? i (?:can(?:'|’)?t|can ?not|am (?:unable|not able)|must decline)"
    r"|i can(?:'|’)t help with|lo siento, (?:pero )?no puedo|je suis désolée?, (?:mais )?je ne peux pas|"
    r"(?:es )?tut mir leid, (?:aber )?(?:ich kann|dabei kann)|mi dispiace, (?:ma )?non posso|desculpe, (?:mas )?(?:eu )?não posso"
    r"|(?:извините|к сожалению), (?:но )?я не могу|对不起，我(?:不能|无法)|"
    r"抱歉，我(?:不能|无法)|很抱歉，我(?:不能|无法)|申し訳(?:ありません|ございません)が",
)
_LONGEST_REFUSAL = 600
_SHORTEST_SHARE = 0.02
"""Fewer than this share of the answers is no reason for a warning."""
_LITTLE_ROOM = 64


def is_refusal(text: str, finish_reason: str | None = None) -> bool:
    """Return whether a completion is a refusal: by the finish reason, or a short text that begins like one."""
    if finish_reason is not None and finish_reason.lower() in FILTER_REASONS:
        return True
    words = text.strip().lstrip("*_\"'“ ")
    if len(words) > _LONGEST_REFUSAL or _REFUSAL.match(words[:200].lower()) is None:
        return False
    from helm.benchmark.extraction.answer_cues import find_cues

    return not find_cues(words)  # `I cannot be sure, but the answer is B`


def may_converse(run_spec: RunSpec) -> bool:
    """Return whether a model may be a chat model: all are, except those whose tags say that they only continue texts."""
    from helm.benchmark.model_metadata_registry import (
        FULL_FUNCTIONALITY_TEXT_MODEL_TAG,
        INSTRUCTION_FOLLOWING_MODEL_TAG,
        get_model_metadata,
    )

    try:
        tags = get_model_metadata(run_spec.adapter_spec.model).tags
    except (ValueError, KeyError):
        return True
    return INSTRUCTION_FOLLOWING_MODEL_TAG in tags or FULL_FUNCTIONALITY_TEXT_MODEL_TAG not in tags


def diagnose(run_spec: RunSpec, request_states: Iterable[Any]) -> AnswerCounts | None:
    """Count what is wrong with the answers of a run; None if nothing is, or if it does not apply to the run."""
    adapter_spec = run_spec.adapter_spec
    if adapter_spec.method not in _METHODS or not (run_spec.extractor_spec is not None or may_converse(run_spec)):
        return None
    counter = _Counter(run_spec)
    for state in request_states:
        if isinstance(state.result, RequestResult) and state.result.success:
            counter.add(state)
    return counter.finish()


class _Counter:
    def __init__(self, run_spec: RunSpec):
        from helm.benchmark.extraction.choice import choose_extraction

        self._run_spec = run_spec
        self._counts = AnswerCounts()
        self._pattern = compile_pattern(run_spec.adapter_spec.output_mapping_pattern, RUN_SPEC_FILE_NAME)
        chosen = None if run_spec.extractor_spec is not None else choose_extraction(run_spec)
        self._needs_number = chosen is not None and chosen.extractor_spec.class_name.endswith("NumberExtractor")

    def add(self, state: Any) -> None:
        counts, request = self._counts, state.request
        extracted = state.extracted
        for index, completion in enumerate(state.result.completions):
            if completion.multimodal_content is not None or completion.tool_calls:
                continue
            counts.answers += 1
            reason = completion.finish_reason
            reason_text = str(reason.get("reason")).lower() if isinstance(reason, Mapping) else ""
            text = completion.text
            if is_refusal(text, reason_text):
                counts.refused += 1
                continue
            bare = _without_thinking(text)
            if not bare or bare.isspace():
                thought = bool(text.strip()) or (completion.thinking is not None and bool(completion.thinking.text))
                if thought:
                    counts.empty_after_thinking += 1
                else:
                    counts.empty += 1
                continue
            found = self._is_found(state, bare, None if extracted is None else extracted[index], extracted is not None)
            if found:
                continue
            stop = _likely_stop(request) if reason_text == "stop" else None
            if reason_text == "length":
                counts.cut_at_max_tokens += 1
            elif stop is not None and (found is False or _ends_early(bare)):
                counts.cut_at_stop[stop] = counts.cut_at_stop.get(stop, 0) + 1
            elif found is False and not (self._needs_number and extracted is None):
                counts.unparsable += 1

    def _is_found(self, state: Any, text: str, extracted: str | None, is_extracted: bool) -> bool | None:
        """Return whether there is an answer; None if its form does not tell."""
        if is_extracted:
            return extracted is not None
        if state.output_mapping is not None:
            return map_output(text, state.output_mapping, self._pattern) is not None
        if self._needs_number:
            from helm.benchmark.extraction.number_extractor import states_number

            return states_number(text)
        return None

    def finish(self) -> AnswerCounts | None:
        counts = self._counts
        counts.cut_at_stop = dict(sorted(counts.cut_at_stop.items()))
        # Empty ones alone are among the requests already, and the table shows how many were answered.
        others = counts.cut_at_max_tokens, counts.refused, counts.empty_after_thinking, counts.unparsable
        if not any(others) and not counts.cut_at_stop:
            return None
        counts.warning = _describe(counts, self._run_spec)
        return counts


def _without_thinking(text: str) -> str:
    from helm.common.formats.thinking import without_thinking

    return without_thinking(text)


def _likely_stop(request: Any) -> str | None:
    """Return the stop sequence that has probably ended a completion: one with a line break, else the first one."""
    stops = request.stop_sequences if isinstance(request, Request) else []
    stops = [stop for stop in stops if isinstance(stop, str)]
    return next((stop for stop in stops if "\n" in stop), stops[0] if stops else None)


def _ends_early(text: str) -> bool:
    """Return whether a text announces more than it says: it ends with a colon, or inside a code block."""
    return text.rstrip(" *_`\n").endswith((":", "：")) or text.count("```") % 2 == 1


def _describe(counts: AnswerCounts, run_spec: RunSpec) -> str | None:
    """Return the warning about the most frequent problem."""
    spec = run_spec.adapter_spec
    is_extracted = run_spec.extractor_spec is not None
    is_chat = is_extracted or (spec.request_options is not None and bool(spec.request_options.split_thinking))
    shares: list[tuple[int, str]] = []
    for stop, count in counts.cut_at_stop.items():
        shown = stop.replace("\n", "\\n").replace("\t", "\\t")
        hint = "try stop=none" if is_chat else "try prompt=chat"
        shares.append((count, f"cut at `{shown}` before they gave an answer; {hint}"))
    more = max(1024, 4 * spec.max_tokens)
    room = f"try max_tokens={more}"
    if spec.max_tokens <= _LITTLE_ROOM and not is_chat:
        room = "try prompt=chat"
    shares.append((counts.cut_at_max_tokens, f"cut at max_tokens={spec.max_tokens} before they gave an answer; {room}"))
    shares.append((counts.empty_after_thinking, f"empty after thinking; {room}"))
    if is_extracted:
        unread = (
            "without an answer that the extraction finds; look at them with helm-server, or try another extraction="
        )
    else:
        unread = f"without the label of a choice; try {'extraction=letter' if is_chat else 'prompt=chat'}"
    shares.append((counts.unparsable, unread))
    shares.append((counts.refused, "refusals, which count as wrong"))
    count, words = max(shares, key=lambda share: share[0])
    if count < _SHORTEST_SHARE * counts.answers:
        return None
    return f"{count:,} of {counts.answers:,} answers were {words}"
