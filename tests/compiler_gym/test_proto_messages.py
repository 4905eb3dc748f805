import base64

import pytest
from google.protobuf import json_format

from helm.compiler_gym import proto
from helm.compiler_gym.proto.schema import load_schema
from vectors_support import vector_cases


def test_vector_messages_parse_and_serialise_both_ways():
    pool = proto.get_schema().pool
    for case in vector_cases("compiler-gym/messages.json"):
        message_class = getattr(proto, case["message"])
        data = base64.b64decode(case["base64"])
        message = message_class.FromString(data)
        fields = json_format.MessageToDict(message, preserving_proto_field_name=True, descriptor_pool=pool)
        assert fields == case["fields"], case["id"]
        assert message.ByteSize() == case["byte_size"], case["id"]
        again = json_format.ParseDict(case["fields"], message_class(), descriptor_pool=pool)
        assert again.SerializeToString(deterministic=True) == data, case["id"]


def test_every_call_has_its_messages():
    schema = proto.get_schema()
    assert schema.service == "compiler_gym.CompilerGymService"
    assert len(schema.calls) == 8
    for call, (request, reply) in schema.calls.items():
        assert (request, reply) == (f"{call}Request", f"{call}Reply")
        assert {request, reply} <= schema.messages.keys()


def test_an_unknown_message_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no message 'Evnt'"):
        getattr(proto, "Ev" + "nt")


def test_the_messages_leave_the_default_descriptor_pool_alone():
    from google.protobuf import descriptor_pool

    proto.get_schema()
    with pytest.raises(KeyError):
        descriptor_pool.Default().FindMessageTypeByName("compiler_gym.Event")


@pytest.mark.parametrize(
    "text, complaint",
    [
        ('syntax = "proto2";', "x.proto:1: expected '\"proto3\"', found '\"proto2\"'"),
        ('syntax = "proto3";\nmessage M {\n  int32 a = 1\n}', "x.proto:4: expected ';', found '}'"),
        ('syntax = "proto3";\nmessage M { int32 a = 1;', "the file ends inside a definition"),
        ('syntax = "proto3";\nenum E { }', "unknown statement 'enum'"),
        ("syntax = 'proto3';", "x.proto:1: cannot read"),
    ],
    ids=["proto2", "no-semicolon", "open-brace", "enum", "quotes"],
)
def test_what_the_reader_does_not_know_is_named(text, complaint):
    with pytest.raises(ValueError) as error:
        load_schema(text, "x.proto")
    assert complaint in str(error.value)
