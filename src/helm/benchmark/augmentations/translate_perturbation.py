from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random

from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.clients.google_translate_client import GoogleTranslateClient


@dataclass(frozen=True)
class TranslateDescription(PerturbationDescription):
    """Description of the perturbation `translate`. HELM: `language_code` is lost when files are read."""

    language_code: str = ""


class TranslatePerturbation(TextPerturbation):
    """Translates input and references with Google Translate.

    Args:
        language_code: ISO 639-1, with a country where needed: `zh-CN`, `hi`.
    """

    name = "translate"

    should_perturb_references = True

    def __init__(self, language_code: str):
        self.language_code = language_code
        client = GoogleTranslateClient()
        # Options such as "Yes" recur in every instance.
        self._translate = lru_cache(maxsize=10_000)(lambda text: client.translate(text, language_code))

    @cached_property
    def description(self) -> PerturbationDescription:
        return TranslateDescription(name=self.name, language_code=self.language_code)

    def perturb(self, text: str, rng: Random) -> str:
        return self._translate(text)
