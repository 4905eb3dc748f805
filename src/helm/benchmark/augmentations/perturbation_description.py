"""Describes how an instance was perturbed; part of metric names."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from helm.common.formats.structuring import register_subclasses

PERTURBATION_ORIGINAL = "original"
PERTURBATION_PERTURBED = "perturbed"
PERTURBATION_WORST = "worst"


@dataclass(frozen=True)
class PerturbationDescription:
    """Name and settings of a perturbation. Subclasses append the settings of their kind."""

    name: str

    robustness: bool = False
    """Whether it counts towards the robustness scores."""

    fairness: bool = False
    """Whether it counts towards the fairness scores."""

    computed_on: str = PERTURBATION_PERTURBED
    """The instances over which a statistic was computed: `original`, `perturbed` or `worst`."""

    seed: int | None = None
    """None for the first copy of an instance."""


_Setting = tuple[str, Any, Any]
"""Field, type and default."""

_PROB: _Setting = ("prob", float, 0.0)
_CLASSES: tuple[_Setting, ...] = (("source_class", str, ""), ("target_class", str, ""))

_SETTINGS: dict[str, tuple[_Setting, ...]] = {
    "dialect": (_PROB, *_CLASSES, ("mapping_file_path", str | None, None)),
    "extra_space": (("num_spaces", int, 0),),
    "filler_words": (("insert_prob", float, 0.0),),
    "gender": (("mode", str, ""), _PROB, *_CLASSES, ("bidirectional", bool, False)),
    "misspellings": (_PROB,),
    "person_name": (
        _PROB,
        *_CLASSES,
        ("name_file_path", str | None, None),
        ("person_name_type", str, ""),
        ("preserve_gender", bool, False),
    ),
    "space": (("max_spaces", int, 0),),
    "style": (("suffix", str, ""),),
    "synonym": (_PROB,),
    "translate": (("language_code", str, ""),),
    "typos": (_PROB,),
    "chinese_typos": (
        _PROB,
        ("rare_char_prob", float, 0.05),
        ("consider_tone", bool, False),
        ("word_level_perturb", bool, True),
    ),
    "chinese_synonym": (_PROB, ("trial_num", int, 10)),
    "chinese_gender": (("mode", str, ""), _PROB, *_CLASSES),
    "chinese_person_name": (_PROB, *_CLASSES, ("preserve_gender", bool, False)),
}
"""The fields that the description of each kind of perturbation has in addition, in the order of the files."""

_SUBCLASSES: dict[str, type] = {}


_CLASS_NAMES = {name: "".join(part.capitalize() for part in name.split("_")) + "Description" for name in _SETTINGS}


def description_class(name: str) -> Any:
    """Return the description class for a perturbation name; `PerturbationDescription` itself if it has no settings.

    Classes are created on first use: creating all of them takes longer than the rest of a command's start.
    """
    if name not in _SETTINGS:
        return PerturbationDescription
    cls = _SUBCLASSES.get(name)
    if cls is None:
        from dataclasses import field, make_dataclass

        cls = _SUBCLASSES[name] = make_dataclass(
            _CLASS_NAMES[name],
            [(field_name, field_type, field(default=default)) for field_name, field_type, default in _SETTINGS[name]],
            bases=(PerturbationDescription,),
            frozen=True,
            namespace={"__module__": __name__, "__doc__": f"Description of the perturbation `{name}`."},
        )
    return cls


def __getattr__(attribute: str) -> Any:
    """Return `TyposDescription` and the like."""
    for name in _SETTINGS:
        if _CLASS_NAMES[name] == attribute:
            return description_class(name)
    raise AttributeError(f"module {__name__!r} has no attribute {attribute!r}")


def _select(data: Mapping[str, Any]) -> type:
    return description_class(data.get("name", ""))


register_subclasses(PerturbationDescription, _select)
