"""IFBench: instructions about words, their letters, number and place."""

import re
from itertools import pairwise

from helm.benchmark.metrics.ifbench.registry import (
    bare_words,
    check,
    lines_of,
    num_of,
    part_of_speech,
    sentences,
    stop_words,
)

_VOWELS = "aeiou"
_CONSONANT_CLUSTER = re.compile(r"[bcdfghjklmnpqrstvwxyz]{2}")
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_CONJUNCTIONS = frozenset("and but for nor or so yet".split())
_PRONOUNS = frozenset(
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself "
    "it its itself they them their theirs themselves".split()
)
_NAMES = (
    "Emma Liam Sophia Jackson Olivia Noah Ava Lucas Isabella Mason Mia Ethan Charlotte Alexander Amelia Benjamin Harper Leo Zoe "
    "Daniel Chloe Samuel Lily Matthew Grace Owen Abigail Gabriel Ella Jacob Scarlett Nathan Victoria Elijah Layla Nicholas "
    "Audrey David Hannah Christopher Penelope Thomas Nora Andrew Aria Joseph Claire Ryan Stella Jonathan"
).split()
"""The names that the instruction offers."""


@check("count:word_count_range")
def _word_count_range(response: str, min_words: int, max_words: int) -> bool:
    return min_words <= len(re.findall(r"\w+", response)) <= max_words


@check("count:unique_word_count")
def _unique_word_count(response: str, N: int) -> bool:
    return len(set(bare_words(response))) >= N


@check("ratio:stop_words")
def _stop_words(response: str, percentage: float) -> bool:
    words = bare_words(response)
    if not words:
        return False
    common = stop_words()
    return 100 * sum(word in common for word in words) / len(words) <= percentage


@check("ratio:overlap")
def _overlap(response: str, reference_text: str, percentage: float) -> bool:
    """The share of the response's sequences of three characters that the reference has, within two percent."""
    own, given = ({text[i : i + 3] for i in range(len(text) - 2)} for text in (response, reference_text))
    return bool(own) and percentage - 2 <= 100 * len(own & given) / len(own) <= percentage + 2


@check("count:conjunctions")
def _conjunctions(response: str, small_n: int) -> bool:
    return len(_CONJUNCTIONS & set(bare_words(response))) >= small_n


@check("count:person_names")
def _person_names(response: str, N: int) -> bool:
    return sum(bool(num_of(name, response)) for name in _NAMES) >= N


@check("count:numbers")
def _numbers(response: str, N: int) -> bool:
    return sum(word.isdigit() for word in bare_words(response)) == N


@check("count:pronouns")
def _pronouns(response: str, N: int) -> bool:
    return sum(word in _PRONOUNS for word in bare_words(response.replace("/", " "))) >= N


@check("count:words_japanese")
def _words_japanese(response: str, N: int) -> bool:
    words = response.split()
    return all(_JAPANESE.search(word) or word.isdigit() for word in words[N - 1 :: N])


@check("count:keywords_multiple")
def _keywords_multiple(
    response: str, keyword1: str, keyword2: str, keyword3: str, keyword4: str, keyword5: str
) -> bool:
    wanted = zip((keyword1, keyword2, keyword3, keyword4, keyword5), (1, 2, 3, 5, 7), strict=True)
    return all(num_of(keyword, response) == number for keyword, number in wanted)


@check("words:alphabet")
def _alphabet(response: str) -> bool:
    firsts = [ord(word[0]) - ord("a") for word in bare_words(response)]
    return bool(firsts) and all(0 <= a < 26 and b == (a + 1) % 26 for a, b in pairwise(firsts))


@check("words:vowel")
def _vowel(response: str) -> bool:
    return len(set(_VOWELS) & set(response.lower())) <= 3


@check("words:consonants")
def _consonants(response: str) -> bool:
    return all(_CONSONANT_CLUSTER.search(word) for word in bare_words(response))


@check("words:palindrome")
def _palindrome(response: str) -> bool:
    return sum(len(word) >= 5 and word == word[::-1] for word in bare_words(response)) >= 10


@check("words:prime_lengths")
def _prime_lengths(response: str) -> bool:
    return all(_is_prime(len(word)) for word in bare_words(response))


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


@check("words:start_verb")
def _start_verb(response: str) -> bool:
    words = response.split()
    return bool(words) and part_of_speech(words[0]).startswith("VB")


@check("words:repeats")
def _repeats(response: str, small_n: int) -> bool:
    words = bare_words(response)
    return all(words.count(word) <= small_n for word in set(words))


@check("words:odd_even_syllables")
def _odd_even_syllables(response: str) -> bool:
    parities = [num_syllables(word) % 2 for word in bare_words(response)]
    return all(a != b for a, b in pairwise(parities))


def num_syllables(word: str) -> int:
    """Return the syllables of an English word: groups of vowels, without a silent e at the end. At least 1.

    The original looks words up in a dictionary, from which this rule differs for irregular ones.
    """
    groups = len(re.findall(r"[aeiouy]+", word))
    if word.endswith("e") and not re.search(r"[^aeiouy]le$|[aeiouy]e$", word):
        groups -= 1
    return max(1, groups)


@check("words:last_first")
def _last_first(response: str) -> bool:
    parts = [bare_words(sentence) for sentence in sentences(response)]
    return all(a and b and a[-1] == b[0] for a, b in pairwise(parts))


@check("words:paragraph_last_first")
def _paragraph_last_first(response: str) -> bool:
    parts = [bare_words(line) for line in lines_of(response)]
    return all(words and words[0] == words[-1] for words in parts)


@check("words:no_consecutive")
def _no_consecutive(response: str) -> bool:
    return all(a[0] != b[0] for a, b in pairwise(bare_words(response)))


@check("words:keywords_specific_position")
def _keywords_specific_position(response: str, keyword: str, n: int, m: int) -> bool:
    parts = sentences(response)
    words = bare_words(parts[n - 1]) if 0 < n <= len(parts) else []
    return 0 < m <= len(words) and words[m - 1] == keyword.strip().lower()


@check("words:words_position")
def _words_position(response: str, keyword: str) -> bool:
    words = bare_words(response)
    return len(words) > 1 and words[1] == words[-2] == keyword.strip().lower()
