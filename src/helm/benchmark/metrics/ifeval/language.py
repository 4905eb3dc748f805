"""Identifies languages and counts sentences, with the optional packages that define IFEval."""

from functools import cache
from typing import Any

from helm.common.errors import MetricError
from helm.common.optional_dependencies import needs_extra

_SEED = 0


@cache
def _load_detector_factory() -> Any:
    with needs_extra("metrics"):
        from langdetect.detector_factory import PROFILES_DIRECTORY, DetectorFactory
    factory = DetectorFactory()
    factory.load_profile(PROFILES_DIRECTORY)
    # langdetect samples the text at random. HELM leaves it unseeded, so the language of short texts may change from run
    # to run; here the same text always has the same language.
    factory.seed = _SEED
    return factory


def detect_language(text: str) -> str | None:
    """Return the code of the language (ISO 639-1, Chinese with a region); None for a text without letters."""
    factory = _load_detector_factory()
    from langdetect.lang_detect_exception import LangDetectException

    detector = factory.create()
    detector.append(text)
    try:
        return detector.detect()
    except LangDetectException:
        return None


def count_sentences(text: str) -> int:
    """Count sentences with NLTK's Punkt for English. Raises: MetricError if its data are not installed."""
    with needs_extra("metrics"):
        import nltk
    try:
        return len(nltk.sent_tokenize(text))
    except LookupError as e:
        raise MetricError(
            "Counting sentences (length_constraints:number_sentences) needs NLTK's data 'punkt_tab'. "
            "Install it with: python -m nltk.downloader punkt_tab"
        ) from e


def count_capital_words(text: str) -> int:
    """Count the word tokens in the style of the Penn Treebank whose letters are all capitals.

    Sentence boundaries do not matter: `USA.` counts with or without the period.
    """
    return sum(token.isupper() for token in _load_word_tokenizer().tokenize(text))


@cache
def _load_word_tokenizer() -> Any:
    with needs_extra("metrics"):
        from nltk.tokenize.destructive import NLTKWordTokenizer
    return NLTKWordTokenizer()
