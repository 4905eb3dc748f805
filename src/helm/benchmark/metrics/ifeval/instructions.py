"""IFEval's instructions as objects: fix the arguments with `build_description`, then call `check_following`."""

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

from helm.benchmark.metrics.ifeval import checks
from helm.benchmark.metrics.ifeval.missing_arguments import complete


class Instruction:
    """An instruction with its arguments. The subclasses are those of `instructions_registry.INSTRUCTION_DICT`."""

    kind = ""
    """The id in the data set, such as `keywords:existence`."""

    def __init__(self, instruction_id: str):
        self.id = instruction_id
        self._arguments: dict[str, Any] = {}

    def build_description(self, **arguments: Any) -> str:
        """Fix the arguments, drawing those that are missing or None (by the object's id), and return the instruction with them.

        The text is this package's own: `keywords:frequency: keyword=river, frequency=2, relation=at least`.
        """
        self._arguments = complete(arguments, checks.get_instruction(self.kind).parameters, seed=self.id)
        return ": ".join([self.kind, ", ".join(f"{name}={value}" for name, value in self._arguments.items())])

    def get_instruction_args(self) -> dict[str, Any] | None:
        """Return the arguments; None for an instruction without any."""
        return self._arguments or None

    def get_instruction_args_keys(self) -> list[str]:
        """Return the names of the arguments."""
        return list(checks.get_instruction(self.kind).parameters)

    def check_following(self, value: str) -> bool:
        """Whether a response follows the instruction. Raises: what `checks.is_followed` raises."""
        return checks.is_followed(self.kind, self._arguments, value, seed=self.id)


def _checker(name: str, kind: str) -> type[Instruction]:
    parameters = [
        Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=None)
        for name in checks.get_instruction(kind).parameters
    ]
    signature = Signature(parameters)

    def build_description(self: Instruction, *args: Any, **kwargs: Any) -> str:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return Instruction.build_description(self, **bound.arguments)

    own = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
    build_description.__signature__ = Signature([own, *parameters])  # type: ignore[attr-defined]
    build_description.__doc__ = Instruction.build_description.__doc__
    methods: dict[str, str | Callable[..., str]] = {"kind": kind, "build_description": build_description}
    return type(name, (Instruction,), {"__module__": __name__, "__doc__": f"The instruction `{kind}`.", **methods})


BulletListChecker = _checker("BulletListChecker", "detectable_format:number_bullet_lists")
CapitalLettersEnglishChecker = _checker("CapitalLettersEnglishChecker", "change_case:english_capital")
CapitalWordFrequencyChecker = _checker("CapitalWordFrequencyChecker", "change_case:capital_word_frequency")
CommaChecker = _checker("CommaChecker", "punctuation:no_comma")
ConstrainedResponseChecker = _checker("ConstrainedResponseChecker", "detectable_format:constrained_response")
EndChecker = _checker("EndChecker", "startend:end_checker")
ForbiddenWords = _checker("ForbiddenWords", "keywords:forbidden_words")
HighlightSectionChecker = _checker("HighlightSectionChecker", "detectable_format:number_highlighted_sections")
JsonFormat = _checker("JsonFormat", "detectable_format:json_format")
KeywordChecker = _checker("KeywordChecker", "keywords:existence")
KeywordFrequencyChecker = _checker("KeywordFrequencyChecker", "keywords:frequency")
LetterFrequencyChecker = _checker("LetterFrequencyChecker", "keywords:letter_frequency")
LowercaseLettersEnglishChecker = _checker("LowercaseLettersEnglishChecker", "change_case:english_lowercase")
NumberOfSentences = _checker("NumberOfSentences", "length_constraints:number_sentences")
NumberOfWords = _checker("NumberOfWords", "length_constraints:number_words")
ParagraphChecker = _checker("ParagraphChecker", "length_constraints:number_paragraphs")
ParagraphFirstWordCheck = _checker("ParagraphFirstWordCheck", "length_constraints:nth_paragraph_first_word")
PlaceholderChecker = _checker("PlaceholderChecker", "detectable_content:number_placeholders")
PostscriptChecker = _checker("PostscriptChecker", "detectable_content:postscript")
QuotationChecker = _checker("QuotationChecker", "startend:quotation")
RepeatPromptThenAnswer = _checker("RepeatPromptThenAnswer", "combination:repeat_prompt")
ResponseLanguageChecker = _checker("ResponseLanguageChecker", "language:response_language")
SectionChecker = _checker("SectionChecker", "detectable_format:multiple_sections")
TitleChecker = _checker("TitleChecker", "detectable_format:title")
TwoResponsesChecker = _checker("TwoResponsesChecker", "combination:two_responses")
