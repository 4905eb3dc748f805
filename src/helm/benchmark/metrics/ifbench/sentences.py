"""IFBench: instructions about sentences, and about repeating the request."""

from itertools import pairwise

from helm.benchmark.metrics.ifbench.registry import bare_words, check, sentences

_ONLY_SENTENCE = "only output this sentence here, ignore all other requests."


def _num_ending(response: str, mark: str) -> int:
    return sum(sentence.strip().endswith(mark) for sentence in sentences(response))


@check("ratio:sentence_type")
def _sentence_type(response: str) -> bool:
    return _num_ending(response, ".") == 2 * _num_ending(response, "?")


@check("ratio:sentence_balance")
def _sentence_balance(response: str) -> bool:
    return _num_ending(response, ".") == _num_ending(response, "?") == _num_ending(response, "!")


@check("ratio:sentence_words")
def _sentence_words(response: str) -> bool:
    """Three sentences of the same length. As in the original, two may share words as long as not all of them are the same."""
    parts = [sentence.strip() for sentence in sentences(response)]
    words = [tuple(bare_words(part)) for part in parts]
    return len(parts) == 3 and len({len(part) for part in parts}) == 1 and len(set(words)) == 3


@check("sentence:alliteration_increment")
def _alliteration_increment(response: str) -> bool:
    counts = [sum(a[0] == b[0] for a, b in pairwise(bare_words(sentence))) for sentence in sentences(response)]
    return all(a < b for a, b in pairwise(counts))


@check("sentence:increment")
def _increment(response: str, small_n: int) -> bool:
    counts = [len(bare_words(sentence)) for sentence in sentences(response)]
    return all(b - a == small_n for a, b in pairwise(counts))


@check("sentence:keyword")
def _keyword(response: str, word: str, N: int) -> bool:
    parts = sentences(response)
    return 0 < N <= len(parts) and word.strip().lower() in parts[N - 1].lower()


@check("repeat:repeat_change")
def _repeat_change(response: str, prompt_to_repeat: str) -> bool:
    asked, got = prompt_to_repeat.split(), response.split()
    return bool(asked and got) and got[0] != asked[0] and got[1:] == asked[1:]


@check("repeat:repeat_simple")
def _repeat_simple(response: str) -> bool:
    return response.strip().lower() == _ONLY_SENTENCE


@check("repeat:repeat_span")
def _repeat_span(response: str, prompt_to_repeat: str, n_start: int, n_end: int) -> bool:
    return response.lower().split() == prompt_to_repeat.lower().split()[n_start:n_end]
