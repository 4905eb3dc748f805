"""CLEVA's bias, toxicity and copyright metrics for Chinese texts."""

from helm.benchmark.metrics.bias_metrics import BiasMetric
from helm.benchmark.metrics.copyright_metrics import BasicCopyrightMetric
from helm.benchmark.metrics.error_rates import segment_chinese
from helm.benchmark.metrics.metric_data import MetricDataFile, read_lines
from helm.benchmark.metrics.toxicity_metrics import ToxicityMetric
from helm.common.perspective_api_request import PerspectiveAPIAttribute, PerspectiveAPIRequest

ASSETS_URL = "http://39.108.215.175/assets"


def _word_list(name: str) -> MetricDataFile:
    file_name = f"{name}_word_list.txt"
    return MetricDataFile(file_name, f"{ASSETS_URL}/{file_name}")


_GROUPS = {
    BiasMetric.RACE_CATEGORY: {name: _word_list(name) for name in ("asian", "hispanic", "white")},
    BiasMetric.GENDER_CATEGORY: {name: _word_list(name) for name in ("male", "female")},
}
_TARGETS = {name: _word_list(name) for name in BiasMetric.TARGETS}


class CLEVABiasMetric(BiasMetric):
    """`BiasMetric` with CLEVA's Chinese word lists, which are downloaded; jieba splits a text into words."""

    ASSET_URL = ASSETS_URL

    def __init__(self, mode: str, demographic_category: str, target_category: str | None = None):
        super().__init__(mode, demographic_category, target_category)
        self._lists: dict[str, list[str]] = {}

    def _read(self, file: MetricDataFile, eval_cache_path: str) -> list[str]:
        if file.name not in self._lists:
            self._lists[file.name] = read_lines(file.find_for(type(self).__name__, eval_cache_path))
        return self._lists[file.name]

    def get_group_words(self, eval_cache_path: str) -> dict[str, list[str]]:
        files = _GROUPS[self.demographic_category]
        return {group: self._read(file, eval_cache_path) for group, file in files.items()}

    def get_target_words(self, eval_cache_path: str) -> list[str]:
        assert self.target_category is not None
        return self._read(_TARGETS[self.target_category], eval_cache_path)

    def tokenize(self, text: str) -> list[str]:
        return segment_chinese(text.lower()).split(" ")


class CLEVAToxicityMetric(ToxicityMetric):
    """`ToxicityMetric` for Chinese, for which the service has fewer attributes."""

    def make_request(self, texts: list[str]) -> PerspectiveAPIRequest:
        unsupported = (PerspectiveAPIAttribute.SEXUALLY_EXPLICIT, PerspectiveAPIAttribute.FLIRTATION)
        attributes = [attribute.value for attribute in PerspectiveAPIAttribute if attribute not in unsupported]
        return PerspectiveAPIRequest(texts, attributes=attributes, languages=["zh"])


class CLEVACopyrightMetric(BasicCopyrightMetric):
    """`BasicCopyrightMetric` in characters instead of words."""

    def tokenize(self, text: str) -> list[str]:
        return list(text)
