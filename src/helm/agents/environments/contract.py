"""Holds environments to their contract: in the tests of a plugin, or by `helm-agent check-environment`.

```python
from helm.agents.environments.contract import Subject, rules_for

SUBJECT = Subject(lambda: MyBox(image="debian:13"))


@pytest.mark.parametrize("rule", rules_for(SUBJECT), ids=str)
def test_my_box(rule):
    rule.check(SUBJECT)
```
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from helm.agents.environments.box import Box
from helm.agents.environments.contract_basis import ContractBroken, Rule, Subject
from helm.agents.environments.contract_rules import RULES

__all__ = ["ContractBroken", "Finding", "Rule", "Subject", "check_environment", "rules_for"]


@dataclass(frozen=True)
class Finding:
    """What came of a rule."""

    rule: Rule

    problem: str | None
    """None if the rule is kept."""

    elapsed_s: float


def rules_for(subject: Subject) -> list[Rule]:
    """Return the rules that concern a subject."""
    is_box = isinstance(subject.make(), Box)
    return [
        rule
        for rule in RULES
        if (is_box or not rule.is_for_boxes) and (subject.kill is not None or not rule.needs_kill)
    ]


def check_environment(subject: Subject) -> Iterator[Finding]:
    """Hold a subject to all rules that concern it, one after the other."""
    for rule in rules_for(subject):
        began = time.monotonic()
        problem = None
        try:
            rule.check(subject)
        except ContractBroken as e:
            problem = str(e)
        except Exception as e:
            problem = f"{type(e).__name__}: {e}"
        yield Finding(rule, problem, time.monotonic() - began)
