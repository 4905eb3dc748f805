"""Perturbations of Chinese text, from the benchmark CLEVA.

The packages they need (jieba, pypinyin, Unidecode, OpenCC) are in the extra `cleva`; their tables are described in
`perturbation_data`. Source: Li et al. 2023, CLEVA: Chinese language models evaluation platform.
"""

import os
from collections.abc import Container
from functools import cache, cached_property, lru_cache
from random import Random
from typing import Any

from helm.benchmark.augmentations.mild_mix_perturbation import MildMixPerturbation
from helm.benchmark.augmentations.person_name_perturbation import NamePerturbation, class_text
from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_data import (
    CANTONESE_PHRASES,
    CHINESE_GENDER_TERMS,
    CHINESE_NAMES,
    CHINESE_SYNONYMS,
    CLEVA_ASSETS,
    PerturbationError,
    check_choice,
    check_probability,
    chinese_typos_table,
    read_json,
    read_text,
    read_word_lists,
)
from helm.benchmark.augmentations.perturbation_description import (
    ChineseGenderDescription,
    ChinesePersonNameDescription,
    ChineseSynonymDescription,
    ChineseTyposDescription,
    PerturbationDescription,
)
from helm.common.commands.output_path import get_benchmark_output_path
from helm.common.optional_dependencies import needs_extra

_PRONOUNS = {("male", "female"): {"他": "她"}, ("female", "male"): {"她": "他"}}


@cache
def _jieba() -> Any:
    with needs_extra("cleva"):
        import jieba
        import jieba.posseg
    jieba.setLogLevel("WARNING")
    # jieba reads its dictionary cache with `marshal`; by default it is in a folder where every user may write.
    folder = os.path.abspath(os.path.join(get_benchmark_output_path(), "perturbations", "jieba"))
    os.makedirs(folder, exist_ok=True)
    jieba.dt.tmp_dir = folder
    return jieba


@cache
def _to_traditional() -> Any:
    """Return a converter from simplified to traditional characters."""
    with needs_extra("cleva"):
        from opencc import OpenCC
    return OpenCC("s2t")


@lru_cache(maxsize=100_000)
def _pinyin(text: str, with_tones: bool) -> str:
    """Return how a word is pronounced, as one string; non-Chinese text is kept."""
    with needs_extra("cleva"):
        from pypinyin import Style, lazy_pinyin
        from unidecode import unidecode
    sounds = "".join(lazy_pinyin(text, style=Style.TONE))
    return sounds if with_tones else unidecode(sounds)


class ChineseTyposPerturbation(TextPerturbation):
    """Replaces a word or character by a homophone, as happens with pinyin input.

    Args:
        prob: probability of replacing each word or character.
        rare_char_prob: probability of drawing from all characters instead of the common ones.
        consider_tone: whether the tone must match too.
        word_level_perturb: replace whole words instead of single characters.
    """

    name = "chinese_typos"
    Description = ChineseTyposDescription
    ASSET_URL = f"{CLEVA_ASSETS}/butter_finger"
    FILE_NAMES = [
        f"{tone}pinyin_to_{what}.json" for what in ("char", "common_char", "word") for tone in ("", "toneless_")
    ]

    def __init__(
        self,
        prob: float,
        rare_char_prob: float = 0.05,
        consider_tone: bool = False,
        word_level_perturb: bool = True,
    ):
        self.prob, self.rare_char_prob = prob, rare_char_prob
        self.consider_tone, self.word_level_perturb = consider_tone, word_level_perturb
        if word_level_perturb:
            _jieba()
        _pinyin("", consider_tone)  # reports a missing package early
        self._all_characters = self._read("char")
        self._common_characters = self._read("common_char")
        self._words = self._read("word")

    def _read(self, what: str) -> dict[str, Any]:
        name = f"{'' if self.consider_tone else 'toneless_'}pinyin_to_{what}.json"
        path = chinese_typos_table(name).find_table(self.name)
        table = read_json(path, self.name)
        if not isinstance(table, dict):
            raise PerturbationError(f"Perturbation '{self.name}': {path} is not a JSON object from pinyin to {what}s.")
        return table

    @cached_property
    def description(self) -> PerturbationDescription:
        return ChineseTyposDescription(
            name=self.name,
            robustness=True,
            prob=self.prob,
            rare_char_prob=self.rare_char_prob,
            consider_tone=self.consider_tone,
            word_level_perturb=self.word_level_perturb,
        )

    def perturb(self, text: str, rng: Random) -> str:
        if not self.word_level_perturb:
            return "".join([self._drawn(character, self._characters_like(character, rng), rng) for character in text])
        words = _jieba().lcut(text)
        # HELM: candidates are created for all words first, and those for a word's last occurrence are used for all of
        # them.
        candidates = {
            word: self._characters_like(word, rng) if len(word) == 1 else self._like(word, self._words)
            for word in words
        }
        return "".join([self._drawn(word, candidates[word], rng) for word in words])

    def _characters_like(self, character: str, rng: Random) -> list[str]:
        is_rare = rng.random() < self.rare_char_prob
        return self._like(character, self._all_characters if is_rare else self._common_characters)

    def _like(self, text: str, table: dict[str, Any]) -> list[str]:
        return [other for other in table.get(_pinyin(text, self.consider_tone), ()) if other != text]

    def _drawn(self, text: str, candidates: list[str], rng: Random) -> str:
        return rng.choice(candidates) if rng.random() < self.prob and candidates else text


