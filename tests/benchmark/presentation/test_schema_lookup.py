"""Single names of the default schema, as found in its text."""

from helm.results.metric_labels import find_environment, find_metric_label
from helm.results.schema import get_default_schema_path, read_schema


def test_every_group_and_metric_is_found_as_the_schema_has_it() -> None:
    schema = read_schema(get_default_schema_path())
    environments = {group.name: find_environment(group.name) for group in schema.run_groups}
    assert environments == {group.name: group.environment or {} for group in schema.run_groups}
    assert sum("main_name" in environment for environment in environments.values()) > 50
    for field in schema.metrics:
        label = find_metric_label(field.name)
        assert label is not None
        assert (label.name, label.lower_is_better) == (field.get_short_display_name(), field.lower_is_better)
        assert label.unit == field.unit


def test_unknown_names_are_not_found() -> None:
    assert find_environment("nothing like it") == {} and find_metric_label("nothing like it") is None
