"""One function per instruction, from a response (stripped) and arguments to whether it was followed.

Keywords, markers and section titles are used as regular expressions, unescaped, as in HELM.
"""

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from helm.benchmark.metrics.ifeval import missing_arguments as draw
from helm.benchmark.metrics.ifeval.language import count_capital_words, count_sentences, detect_language
from helm.common.errors import HelmError, MetricError, suggest

_PARAGRAPH_BREAK = re.compile(r"\s?\*\*\*\s?")
_WORD = re.compile(r"\w+")
_END_OF_FIRST_WORD = re.compile("[.,?!'\"]")
_PLACEHOLDER = re.compile(r"\[.*?\]")
_STAR_BULLET = re.compile(r"^\s*\*[^\*].*$", re.MULTILINE)
_DASH_BULLET = re.compile(r"^\s*-.*$", re.MULTILINE)
_HIGHLIGHT = re.compile(r"\*[^\n\*]*\*")
_DOUBLE_HIGHLIGHT = re.compile(r"\*\*[^\n\*]*\*\*")
_TITLE = re.compile(r"<<[^\n]+>>")
_ANSWERS = ("My answer is yes.", "My answer is no.", "My answer is maybe.")
_POSTSCRIPTS = {"P.P.S": r"\s*p\.\s?p\.\s?s.*$", "P.S.": r"\s*p\.\s?s\..*$"}


class UnknownInstructionError(MetricError, KeyError):
    """There is no instruction with this id, for which HELM raises KeyError."""

    __str__ = Exception.__str__


class RelationError(MetricError, ValueError):
    """A relation is neither `less than` nor `at least`, for which HELM raises ValueError."""


class ArgumentError(MetricError, TypeError, ValueError):
    """An instruction has no such argument, or its value is invalid. HELM raises TypeError or ValueError."""


@dataclass(frozen=True)
class Instruction:
    """An instruction, and how it is checked."""

    check: Callable[..., bool]
    """Takes the response, and the parameters by name."""

    parameters: dict[str, draw.Parameter] = field(default_factory=dict)
    """Parameters by name."""


INSTRUCTIONS: dict[str, Instruction] = {}


def _instruction(
    instruction_id: str, **parameters: draw.Parameter
) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    def register(check: Callable[..., bool]) -> Callable[..., bool]:
        INSTRUCTIONS[instruction_id] = Instruction(check, parameters)
        return check

    return register


def get_instruction(instruction_id: str) -> Instruction:
    """Return an instruction. Raises: UnknownInstructionError with the nearest id."""
    if instruction_id not in INSTRUCTIONS:
        raise UnknownInstructionError(
            f"Unknown instruction '{instruction_id}'.{suggest(str(instruction_id), INSTRUCTIONS)}"
        )
    return INSTRUCTIONS[instruction_id]


def _compare(count: int, relation: str, number: int) -> bool:
    return count < number if relation == "less than" else count >= number


# ---- Words


@_instruction("keywords:existence", keywords=draw.keywords)
def has_keywords(response: str, keywords: list[str]) -> bool:
    return all(re.search(keyword, response, re.IGNORECASE) for keyword in keywords)


@_instruction("keywords:frequency", keyword=draw.keyword, frequency=draw.whole_number(1, 3), relation=draw.relation)
def has_keyword_often(response: str, keyword: str, frequency: int, relation: str) -> bool:
    return _compare(len(re.findall(keyword.strip(), response, re.IGNORECASE)), relation, frequency)


@_instruction("keywords:forbidden_words", forbidden_words=draw.words)
def lacks_words(response: str, forbidden_words: list[str]) -> bool:
    return not any(re.search(rf"\b{word}\b", response, re.IGNORECASE) for word in forbidden_words)


@_instruction(
    "keywords:letter_frequency",
    letter=draw.letter,
    let_frequency=draw.whole_number(1, 10),
    let_relation=draw.relation,
)
def has_letter_often(response: str, letter: str, let_frequency: int, let_relation: str) -> bool:
    return _compare(response.lower().count(letter.lower()), let_relation, let_frequency)


