# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MSCOCOScenario(DeclarativeScenario):
    """Captions of photographs, each with the photograph; for image quality, alignment and variants of the prompts."""
    def __init__(self) -> None: ...
    SPLIT_DOWNLOAD_URL_TEMPLATE: Any
    COCO_SPLIT_TO_HELM_SPLIT: Any
    ANNOTATIONS_DOWNLOAD_URL: Any
