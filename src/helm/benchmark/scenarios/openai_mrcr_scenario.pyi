# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class OpenAIMRCRScenario(DeclarativeScenario):
    """Long chats in which one of several equal requests has to be answered again, word by word."""
    def __init__(self, needles: int, max_num_words: int = ...) -> None: ...
