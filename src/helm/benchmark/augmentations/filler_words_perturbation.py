from functools import cached_property
from random import Random

from helm.benchmark.augmentations.perturbation import TextPerturbation
from helm.benchmark.augmentations.perturbation_description import FillerWordsDescription, PerturbationDescription

SPEAKER_PHRASES = [
    "I think",
    "I believe",
    "I mean",
    "I guess",
    "that is",
    "I assume",
    "I feel",
    "In my opinion",
    "I would say",
]
UNCERTAIN_PHRASES = ["maybe", "perhaps", "probably", "possibly", "most likely"]
FILL_PHRASE = ["uhm", "umm", "ahh", "err", "actually", "obviously", "naturally", "like", "you know"]


class FillerWordsPerturbation(TextPerturbation):
    """Inserts filler phrases before words.

    Args:
        insert_prob: probability of a phrase before each word.
        max_num_insert: maximum number of phrases in a text. None means no limit.
        speaker_ph: whether to use phrases such as "I think".
        uncertain_ph: whether to use phrases such as "maybe".
        fill_ph: whether to use phrases such as "uhm".
    """

    name = "filler_words"
    Description = FillerWordsDescription

    def __init__(
        self,
        insert_prob: float = 0.333,
        max_num_insert: int | None = None,
        speaker_ph: bool = True,
        uncertain_ph: bool = True,
        fill_ph: bool = True,
    ):
        self.insert_prob = insert_prob
        self.max_num_insert = max_num_insert
        self.speaker_ph = speaker_ph
        self.uncertain_ph = uncertain_ph
        self.fill_ph = fill_ph

    @cached_property
    def description(self) -> PerturbationDescription:
        return FillerWordsDescription(name=self.name, robustness=True, insert_prob=self.insert_prob)

    def perturb(self, text: str, rng: Random) -> str:
        return self.gen_filled_text(
            text, self.insert_prob, rng, self.max_num_insert, self.speaker_ph, self.uncertain_ph, self.fill_ph
        )

    @staticmethod
    def gen_filled_text(
        text: str,
        insert_prob: float,
        rng: Random,
        max_num_insert: int | None = 1,
        speaker_ph: bool = True,
        uncertain_ph: bool = True,
        fill_ph: bool = True,
    ) -> str:
        """Insert filler phrases before words; the arguments are those of the class."""
        fillers = SPEAKER_PHRASES * speaker_ph + UNCERTAIN_PHRASES * uncertain_ph + FILL_PHRASE * fill_ph
        if not fillers:
            return text
        pieces = []
        num_inserted = 0
        for piece in text.split(" "):
            may_insert = max_num_insert is None or num_inserted < max_num_insert
            if may_insert and rng.random() <= insert_prob:
                pieces.append(rng.choice(fillers))
                num_inserted += 1
            pieces.append(piece)
        return " ".join(pieces)
