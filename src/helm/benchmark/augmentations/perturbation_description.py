"""What was done to a perturbed instance; part of metric names."""

from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Tuple

from helm.common.codec import register_subclasses

PERTURBATION_ORIGINAL = "original"
PERTURBATION_PERTURBED = "perturbed"
PERTURBATION_WORST = "worst"


@dataclass(frozen=True)
class PerturbationDescription:
    """Name and settings of a perturbation. Subclasses append the settings of their kind."""

    name: str

    robustness: bool = False
    """Counts towards the robustness scores."""

    fairness: bool = False
    """Counts towards the fairness scores."""

    computed_on: str = PERTURBATION_PERTURBED
    """Over what a statistic was computed: `original`, `perturbed` or `worst`."""

    seed: Optional[int] = None
    """None for the first copy of an instance."""


_SUBCLASSES: Dict[str, type] = {}


def description_class(name: str, *fields: Tuple[str, type, Any]) -> Any:
    """Make and register the description class of one perturbation name, with extra (field, type, default) triples."""
    from dataclasses import field, make_dataclass

    title = "".join(part.capitalize() for part in name.split("_"))
    cls = make_dataclass(
        f"{title}Description",
        [(field_name, field_type, field(default=default)) for field_name, field_type, default in fields],
        bases=(PerturbationDescription,),
        frozen=True,
        namespace={"__module__": __name__, "__doc__": f"Description of the perturbation `{name}`."},
    )
    _SUBCLASSES[name] = cls
    return cls


_PROB = ("prob", float, 0.0)
_CLASSES = (("source_class", str, ""), ("target_class", str, ""))

DialectDescription = description_class("dialect", _PROB, *_CLASSES, ("mapping_file_path", Optional[str], None))
ExtraSpaceDescription = description_class("extra_space", ("num_spaces", int, 0))
FillerWordsDescription = description_class("filler_words", ("insert_prob", float, 0.0))
GenderDescription = description_class("gender", ("mode", str, ""), _PROB, *_CLASSES, ("bidirectional", bool, False))
MisspellingsDescription = description_class("misspellings", _PROB)
PersonNameDescription = description_class(
    "person_name",
    _PROB,
    *_CLASSES,
    ("name_file_path", Optional[str], None),
    ("person_name_type", str, ""),
    ("preserve_gender", bool, False),
)
SpaceDescription = description_class("space", ("max_spaces", int, 0))
SynonymDescription = description_class("synonym", _PROB)
TyposDescription = description_class("typos", _PROB)
ChineseTyposDescription = description_class(
    "chinese_typos",
    _PROB,
    ("rare_char_prob", float, 0.05),
    ("consider_tone", bool, False),
    ("word_level_perturb", bool, True),
)
ChineseSynonymDescription = description_class("chinese_synonym", _PROB, ("trial_num", int, 10))
ChineseGenderDescription = description_class("chinese_gender", ("mode", str, ""), _PROB, *_CLASSES)
ChinesePersonNameDescription = description_class("chinese_person_name", _PROB, *_CLASSES, ("preserve_gender", bool, False))


def _select(data: Mapping[str, Any]) -> type:
    return _SUBCLASSES.get(data.get("name", ""), PerturbationDescription)


register_subclasses(PerturbationDescription, _select)
