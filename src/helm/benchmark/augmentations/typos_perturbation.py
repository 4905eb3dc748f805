from functools import cached_property
from random import Random

from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription, TyposDescription

_NEIGHBOURS = {
    "q": "was", "w": "qesad", "e": "wsdfr", "r": "edfgt", "t": "rfghy", "y": "tghju", "u": "yhjki", "i": "ujklo",
    "o": "iklp", "p": "ol", "a": "qwsz", "s": "weadzx", "d": "erfcxs", "f": "rtgvcd", "g": "tyhbvf", "h": "yujnbg",
    "j": "uikmnh", "k": "iolmj", "l": "opk", "z": "asx", "x": "sdcz", "c": "dfvx", "v": "fgbc", "b": "ghnv",
    "n": "hjmb", "m": "jkn",
}  # fmt: skip
"""Keys next to each key of an English keyboard, in the order used for drawing."""


class TyposPerturbation(TextPerturbation):
    """Replaces each letter, with probability `prob`, by one next to it on the keyboard, keeping its case."""

    name = "typos"
    Description = TyposDescription

    def __init__(self, prob: float):
        self.prob = prob

    @cached_property
    def description(self) -> PerturbationDescription:
        return TyposDescription(name=self.name, robustness=True, prob=self.prob)

    def perturb(self, text: str, rng: Random) -> str:
        typed = []
        for character in text:
            lower = character.lower()
            neighbours = _NEIGHBOURS.get(lower)
            new = rng.choice(neighbours) if neighbours and rng.random() < self.prob else lower
            typed.append(new.upper() if character != lower else new)
        return "".join(typed)
