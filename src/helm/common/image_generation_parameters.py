from dataclasses import dataclass


@dataclass(frozen=True)
class ImageGenerationParameters:
    """Settings of a text-to-image request; None leaves the model's default."""

    output_image_width: int | None = None
    """Pixels."""

    output_image_height: int | None = None
    """Pixels."""

    guidance_scale: float | None = None
    """Weight of the prompt against the unconditioned image."""

    diffusion_denoising_steps: int | None = None