@_instruction(
    "change_case:capital_word_frequency", capital_frequency=draw.whole_number(1, 20), capital_relation=draw.relation
)
def has_capital_words(response: str, capital_frequency: int, capital_relation: str) -> bool:
    return _compare(count_capital_words(response), capital_relation, capital_frequency)


# ---- Language and case


@_instruction("language:response_language", language=draw.language)
def is_in_language(response: str, language: str) -> bool:
    return detect_language(response) in (language, None)


@_instruction("change_case:english_capital")
def is_english_in_capitals(response: str) -> bool:
    return response.isupper() and detect_language(response) in ("en", None)


@_instruction("change_case:english_lowercase")
def is_english_in_small_letters(response: str) -> bool:
    return response.islower() and detect_language(response) in ("en", None)


@_instruction("punctuation:no_comma")
def has_no_comma(response: str) -> bool:
    return "," not in response


# ---- Length


@_instruction("length_constraints:number_sentences", num_sentences=draw.whole_number(1, 20), relation=draw.relation)
def has_sentences(response: str, num_sentences: int, relation: str) -> bool:
    return _compare(count_sentences(response), relation, num_sentences)


@_instruction("length_constraints:number_words", num_words=draw.whole_number(100, 500), relation=draw.relation)
def has_words(response: str, num_words: int, relation: str) -> bool:
    return _compare(len(_WORD.findall(response)), relation, num_words)


def _count_pieces(pieces: list[str]) -> int:
    """Count the pieces, without a blank first or last one; -1 if another one is blank."""
    inner = pieces[1:-1]
    if not all(piece.strip() for piece in inner):
        return -1
    return len(inner) + sum(bool(piece.strip()) for piece in {0: pieces[0], len(pieces) - 1: pieces[-1]}.values())


@_instruction("length_constraints:number_paragraphs", num_paragraphs=draw.whole_number(1, 5))
def has_paragraphs(response: str, num_paragraphs: int) -> bool:
    return _count_pieces(_PARAGRAPH_BREAK.split(response)) == num_paragraphs


@_instruction(
    "length_constraints:nth_paragraph_first_word",
    num_paragraphs=draw.whole_number(1, 5),
    nth_paragraph=draw.whole_number(1, 5),
    first_word=draw.word,
)
def starts_paragraph_with(response: str, num_paragraphs: int, nth_paragraph: int, first_word: str) -> bool:
    pieces = response.split("\n\n")
    count = sum(bool(piece.strip()) for piece in pieces)
    # HELM: blank pieces are not counted, but they are in the list from which the paragraph is taken.
    if nth_paragraph > count or not pieces[nth_paragraph - 1].strip():
        return False
    word = pieces[nth_paragraph - 1].split()[0].lstrip("'").lstrip('"')
    word = _END_OF_FIRST_WORD.split(word, maxsplit=1)[0]
    return count == num_paragraphs and word.lower() == first_word.lower()


# ---- Contents and format


@_instruction("detectable_content:number_placeholders", num_placeholders=draw.whole_number(1, 4))
def has_placeholders(response: str, num_placeholders: int) -> bool:
    return len(_PLACEHOLDER.findall(response)) >= num_placeholders


@_instruction("detectable_content:postscript", postscript_marker=draw.one_of("P.S.", "P.P.S"))
def has_postscript(response: str, postscript_marker: str) -> bool:
    marker = postscript_marker.strip()
    pattern = _POSTSCRIPTS.get(marker, rf"\s*{marker.lower()}.*$")
    return bool(re.search(pattern, response.lower(), re.MULTILINE))


@_instruction("detectable_format:number_bullet_lists", num_bullets=draw.whole_number(1, 5))
def has_bullets(response: str, num_bullets: int) -> bool:
    return len(_STAR_BULLET.findall(response)) + len(_DASH_BULLET.findall(response)) == num_bullets


@_instruction("detectable_format:constrained_response")
def is_one_of_the_answers(response: str) -> bool:
    return any(answer in response for answer in _ANSWERS)


