"""The JSON Schema of configuration files, made from the declarations that read them: `helm-run --print-schema`.

`python -m helm.benchmark.assembly.config_schema > src/helm/config/helm.schema.json` writes the file that the package ships.
"""

import json
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from helm.benchmark.assembly.config_file import config_fields

_SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean"}


def config_schema() -> dict[str, Any]:
    """Return the schema (draft 2020-12) of a configuration file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of helm-run",
        "type": "object",
        "additionalProperties": False,
        "properties": {name: {"description": doc, **_schema_of(hint)} for name, (hint, doc) in config_fields().items()},
    }


def schema_text() -> str:
    """Return the schema as the text of a file."""
    return json.dumps(config_schema(), indent=2, ensure_ascii=False) + "\n"


def _schema_of(hint: Any) -> dict[str, Any]:
    if hint is Any:
        return {}
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        members = [_schema_of(member) for member in get_args(hint) if member is not NoneType]
        if len(members) == 1:
            return members[0]
        if all(set(member) == {"type"} for member in members):
            return {"type": [member["type"] for member in members]}
        return {"anyOf": members}
    if origin is Literal:
        return {"enum": list(get_args(hint))}
    if origin is list:
        return {"type": "array", "items": _schema_of(get_args(hint)[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema_of(get_args(hint)[1])}
    if is_dataclass(hint):
        return {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                item.name: {"description": item.metadata["doc"], **_schema_of(item.type)} for item in fields(hint)
            },
            "required": [item.name for item in fields(hint) if item.default is MISSING],
        }
    return {"type": _SIMPLE[hint]}


if __name__ == "__main__":
    print(schema_text(), end="")
