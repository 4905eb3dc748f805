"""Turns the .proto files of this folder into protobuf message classes at run time.

There is no generated code, because the output of `protoc` is tied to the protobuf release it was made for (it refuses
older ones and is only guaranteed to work with the next major one), while this package supports every protobuf from 5.26
on. Descriptors made from the text use the public API alone. They are in a separate descriptor pool, so another package
that registers the same message names in the default pool can be imported in the same process.

The reader supports the part of proto3 that the files use: messages, `oneof`, `map`, `repeated`, `reserved`, services with
unary calls, and line comments. Anything else is an error that names the line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from helm.common.optional_dependencies import handle_module_not_found_error

_TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_][\w.]*|\d+|[{}<>()=;,]')
_SCALARS = {
    "double": 1,
    "float": 2,
    "int64": 3,
    "uint64": 4,
    "int32": 5,
    "bool": 8,
    "string": 9,
    "bytes": 12,
    "sint64": 18,
}
# Numbers of FieldDescriptorProto.Type and .Label; the enums themselves can only be imported together with protobuf.
_MESSAGE_TYPE = 11
_OPTIONAL, _REPEATED = 1, 3


@dataclass
class Schema:
    """The definitions of a file."""

    package: str
    messages: dict[str, Any] = field(default_factory=dict)
    """Message name (without package) -> message class."""

    service: str = ""
    """Full name of the service."""

    calls: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Call name -> names of its request and its reply message."""

    pool: Any = None
    """The descriptor pool; `google.protobuf.json_format` needs it for `Any`."""


class _Reader:
    """A cursor over the tokens of a .proto text."""

    def __init__(self, text: str, name: str):
        self._name = name
        self._tokens: list[tuple[str, int]] = []
        for number, line in enumerate(text.splitlines(), 1):
            code = line.split("//", 1)[0]
            self._tokens += [(match.group(), number) for match in _TOKEN.finditer(code)]
            if rest := _TOKEN.sub("", code).strip():
                raise ValueError(f"{name}:{number}: cannot read {rest!r}.")
        self._position = 0

    def peek(self) -> str:
        return self._tokens[self._position][0] if self._position < len(self._tokens) else ""

    def next(self) -> str:
        token = self.peek()
        if not token:
            raise ValueError(f"{self._name}: the file ends inside a definition.")
        self._position += 1
        return token

    def expect(self, *wanted: str) -> None:
        for token in wanted:
            line = self._tokens[min(self._position, len(self._tokens) - 1)][1]
            if (found := self.next()) != token:
                raise ValueError(f"{self._name}:{line}: expected {token!r}, found {found!r}.")

    def statements(self) -> Iterator[str]:
        """Yield the first word of each statement up to the closing brace, which is consumed."""
        while self.peek() != "}":
            yield self.next()
        self.expect("}")


def load_schema(text: str, file_name: str, imported: Schema | None = None) -> Schema:
    """Read a .proto text and create its message classes.

    Args:
        text: the contents of the file.
        file_name: its name, for messages and imports.
        imported: the file that this one imports, if any; both then share a pool.

    Raises: ValueError, with file and line, when the text uses something that this reader does not support;
        HelmError when protobuf is not installed.
    """
    try:
        from google.protobuf import any_pb2, descriptor_pb2, descriptor_pool, message_factory
    except ModuleNotFoundError as error:
        error.name = "protobuf"  # named after the package; its module is called google.protobuf
        handle_module_not_found_error(error, suggestions=["compilers"])
    reader = _Reader(text, file_name)
    proto = descriptor_pb2.FileDescriptorProto(name=file_name, syntax="proto3")
    schema = Schema(package="")
    while word := reader.peek():
        reader.next()
        if word == "syntax":
            reader.expect("=", '"proto3"', ";")
        elif word == "package":
            schema.package = proto.package = reader.next()
            reader.expect(";")
        elif word == "import":
            proto.dependency.append(reader.next().strip('"'))
            reader.expect(";")
        elif word == "message":
            _read_message(reader, proto.message_type.add(), schema.package)
        elif word == "service":
            _read_service(reader, schema)
        else:
            raise ValueError(f"{file_name}: unknown statement {word!r}.")
    if imported is not None:
        pool = imported.pool
    else:
        pool = descriptor_pool.DescriptorPool()
        pool.AddSerializedFile(any_pb2.DESCRIPTOR.serialized_pb)
    pool.AddSerializedFile(proto.SerializeToString())
    schema.pool = pool
    for message in proto.message_type:
        descriptor = pool.FindMessageTypeByName(f"{schema.package}.{message.name}")
        schema.messages[message.name] = message_factory.GetMessageClass(descriptor)
    return schema


def _read_service(reader: _Reader, schema: Schema) -> None:
    schema.service = f"{schema.package}.{reader.next()}"
    reader.expect("{")
    for word in reader.statements():
        if word != "rpc":
            raise ValueError(f"service {schema.service}: unknown statement {word!r}.")
        name = reader.next()
        reader.expect("(")
        request = reader.next()
        reader.expect(")", "returns", "(")
        reply = reader.next()
        reader.expect(")", ";")
        schema.calls[name] = (request, reply)


def _read_message(reader: _Reader, message: Any, package: str) -> None:
    message.name = reader.next()
    reader.expect("{")
    for word in reader.statements():
        if word == "reserved":
            number = int(reader.next())
            message.reserved_range.add(start=number, end=number + 1)
            reader.expect(";")
        elif word == "oneof":
            message.oneof_decl.add(name=reader.next())
            reader.expect("{")
            for type_name in reader.statements():
                _read_field(reader, message, type_name, package, oneof_index=len(message.oneof_decl) - 1)
        elif word == "map":
            _read_map(reader, message, package)
        elif word == "repeated":
            _read_field(reader, message, reader.next(), package, label=_REPEATED)
        else:
            _read_field(reader, message, word, package)


def _read_field(
    reader: _Reader,
    message: Any,
    type_name: str,
    package: str,
    label: int = _OPTIONAL,
    oneof_index: int | None = None,
) -> None:
    name = reader.next()
    reader.expect("=")
    new = message.field.add(name=name, number=int(reader.next()), label=label)
    reader.expect(";")
    _set_type(new, type_name, package)
    if oneof_index is not None:
        new.oneof_index = oneof_index


def _read_map(reader: _Reader, message: Any, package: str) -> None:
    """Read a map field, which is a repeated nested message of keys and values, named after the field."""
    reader.expect("<")
    key_type = reader.next()
    reader.expect(",")
    value_type = reader.next()
    reader.expect(">")
    name = reader.next()
    entry_name = "".join(part.capitalize() for part in name.split("_")) + "Entry"
    entry = message.nested_type.add(name=entry_name)
    entry.options.map_entry = True
    for number, (field_name, type_name) in enumerate((("key", key_type), ("value", value_type)), 1):
        _set_type(entry.field.add(name=field_name, number=number, label=_OPTIONAL), type_name, package)
    reader.expect("=")
    new = message.field.add(name=name, number=int(reader.next()), label=_REPEATED, type=_MESSAGE_TYPE)
    new.type_name = f".{package}.{message.name}.{entry_name}"
    reader.expect(";")


def _set_type(new: Any, type_name: str, package: str) -> None:
    if type_name in _SCALARS:
        new.type = _SCALARS[type_name]
    else:
        new.type = _MESSAGE_TYPE
        new.type_name = f".{type_name}" if "." in type_name else f".{package}.{type_name}"
