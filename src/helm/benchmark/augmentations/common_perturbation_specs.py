"""Helpers for perturbation specs, and the named sets that `data_augmentation=NAME` offers.

Everything here is data: classes are named by path, and imported only when instances are perturbed.
"""

from typing import Any

from helm.benchmark.augmentations.perturbation import PerturbationSpec


def _spec(path: str, **args: Any) -> PerturbationSpec:
    return PerturbationSpec(class_name=f"helm.benchmark.augmentations.{path}", args=args)


def extra_space(num_spaces: int) -> PerturbationSpec:
    """Replace every space by `num_spaces` spaces."""
    return _spec("extra_space_perturbation.ExtraSpacePerturbation", num_spaces=num_spaces)


def space(max_spaces: int) -> PerturbationSpec:
    """Replace every run of spaces by one to `max_spaces` spaces."""
    return _spec("space_perturbation.SpacePerturbation", max_spaces=max_spaces)


def lower() -> PerturbationSpec:
    return _spec("lowercase_perturbation.LowerCasePerturbation")


def misspelling(prob: float) -> PerturbationSpec:
    return _spec("misspelling_perturbation.MisspellingPerturbation", prob=prob)


def synonym(prob: float) -> PerturbationSpec:
    return _spec("synonym_perturbation.SynonymPerturbation", prob=prob)


def contrast_sets() -> PerturbationSpec:
    return _spec("contrast_sets_perturbation.ContrastSetsPerturbation")


def typo(prob: float) -> PerturbationSpec:
    return _spec("typos_perturbation.TyposPerturbation", prob=prob)


def filler(prob: float) -> PerturbationSpec:
    return _spec("filler_words_perturbation.FillerWordsPerturbation", insert_prob=prob, speaker_ph=False)


def mild_mix() -> PerturbationSpec:
    return _spec("mild_mix_perturbation.MildMixPerturbation")


def contract_and_expand() -> list[PerturbationSpec]:
    module = "contraction_expansion_perturbation"
    return [_spec(f"{module}.ContractionPerturbation"), _spec(f"{module}.ExpansionPerturbation")]


def dialect(
    prob: float, source_class: str, target_class: str, mapping_file_path: str | None = None
) -> PerturbationSpec:
    return _spec(
        "dialect_perturbation.DialectPerturbation",
        prob=prob,
        source_class=source_class,
        target_class=target_class,
        mapping_file_path=mapping_file_path,
    )


def person_name(
    prob: float,
    source_class: dict[str, str],
    target_class: dict[str, str],
    name_file_path: str | None = None,
    person_name_type: str = "first_name",
    preserve_gender: bool = True,
) -> PerturbationSpec:
    return _spec(
        "person_name_perturbation.PersonNamePerturbation",
        prob=prob,
        source_class=source_class,
        target_class=target_class,
        name_file_path=name_file_path,
        person_name_type=person_name_type,
        preserve_gender=preserve_gender,
    )


def gender(
    mode: str,
    prob: float,
    source_class: str,
    target_class: str,
    mapping_file_path: str | None = None,
    mapping_file_genders: list[str] | None = None,
    bidirectional: bool = False,
) -> PerturbationSpec:
    """Replace gendered words; `mode` is `terms` or `pronouns`."""
    return _spec(
        "gender_perturbation.GenderPerturbation",
        mode=mode,
        prob=prob,
        source_class=source_class,
        target_class=target_class,
        mapping_file_path=mapping_file_path,
        mapping_file_genders=mapping_file_genders,
        bidirectional=bidirectional,
    )


def cleva_mild_mix() -> PerturbationSpec:
    return _spec("cleva_perturbation.CLEVAMildMixPerturbation")


def cleva_gender(mode: str, prob: float, source_class: str, target_class: str) -> PerturbationSpec:
    return _spec(
        "cleva_perturbation.ChineseGenderPerturbation",
        mode=mode,
        prob=prob,
        source_class=source_class,
        target_class=target_class,
    )


def cleva_person_name(
    prob: float, source_class: dict[str, str], target_class: dict[str, str], preserve_gender: bool = True
) -> PerturbationSpec:
    return _spec(
        "cleva_perturbation.ChinesePersonNamePerturbation",
        prob=prob,
        source_class=source_class,
        target_class=target_class,
        preserve_gender=preserve_gender,
    )


def simplified_to_traditional() -> PerturbationSpec:
    return _spec("cleva_perturbation.SimplifiedToTraditionalPerturbation")


def mandarin_to_cantonese() -> PerturbationSpec:
    return _spec("cleva_perturbation.MandarinToCantonesePerturbation")


def translate(language_code: str) -> PerturbationSpec:
    return _spec("translate_perturbation.TranslatePerturbation", language_code=language_code)


def suffix(text: str) -> PerturbationSpec:
    return _spec("suffix_perturbation.SuffixPerturbation", suffix=text)


# ---- Named sets


def _white_to_black(prob: float, preserve_gender: bool) -> PerturbationSpec:
    source, target = {"race": "white_american"}, {"race": "black_american"}
    return person_name(prob, source, target, person_name_type="first_name", preserve_gender=preserve_gender)


def _white_to_hispanic(prob: float) -> PerturbationSpec:
    source, target = {"race": "white"}, {"race": "hispanic"}
    return person_name(prob, source, target, person_name_type="last_name", preserve_gender=False)


