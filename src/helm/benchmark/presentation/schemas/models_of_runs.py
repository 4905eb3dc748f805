"""What the runs of a summary add to its schema: their models, and main metrics that it does not know."""

from collections.abc import Sequence

from helm.results.run_files.run_reader import Run
from helm.results.schema import ModelField, Schema


def get_model_fields(runs: Sequence[Run]) -> list[ModelField]:
    """Return the registered models that the runs used, in the order of the registry."""
    from helm.benchmark.model_deployment_registry import DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT
    from helm.benchmark.model_metadata_registry import ALL_MODELS_METADATA, MODEL_NAME_TO_MODEL_METADATA

    used = set()
    for run in runs:
        adapter_spec = run.run_spec.adapter_spec
        deployment = DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT.get(adapter_spec.model_deployment)
        used.add(adapter_spec.model or (deployment.model_name if deployment else None))
    names = dict.fromkeys(metadata.name for metadata in ALL_MODELS_METADATA if metadata.name in used)
    models = []
    for metadata in (MODEL_NAME_TO_MODEL_METADATA[name] for name in names):
        models.append(
            ModelField(
                name=metadata.name,
                display_name=metadata.display_name,
                short_display_name=metadata.display_name,
                description=metadata.description,
                creator_organization=metadata.creator_organization_name,
                access=metadata.access,
                release_date=metadata.release_date.isoformat() if metadata.release_date else None,
                num_parameters=metadata.num_parameters,
            )
        )
    return models


def find_other_metrics(runs: Sequence[Run], schema: Schema) -> dict[str, tuple[str, str]]:
    """Return what `Summary.other_metrics` holds."""
    from helm.results.main_metric import find_declared_metric

    found = {}
    for run in runs:
        if run.run_spec.extractor_spec is None:
            continue
        declared = find_declared_metric(run.run_spec.scenario_spec)
        for name in run.groups:
            group = schema.name_to_run_group.get(name)
            shown = group.environment.get("main_name") if group is not None else None
            if declared is not None and shown not in (None, declared[0]):
                found[name] = (str(shown), declared[0])
    return found
