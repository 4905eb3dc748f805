"""The copies that `data_augmentation=canonical` makes, with their CPU time.

    python benchmarks/augmentation.py NUMBER     prints {"seconds": ..., "digest": ...}

Works with this package and with crfm-helm, in a folder that `write_tables` has prepared: both look for the tables of
dialect and names there. `seconds` is the CPU time of making the perturbations, reading their tables included, and the
copies of so many instances; `digest` is of their texts, which are the same on both sides.
"""

import hashlib
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

MISSPELLINGS = Path(__file__).parent.parent / "tests/vectors/helm-metrics/data/misspellings.json"

COMMON = (
    "the a of and to in is was he for it with as his on be at by had not are but from or have an they which one you were her "
    "all she there would their we him been has when who will more no if out do not government received going this friend"
).split()
NAMES = "jack peter lauren emily".split()


def made_up_words(number: int, seed: int) -> list[str]:
    draws = random.Random(seed)
    syllables = [consonant + vowel for consonant in "bdfglmnprst" for vowel in "aeiou"]
    return sorted({"".join(draws.choices(syllables, k=draws.randint(2, 4))) for _ in range(number)})


def write_tables(folder: Path) -> None:
    """Tables of a likely size, made up, where both sides look for them when they run in `folder`."""
    tables = folder / "benchmark_output" / "perturbations"
    for name in ("dialect", "person_name/data", "misspellings"):
        (tables / name).mkdir(parents=True, exist_ok=True)
    dialect = {"the": ["da"], "this": ["dis"], "with": ["wit", "wif"], "going to": ["gon", "finna"], "is": ["be"]}
    dialect.update({word: [word[::-1], word[1:]] for word in made_up_words(500, seed=1)})
    (tables / "dialect" / "SAE_to_AAVE_mapping.json").write_text(json.dumps(dialect))
    lines = []
    for place, name in enumerate(NAMES + made_up_words(2000, seed=2)):
        group = "white_american" if place < len(NAMES) or place % 2 else "black_american"
        lines.append(f"{name},first_name,race,{group},gender,{'male' if place % 3 else 'female'}\n")
    (tables / "person_name" / "data" / "person_names.txt").write_text("".join(lines))
    misspellings = dict(json.loads(MISSPELLINGS.read_text(encoding="utf-8"))["cases"])
    (tables / "misspellings" / "correct_to_misspelling.json").write_text(json.dumps(misspellings))


def make_instances(number: int) -> list[Any]:
    """Passages of about a hundred words with two answers."""
    from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference

    draws = random.Random(0)
    words = COMMON * 4 + [name.capitalize() for name in NAMES] + made_up_words(200, seed=3)

    def text(length: int) -> str:
        return ", ".join(" ".join(draws.choices(words, k=10)) for _ in range(length // 10)).capitalize() + "."

    return [
        Instance(
            Input(text(100)),
            [Reference(Output(text(10)), [CORRECT_TAG]), Reference(Output(text(10)), [])],
            split="test",
            id=f"id{place}",
        )
        for place in range(number)
    ]


def main() -> None:
    from helm.benchmark.augmentations.data_augmenter import DataAugmenterSpec
    from helm.benchmark.data_preprocessor import DataPreprocessor
    from helm.benchmark.run_expander import PERTURBATION_SPECS_DICT

    instances = make_instances(int(sys.argv[1]))
    spec = DataAugmenterSpec(
        perturbation_specs=PERTURBATION_SPECS_DICT["canonical"]["canonical"],
        should_augment_eval_instances=True,
        should_include_original_eval=True,
        should_skip_unchanged_eval=True,
        seeds_per_instance=1,
    )
    started = time.process_time()
    copies = DataPreprocessor(spec).preprocess(instances, 1)
    seconds = time.process_time() - started
    digest = hashlib.sha256()
    for copy in copies:
        name = copy.perturbation.name if copy.perturbation else None
        texts = [copy.input.text, *(reference.output.text for reference in copy.references)]
        digest.update(json.dumps([copy.id, name, texts]).encode())
    print(json.dumps({"seconds": seconds, "digest": digest.hexdigest()}))


if __name__ == "__main__":
    main()