def _sae_to_aave(prob: float) -> PerturbationSpec:
    return dialect(prob, "SAE", "AAVE")


ROBUSTNESS_PERTURBATION_SPECS: list[PerturbationSpec] = [mild_mix()]

FAIRNESS_PERTURBATION_SPECS: list[PerturbationSpec] = [
    _sae_to_aave(1.0),
    gender("pronouns", 1.0, "male", "female"),
    _white_to_black(1.0, preserve_gender=True),
]

_CLEVA_FAIRNESS_SPECS: list[PerturbationSpec] = [
    cleva_gender("pronouns", 1.0, "male", "female"),
    cleva_person_name(1.0, {"gender": "male"}, {"gender": "female"}, preserve_gender=True),
    simplified_to_traditional(),
    mandarin_to_cantonese(),
]

_LEVELS = {"easy": 0.1, "medium": 0.3, "hard": 0.5, "deterministic": 1.0}

_ART_STYLES = ["oil painting", "watercolor", "pencil sketch", "animation", "vector graphics", "pixel art"]


def _dialect_sets() -> dict[str, dict[str, list[PerturbationSpec]]]:
    sets = {}
    for level, prob in _LEVELS.items():
        # HELM: only the suffix of the easy one contains the level.
        stem = "dialect_easy" if level == "easy" else "dialect"
        sets[f"dialect_{level}"] = {f"{stem}_prob={prob}_source=SAE_target=AAVE": [_sae_to_aave(prob)]}
    return sets


def _gender_sets(mode: str) -> dict[str, dict[str, list[PerturbationSpec]]]:
    return {
        f"gender_{mode}_{level}": {
            f"gender_{mode}_prob={prob}_source=male_target=female": [gender(mode, prob, "male", "female")]
        }
        for level, prob in _LEVELS.items()
    }


def _first_name_set(prob: float, preserve_gender: bool) -> dict[str, list[PerturbationSpec]]:
    name = f"person_name_first_prob={prob}_source=white_target=black_preserve_gender={preserve_gender}"
    return {name: [_white_to_black(prob, preserve_gender)]}


def _last_name_set(prob: float) -> dict[str, list[PerturbationSpec]]:
    return {f"person_name_last_prob={prob}_source=white_target=hispanic": [_white_to_hispanic(prob)]}


PERTURBATION_SPECS_DICT: dict[str, dict[str, list[PerturbationSpec]]] = {
    "identity": {"identity": []},  # originals only; not in HELM, for comparing runs with and without perturbations
    "extra_space": {"extra_space2": [extra_space(2)]},
    "contrast_sets": {"contrast_sets": [contrast_sets()]},
    "space": {"space3": [space(3)]},
    "lower": {"lower": [lower()]},
    "contract": {"contract": contract_and_expand()},
    "filler": {"filler0.3": [filler(0.3)]},
    "misspelling_mild": {"misspelling0.05": [misspelling(0.05)]},
    "misspelling_medium": {"misspelling0.20": [misspelling(0.20)]},
    "misspelling_hard": {"misspelling0.5": [misspelling(0.5)]},
    # HELM: the first probability is an int, and appears as one in the files.
    "misspelling_sweep": {f"misspelling{prob}": [misspelling(prob)] for prob in (0, 0.05, 0.2, 0.5)},
    "typo_easy": {"typo0.1": [typo(0.1)]},
    "typo_medium": {"typo0.3": [typo(0.3)]},
    "typo_hard": {"typo0.5": [typo(0.5)]},
    "synonym": {"synonym0.5": [synonym(0.5)]},
    **_dialect_sets(),
    "person_name_first_hard_preserve_gender": _first_name_set(0.5, True),
    "person_name_first_hard_dont_preserve_gender": _first_name_set(0.5, False),
    "person_name_first_deterministic": _first_name_set(1.0, True),
    "person_name_last_deterministic": _last_name_set(1.0),
    "person_name_last_hard": _last_name_set(0.5),
    **_gender_sets("terms"),
    **_gender_sets("pronouns"),
    "robustness": {"robustness": ROBUSTNESS_PERTURBATION_SPECS},
    "fairness": {"fairness": FAIRNESS_PERTURBATION_SPECS},
    "canonical": {"canonical": ROBUSTNESS_PERTURBATION_SPECS + FAIRNESS_PERTURBATION_SPECS},
    "robustness_all": {
        "robustness_all": [
            *contract_and_expand(),
            filler(0.1),
            lower(),
            misspelling(0.1),
            space(3),
            synonym(0.1),
            typo(0.01),
        ]
    },
    "cleva_robustness": {"robustness": [cleva_mild_mix()]},
    "cleva_fairness": {"fairness": _CLEVA_FAIRNESS_SPECS},
    "cleva": {"cleva": [cleva_mild_mix(), *_CLEVA_FAIRNESS_SPECS]},
    "chinese": {"chinese": [translate("zh-CN")]},
    "hindi": {"hindi": [translate("hi")]},
    "spanish": {"spanish": [translate("es")]},
    "swahili": {"swahili": [translate("sw")]},
    "art": {"art": [suffix(style) for style in _ART_STYLES]},
}
"""Maps name in a run entry to suffix of the run's name to perturbations."""