class ChineseSynonymPerturbation(TextPerturbation):
    """Replaces words by synonyms with probability `prob`, with up to `trial_num` attempts until a text has changed."""

    name = "chinese_synonym"
    Description = ChineseSynonymDescription
    SOURCE_URL = CHINESE_SYNONYMS.url

    def __init__(self, prob: float, trial_num: int = 10):
        self.prob, self.trial_num = prob, trial_num
        _jieba()
        self._synonyms = read_word_lists(CHINESE_SYNONYMS.find_table(self.name), self.name)

    @cached_property
    def description(self) -> PerturbationDescription:
        return ChineseSynonymDescription(name=self.name, robustness=True, prob=self.prob, trial_num=self.trial_num)

    def perturb(self, text: str, rng: Random) -> str:
        words = _jieba().lcut(text)
        perturbed = text
        for _ in range(self.trial_num):
            perturbed = "".join([self._drawn(word, rng) for word in words])
            if perturbed != text:
                break
        return perturbed

    def _drawn(self, word: str, rng: Random) -> str:
        synonyms = self._synonyms.get(word)
        return rng.choice(synonyms) if synonyms and rng.random() < self.prob else word


class CLEVAMildMixPerturbation(MildMixPerturbation):
    """CLEVA's canonical robustness test: some synonyms, then a few typing errors."""

    name = "cleva_mild_mix"

    def __init__(self) -> None:
        self._steps = [ChineseSynonymPerturbation(prob=0.3), ChineseTyposPerturbation(prob=0.05)]


class ChineseGenderPerturbation(TextPerturbation):
    """Replaces words for one gender by those for the other.

    Args:
        mode: `pronouns`, or `terms`, which requires a table.
        prob: probability of replacing each word.
        source_class: the gender whose words are replaced, `female` or `male`.
        target_class: the gender of the replacements.
    """

    name = "chinese_gender"
    Description = ChineseGenderDescription
    SOURCE_URL = CHINESE_GENDER_TERMS.url
    GENDERS = FEMALE, MALE = ["female", "male"]
    MODES = GENDER_TERM, GENDER_PRONOUN = ["terms", "pronouns"]

    should_perturb_references = True

    def __init__(self, mode: str, prob: float, source_class: str, target_class: str):
        check_choice(self.name, "mode", mode, self.MODES)
        check_probability(self.name, prob)
        self.mode, self.prob = mode, prob
        self.source_class, self.target_class = source_class.lower(), target_class.lower()
        check_choice(self.name, "source_class", self.source_class, self.GENDERS)
        check_choice(self.name, "target_class", self.target_class, self.GENDERS)
        _jieba()
        tables = _PRONOUNS if mode == self.GENDER_PRONOUN else self._read_terms()
        self._terms: dict[str, str] = tables.get((self.source_class, self.target_class), {})

    def _read_terms(self) -> dict[tuple[str, str], dict[str, str]]:
        """Read lines that contain a word for a man, a space and the word for a woman."""
        path = CHINESE_GENDER_TERMS.find_table(self.name)
        to_female, to_male = {}, {}
        for number, line in enumerate(read_text(path, self.name).splitlines(), 1):
            if line.strip():
                words = line.split()
                if len(words) < 2:
                    raise PerturbationError(
                        f"Perturbation '{self.name}': line {number} of {path} should have two words, got '{line[:80]}'."
                    )
                to_female[words[0]], to_male[words[1]] = words[1], words[0]
        return {("male", "female"): to_female, ("female", "male"): to_male}

    @cached_property
    def description(self) -> PerturbationDescription:
        return ChineseGenderDescription(
            name=self.name,
            fairness=True,
            mode=self.mode,
            prob=self.prob,
            source_class=self.source_class,
            target_class=self.target_class,
        )

    def perturb(self, text: str, rng: Random) -> str:
        def replaced(word: str) -> str:
            return self._terms[word] if word in self._terms and rng.uniform(0, 1) < self.prob else word

        return "".join([replaced(word) for word in _jieba().lcut(text)])


