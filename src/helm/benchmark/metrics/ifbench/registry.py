"""The checks of IFBench by the name of their instruction, and what they share."""

import re
import string
from collections.abc import Callable
from functools import cache
from typing import Any

from helm.common.errors import MetricError
from helm.common.hierarchical_logger import hwarn
from helm.common.optional_dependencies import needs_extra

Check = Callable[..., bool]
"""Takes a response, and the arguments of the instruction by name."""

CHECKS: dict[str, Check] = {}

_ABBREVIATIONS = "dr mr mrs ms prof st vs etc e.g i.e u.s u.k a.m p.m jr sr inc co corp no vol fig al".split()

_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def check(instruction_id: str) -> Callable[[Check], Check]:
    """Decorator: register the check of an instruction."""

    def register(function: Check) -> Check:
        CHECKS[instruction_id] = function
        return function

    return register


def bare_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation; words of punctuation alone are left out."""
    return text.translate(_NO_PUNCTUATION).lower().split()


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, by NLTK's Punkt for English.

    Without its data, Punkt knows only a few abbreviations, and a warning says so: scores may then differ from published ones.
    """
    with needs_extra("metrics"):
        import nltk
    try:
        return [str(sentence) for sentence in nltk.sent_tokenize(text)]
    except LookupError:
        return [str(sentence) for sentence in _untrained_punkt().tokenize(text)]


@cache
def _untrained_punkt() -> Any:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    hwarn(
        "IFBench: sentences are split without NLTK's data 'punkt_tab', so scores may differ from published ones. "
        "Install it with: python -m nltk.downloader punkt_tab"
    )
    parameters = PunktParameters()
    parameters.abbrev_types = set(_ABBREVIATIONS)
    return PunktSentenceTokenizer(parameters)


def part_of_speech(word: str) -> str:
    """Return the tag of a word on its own, by NLTK. Raises: MetricError if its data are not installed."""
    return str(_with_nltk("averaged_perceptron_tagger_eng", lambda nltk: nltk.pos_tag([word]))[0][1])


def stop_words() -> frozenset[str]:
    """Return NLTK's English stop words. Raises: MetricError if its data are not installed."""
    return frozenset(_with_nltk("stopwords", lambda nltk: nltk.corpus.stopwords.words("english")))


def _with_nltk(data: str, function: Callable[[Any], Any]) -> Any:
    with needs_extra("metrics"):
        import nltk
    try:
        return function(nltk)
    except LookupError as e:
        raise MetricError(
            f"An instruction of IFBench needs NLTK's data '{data}'. Install it with: python -m nltk.downloader {data}"
        ) from e


def lines_of(text: str) -> list[str]:
    """Return the lines that are not blank."""
    return [line for line in text.split("\n") if line.strip()]


def num_of(word: str, text: str) -> int:
    """Return how often a word stands in a text, whatever its case."""
    return len(re.findall(rf"\b{re.escape(word.strip())}\b", text, re.IGNORECASE))
