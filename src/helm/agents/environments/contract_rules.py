"""The rules that every environment has to keep; `helm.agents.environments.contract` applies them."""

from helm.agents.environments import contract_commands, contract_life, contract_places
from helm.agents.environments.contract_basis import Rule

RULES: tuple[Rule, ...] = tuple(
    found
    for module in (contract_life, contract_commands, contract_places)
    for found in vars(module).values()
    if isinstance(found, Rule)
)
"""All rules, in the order in which they are best read."""
