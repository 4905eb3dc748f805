"""HELM's module of schemas; they are read by `helm.results.schema` and checked by `schemas.schema_validation`."""

from helm.benchmark.presentation.schemas.schema_validation import (  # noqa: F401
    TEMPLATE_VARIABLE_PATTERN,
    VALID_SPLITS,
    SchemaValidationError,
    SchemaValidationMessage,
    ValidationSeverity,
    is_template_variable,
    validate_schema,
    validate_schema_file,
)
from helm.results.schema import *  # noqa: F403
