"""Earlier place of `helm.common.number_text`."""

from helm.common.number_text import duration_unit, format_duration, format_number

__all__ = ["duration_unit", "format_duration", "format_number"]
