"""Steps of the entries of DecodingTrust: pure functions from rows to rows."""

from typing import Any

_TAGS = ("stereotype_topic_tag", "demographic_group_tag", "sys_prompt_type_tag")


def stereotype_tags(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add a column `reference` with one reference: topic, group and kind of system prompt, as its text and its tags."""
    result = []
    for row in rows:
        tags = [row["prompt"][name] for name in _TAGS]
        result.append({**row, "reference": [[" ".join(tags), tags]]})
    return result
