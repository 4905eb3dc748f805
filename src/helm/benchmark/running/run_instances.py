"""The instances of a run: created by its scenario, cached on request, numbered, and sampled for evaluation."""

import json
import os
from collections.abc import Iterator

from helm.benchmark.run_spec import RunSpec
from helm.benchmark.scenarios.scenario import (
    EVAL_SPLITS,
    TRAIN_SPLIT,
    Instance,
    Scenario,
    ScenarioSpec,
    create_scenario,
    with_instance_ids,
)
from helm.common.codec import dump_json, structure
from helm.common.commands.output_path import check_folder_name
from helm.common.data.data_session import current_session, survey_sources
from helm.common.data.download_errors import OfflineError
from helm.common.errors import ScenarioError
from helm.common.files import write_text_atomically
from helm.common.hierarchical_logger import hlog, htrack_block
from helm.common.random_draws import numpy_permutation


def create_complete_scenario(spec: ScenarioSpec) -> Scenario:
    """Create the scenario. Raises: ScenarioError if the class cannot be created or lacks what the files need."""
    try:
        scenario = create_scenario(spec)
    except (ImportError, AttributeError) as e:
        raise ScenarioError(f"Cannot import the scenario {spec.class_name}: {e}") from e
    except (TypeError, ValueError) as e:
        raise ScenarioError(f"Cannot make the scenario {spec.class_name} with {spec.args}: {e}") from e
    missing = [name for name in ("name", "description", "tags", "definition_path") if not hasattr(scenario, name)]
    if missing:
        raise ScenarioError(
            f"Scenario {spec.class_name} lacks {', '.join(missing)}: set name, description and tags on the class, and "
            "call super().__init__() in its __init__."
        )
    return scenario


def load_instances(scenario: Scenario, folder: str) -> list[Instance]:
    """Return the instances of a scenario whose cache folder is `folder`.

    Raises: OfflineError when fetching is forbidden and something is missing; all that is missing is noted.
    """
    try:
        with htrack_block("scenario.get_instances"):
            return scenario.get_instances(folder)
    except OfflineError:
        survey, _, _ = survey_sources(scenario.get_instances, folder)
        for fetch in survey.missing:
            current_session().block(fetch.url, fetch.path)
        raise


def get_kept_instances(scenario: Scenario, spec: ScenarioSpec, folder: str, instances_path: str) -> list[Instance]:
    """Like `load_instances`, but read from the files in `instances_path`, or written there for later runs."""
    name = _instance_cache_name(scenario, spec)
    check_folder_name(name, f"--cache-instances: the name of the folder for {scenario.name} with its arguments")
    cache_path = os.path.join(instances_path, name)
    instances_file = os.path.join(cache_path, "input_instances.json")
    spec_file = os.path.join(cache_path, "scenario_spec.json")
    spec_text = dump_json(spec)
    if os.path.exists(instances_file) and _same_text(spec_file, spec_text):
        with open(instances_file, encoding="utf-8") as file:
            return structure(json.load(file), list[Instance])
    instances = load_instances(scenario, folder)
    os.makedirs(cache_path, exist_ok=True)
    write_text_atomically(instances_file, dump_json(instances))
    write_text_atomically(spec_file, spec_text)
    return instances


def select_instances(run_spec: RunSpec, instances: list[Instance]) -> list[Instance]:
    """Number the instances and draw the evaluation sample. Raises: ScenarioError if there is nothing to sample from."""
    adapter_spec = run_spec.adapter_spec
    eval_splits = adapter_spec.eval_splits or EVAL_SPLITS
    if not any(instance.split in eval_splits for instance in instances):
        raise ScenarioError(
            f"Scenario {run_spec.scenario_spec.class_name} gave {len(instances)} instances, none of them in the splits "
            f"to evaluate on ({', '.join(eval_splits)})."
        )
    instances = with_instance_ids(instances)
    if adapter_spec.max_eval_instances is not None:
        instances = downsample_eval_instances(instances, adapter_spec.max_eval_instances, eval_splits)
    hlog(f"{len(instances)} instances, {sum(i.split in EVAL_SPLITS for i in instances)} eval instances")
    return instances


def given_up(instances: list[Instance]) -> Iterator[Instance]:
    """Yield the instances, of which the list keeps only those that were not yielded yet."""
    instances.reverse()
    while instances:
        yield instances.pop()


def downsample_eval_instances(
    instances: list[Instance], max_eval_instances: int, eval_splits: list[str]
) -> list[Instance]:
    """Return all training instances, then at most `max_eval_instances` of those in `eval_splits`, drawn with seed 0.

    The draw is a prefix of one fixed permutation, so a larger maximum extends the same sequence.
    """
    train = [instance for instance in instances if instance.split == TRAIN_SPLIT]
    evaluation = [instance for instance in instances if instance.split in eval_splits]
    if len(evaluation) > max_eval_instances:
        chosen = numpy_permutation(len(evaluation), seed=0)[:max_eval_instances]
        evaluation = [evaluation[position] for position in chosen]
    return train + evaluation


def _instance_cache_name(scenario: Scenario, spec: ScenarioSpec) -> str:
    args = ",".join(f"{key}={value}" for key, value in sorted(spec.args.items()))
    return f"{scenario.name}:{args}".replace(os.path.sep, "_") if args else scenario.name


def _same_text(path: str, text: str) -> bool:
    """Whether the file holds this text. HELM's own instance caches have no such file; they are trusted as they are."""
    if not os.path.exists(path):
        return True
    with open(path, encoding="utf-8") as file:
        return file.read() == text