@_instruction("detectable_format:number_highlighted_sections", num_highlights=draw.whole_number(1, 4))
def has_highlights(response: str, num_highlights: int) -> bool:
    count = sum(bool(text.strip("*").strip()) for text in _HIGHLIGHT.findall(response))
    count += sum(bool(text[2:-2].strip()) for text in _DOUBLE_HIGHLIGHT.findall(response))
    return count >= num_highlights


@_instruction(
    "detectable_format:multiple_sections",
    section_spliter=draw.one_of("Section", "SECTION"),
    num_sections=draw.whole_number(1, 5),
)
def has_sections(response: str, section_spliter: str, num_sections: int) -> bool:
    return len(re.split(rf"\s?{section_spliter.strip()}\s?\d+\s?", response)) - 1 >= num_sections


@_instruction("detectable_format:json_format")
def is_json(response: str) -> bool:
    for prefix in ("```json", "```Json", "```JSON", "```"):
        response = response.removeprefix(prefix)
    json.loads(response.removesuffix("```").strip())
    return True


@_instruction("detectable_format:title")
def has_title(response: str) -> bool:
    return any(title.lstrip("<").rstrip(">").strip() for title in _TITLE.findall(response))


@_instruction("combination:two_responses")
def has_two_responses(response: str) -> bool:
    pieces = response.split("******")
    texts = [piece.strip() for piece in pieces if piece.strip()]
    return _count_pieces(pieces) == 2 and texts[0] != texts[1]


@_instruction("combination:repeat_prompt", prompt_to_repeat=draw.required)
def repeats_prompt(response: str, prompt_to_repeat: str) -> bool:
    return response.lower().startswith(prompt_to_repeat.strip().lower())


@_instruction("startend:end_checker", end_phrase=draw.one_of("Is there anything else?", "That is all."))
def ends_with_phrase(response: str, end_phrase: str) -> bool:
    return response.strip('"').lower().endswith(end_phrase.strip().lower())


@_instruction("startend:quotation")
def is_quoted(response: str) -> bool:
    return len(response) > 1 and response[0] == '"' and response[-1] == '"'


# ---- Instructions of an instance


def is_followed(instruction_id: str, arguments: dict[str, Any], response: str, seed: str) -> bool:
    """Whether a response follows an instruction.

    A check that fails, for example on an invalid regular expression, returns false.

    Args:
        arguments: None, negative numbers and empty keywords count as missing.
        response: the response, stripped.
        seed: seed for drawing missing arguments.

    Raises: UnknownInstructionError, ArgumentError and RelationError; MetricError and OptionalDependencyNotInstalled if
    a package or its data are missing.
    """
    instruction = get_instruction(instruction_id)
    given = {name: value for name, value in arguments.items() if value is not None}
    for name in given:
        if name not in instruction.parameters:
            expected = ", ".join(instruction.parameters) or "none"
            raise ArgumentError(
                f"Instruction '{instruction_id}' has no argument '{name}'.{suggest(name, instruction.parameters)} "
                f"It takes: {expected}."
            )
        if name.endswith("relation") and given[name] not in draw.RELATIONS:
            raise RelationError(
                f"Instruction '{instruction_id}': {name} must be one of {', '.join(draw.RELATIONS)}, not {given[name]!r}."
            )
    try:
        complete = draw.complete(given, instruction.parameters, seed)
    except (TypeError, ValueError) as e:
        raise ArgumentError(f"Instruction '{instruction_id}' with {given}: {e}") from e
    if "nth_paragraph" in complete and not 1 <= complete["nth_paragraph"] <= complete["num_paragraphs"]:
        # HELM: an impossible position counts as missing.
        complete["nth_paragraph"] = random.Random(seed).randint(1, max(1, complete["num_paragraphs"]))
    if not response:
        return False
    return _run(instruction.check, response, complete)


def _run(check: Callable[..., bool], response: str, arguments: dict[str, Any]) -> bool:
    try:
        return bool(check(response, **arguments))
    except HelmError:  # a package or its data is missing
        raise
    except Exception:
        # HELM: a check that cannot be executed counts as not followed.
        return False
