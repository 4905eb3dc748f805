"""Judge of Arabic finance calculations."""

from helm.benchmark.annotation.judge_annotator import TaggedScoreAnnotator
from helm.benchmark.annotation.judge_models import GPT_5_4


class ArabicFinanceCalculationAnnotator(TaggedScoreAnnotator):
    """Whether the final answer of a calculation equals the reference: 1 or 0."""

    name = "arabic_finance_calculation"

    default_judges = {"gpt": GPT_5_4}
