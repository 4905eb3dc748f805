import os
from functools import cached_property, lru_cache
from random import Random

from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription, TranslateDescription
from helm.clients.google_translate_client import GoogleTranslateClient
from helm.common.cache import SqliteCacheConfig
from helm.common.data.data_session import current_session

_CACHE_FILE = "google_translate.sqlite"


class TranslatePerturbation(TextPerturbation):
    """Translates input and references with Google Translate.

    Translations are kept in `cache/google_translate.sqlite` of the folder with the credentials.

    Args:
        language_code: ISO 639-1, with a country where needed: `zh-CN`, `hi`.
    """

    name = "translate"
    Description = TranslateDescription

    should_perturb_references = True

    def __init__(self, language_code: str):
        self.language_code = language_code
        folder = os.path.join(current_session().local_path, "cache")
        os.makedirs(folder, exist_ok=True)
        client = GoogleTranslateClient(cache_config=SqliteCacheConfig(os.path.join(folder, _CACHE_FILE)))
        # Options such as "Yes" recur in every instance.
        self._translate = lru_cache(maxsize=10_000)(lambda text: client.translate(text, language_code))

    @cached_property
    def description(self) -> PerturbationDescription:
        return TranslateDescription(name=self.name, language_code=self.language_code)

    def perturb(self, text: str, rng: Random) -> str:
        return self._translate(text)
