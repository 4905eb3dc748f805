"""The domains and the evaluation of tau2-bench, compared with the vectors."""

import pytest

from helm.agents.tau2.airline import AirlineDomain
from helm.agents.tau2.domain import hash_of
from helm.agents.tau2.evaluation import ReplayError, evaluate
from helm.agents.tau2.mock import MockDomain
from helm.agents.tau2.retail import RetailDomain
from vectors_support import load_vectors, vector_cases

DATA = load_vectors("agents/tau2_data.json")
DOMAINS = {made.name: made for made in (AirlineDomain, MockDomain, RetailDomain)}


def new_domain(name, solo=False):
    return DOMAINS[name](DATA["databases"][name], DATA["user_databases"].get(name), solo)


@pytest.mark.parametrize("name", list(DOMAINS))
def test_data_bases_and_lists_of_tools(name):
    domain = new_domain(name)
    found, of_user = domain.hashes()
    assert found == DATA["hashes"][name]
    assert name != "mock" or of_user == DATA["hashes"]["mock_user"]
    for tool in DATA["tools"][name]:
        kind = domain.kind_of(tool["requestor"], tool["name"])
        assert kind == tool["type"] and (kind == "write") == tool["mutates_state"]
    assert sum(len(side.kinds()) for r in ("assistant", "user") for side in domain.sides(r)) == len(DATA["tools"][name])


@pytest.mark.parametrize("case", vector_cases("agents/tau2_tools.json"), ids=lambda case: case["id"])
def test_tools(case):
    domain = new_domain(case["domain"])
    for call in case["calls"]:
        content, error = domain.respond(call["requestor"], call["name"], call["arguments"])
        assert error == call["error"], (call, content)
        if "validation error" not in call["content"]:  # the words of the library that the original reads with
            assert content == call["content"], call
    assert hash_of(domain.tools.db) == case["db_hash"]


@pytest.mark.parametrize("case", vector_cases("agents/tau2_evaluation.json"), ids=lambda case: case["id"])
def test_evaluation(case):
    verdicts = iter(case["nl_verdicts"])

    def found():
        return evaluate(
            lambda: new_domain(case["domain"], case["solo"]),
            case["task"],
            case["messages"],
            case["termination_reason"],
            lambda assertions: [next(verdicts) for _ in assertions],
            case["evaluation"],
        )

    expected = case["expected"]
    if "raises" in expected:
        with pytest.raises(ReplayError):
            found()
        return
    result = found()
    assert (result.reward, result.breakdown, result.note) == (
        expected["reward"],
        expected["reward_breakdown"],
        expected["note"],
    )
    assert (result.db_match, result.env_assertions) == (expected["db_match"], expected["env_assertions"])
    assert [list(check) for check in result.action_checks] == expected["action_checks"]
    assert [list(check) for check in result.communicate_checks] == expected["communicate_checks"]
    assert result.nl_assertions == expected["nl_assertions"]
    assert result.partial_action_reward == expected.get("partial_action_reward")
