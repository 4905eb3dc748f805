# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class GraphWalksScenario(DeclarativeScenario):
    """Nodes that a breadth-first search reaches, or the parents of a node, in a graph that fills the context (GraphWalks)."""
    def __init__(self, length: str = ..., problem: str = ...) -> None: ...