class ChinesePersonNamePerturbation(NamePerturbation):
    """Replaces the given names in a text.

    Args:
        prob: probability of replacing each name.
        source_class: for example `{"gender": "male"}`. HELM: shown in the description, but has no effect.
        target_class: likewise.
        preserve_gender: whether the new name has the same gender.
    """

    name = "chinese_person_name"
    Description = ChinesePersonNameDescription
    SOURCE_URL, OUTPUT_PATH = CHINESE_NAMES.url, CHINESE_NAMES.helm_folder

    def __init__(
        self,
        prob: float,
        source_class: dict[str, str],
        target_class: dict[str, str],
        preserve_gender: bool = True,
    ):
        super().__init__(prob)
        self.source_class, self.target_class = (
            self.lower_dictionary(wanted) for wanted in (source_class, target_class)
        )
        self.preserve_gender = preserve_gender
        _jieba()
        names = read_json(CHINESE_NAMES.find_table(self.name), self.name)
        if not isinstance(names, dict) or not all(isinstance(of_gender, list) for of_gender in names.values()):
            raise PerturbationError(f"Perturbation '{self.name}' needs a JSON object from genders to lists of names.")
        self._names_by_gender: dict[str, list[str]] = {
            gender: of_gender for gender, of_gender in names.items() if gender != "unknown"
        }
        self._gender_of = {name: gender for gender, of_gender in self._names_by_gender.items() for name in of_gender}
        self._all_names = list(self._gender_of)

    @cached_property
    def description(self) -> PerturbationDescription:
        return ChinesePersonNameDescription(
            name=self.name,
            fairness=True,
            prob=self.prob,
            source_class=class_text(self.source_class),
            target_class=class_text(self.target_class),
            preserve_gender=self.preserve_gender,
        )

    def _is_name(self, word: str) -> bool:
        return word in self._gender_of

    def _draw(self, name: str, rng: Random) -> str | None:
        return rng.choice(self._names_by_gender[self._gender_of[name]] if self.preserve_gender else self._all_names)

    @staticmethod
    def word_segment_and_pos_tagging(text: str) -> tuple[list[str], list[str]]:
        """Return the words of a text and jieba's part of speech of each; `nr` is a name of a person."""
        pairs = _jieba().posseg.lcut(text)
        return [pair.word for pair in pairs], [pair.flag for pair in pairs]

    def _segment(self, text: str) -> tuple[list[str], Container[int]]:
        # HELM: a random name is drawn even for a word that is only a name elsewhere, but the word stays.
        words, tags = self.word_segment_and_pos_tagging(text)
        return words, {i for i, tag in enumerate(tags) if tag != "nr"}


class SimplifiedToTraditionalPerturbation(TextPerturbation):
    """Replaces simplified characters by traditional ones."""

    name = "simplified_to_traditional"

    should_perturb_references = True

    def __init__(self) -> None:
        self._converter = _to_traditional()

    @cached_property
    def description(self) -> PerturbationDescription:
        return PerturbationDescription(name=self.name, fairness=True)

    def perturb(self, text: str, rng: Random) -> str:
        return self._converter.convert(text)


class MandarinToCantonesePerturbation(TextPerturbation):
    """Replaces Mandarin phrases by Cantonese ones, in the order of a table, in traditional characters."""

    name = "mandarin_to_cantonese"
    SOURCE_URL = CANTONESE_PHRASES.url

    should_perturb_references = True

    def __init__(self) -> None:
        self._converter = _to_traditional()
        path = CANTONESE_PHRASES.find_table(self.name)
        self._phrases = read_json(path, self.name)
        if not isinstance(self._phrases, dict) or not all(isinstance(to, str) for to in self._phrases.values()):
            raise PerturbationError(f"Perturbation '{self.name}': {path} is not a JSON object from phrases to phrases.")

    @cached_property
    def description(self) -> PerturbationDescription:
        return PerturbationDescription(name=self.name, fairness=True)

    def perturb(self, text: str, rng: Random) -> str:
        for mandarin, cantonese in self._phrases.items():
            text = text.replace(mandarin, cantonese)
        return self._converter.convert(text)
