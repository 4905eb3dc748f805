"""The run entries of HELM's leaderboards become RunSpecs, without a network."""

import socket

import pytest

from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.declarative.recipe import placeholders_for_fetched_texts
from helm.benchmark.run_spec_factory import construct_run_specs
from helm.common.object_spec import parse_object_spec

SUBJECTS = [
    "number_theory", "intermediate_algebra", "algebra", "prealgebra", "geometry", "counting_and_probability", "precalculus",
]  # fmt: skip
LEGALBENCH = [
    "abercrombie", "corporate_lobbying", "international_citizenship_questions", "function_of_decision_section", "proa",
]  # fmt: skip
INSTRUCT = "follow_format_instructions=instruct"
MORE_TOKENS = "increase_max_tokens=10000"

LEADERBOARDS = {
    "capabilities": [
        f"mmlu_pro:subject=all,model=M,output_format_instructions=mmlu_pro_suffix,{MORE_TOKENS}",
        f"gpqa:subset=main,model=M,output_format_instructions=gpqa_suffix,{MORE_TOKENS}",
        f"ifeval:model=M,{MORE_TOKENS}",
        f"wildbench:subset=v2,model=M,{MORE_TOKENS}",
        f"omni_math:model=M,{MORE_TOKENS}",
    ],
    "safety": [
        "xstest:model=M",
        "anthropic_red_team:model=M",
        "simple_safety_tests:model=M",
        "harm_bench:model=M",
        "bbq:subject=all,method=multiple_choice_joint,model=M,output_format_instructions=mcqa,max_train_instances=0",
    ],
    "finance": ["fin_qa:model=M", "financebench:model=M", "raft:subset=banking_77,model=M"],
    "air_bench": ["air_bench_2024:model=M"],
    "ewok": [f"ewok:domain={domain},model=M" for domain in ("all", "agent_properties", "spatial_relations")],
    "lite": [
        f"narrative_qa:model=M,{INSTRUCT}",
        f"natural_qa:mode=openbook_longans,model=M,{INSTRUCT}",
        f"natural_qa:mode=closedbook,model=M,{INSTRUCT}",
        "commonsense:dataset=openbookqa,method=multiple_choice_joint,model=M",
        "mmlu:subject=abstract_algebra,method=multiple_choice_joint,model=M",
        *[f"math:subject={s},level=3,use_chain_of_thought=True,model=M,{INSTRUCT}" for s in SUBJECTS],
        f"gsm:model=M,{INSTRUCT}",
        *[f"legalbench:subset={subset},model=M,{INSTRUCT}" for subset in LEGALBENCH],
        "med_qa:model=M",
        f"wmt_14:language_pair=cs-en,model=M,{INSTRUCT}",
    ],
}


@pytest.mark.parametrize("name", LEADERBOARDS)
def test_entries_of_a_leaderboard_become_run_specs(name, isolated_registries, monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    register_builtin_configs_from_helm_package()
    with placeholders_for_fetched_texts():
        for entry in LEADERBOARDS[name]:
            (run_spec,) = construct_run_specs(parse_object_spec(entry.replace("model=M", "model=simple/model1")))
            assert run_spec.name.startswith(entry.split(":")[0])
            assert run_spec.adapter_spec.model == "simple/model1"
