"""The contract of scorers of the fit between captions and pictures."""

from abc import ABC, abstractmethod
from collections.abc import Sequence


class BaseCLIPScorer(ABC):
    """Scores how well captions fit pictures."""

    @abstractmethod
    def compute_score(self, caption: str, image_location: str) -> float:
        """Return 100 times the cosine of the features of a caption and of the picture at a path or URL."""

    def select_best_image(self, caption: str, image_locations: Sequence[str]) -> str:
        """Return the location of the picture that fits best, the first of equal ones."""
        return max(image_locations, key=lambda location: self.compute_score(caption, location))
