"""Judge of Arabic legal questions."""

from helm.benchmark.annotation.judge_annotator import TaggedScoreAnnotator
from helm.benchmark.annotation.judge_models import GPT_5_4


class ArabicLegalAnnotator(TaggedScoreAnnotator):
    """How far an answer to a question of UAE law agrees with the reference: 1 or 0."""

    name = "arabic_legal"

    default_judges = {"gpt": GPT_5_4}
