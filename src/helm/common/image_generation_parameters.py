from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class ImageGenerationParameters:
    """Settings of a text-to-image request; None leaves the model's default."""

    output_image_width: Optional[int] = None
    """Pixels."""

    output_image_height: Optional[int] = None
    """Pixels."""

    guidance_scale: Optional[float] = None
    """Weight of the prompt against the unconditioned image."""

    diffusion_denoising_steps: Optional[int] = None
