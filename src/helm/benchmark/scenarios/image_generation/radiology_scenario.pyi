# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class RadiologyScenario(DeclarativeScenario):
    """Pictures of parts of the body as X-ray, MRI, CT and ultrasound show them."""
    def __init__(self) -> None: ...
    X_RAY_ANATOMICAL_AREA: Any
    ORGANS: Any
