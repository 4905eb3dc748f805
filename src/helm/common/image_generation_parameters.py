from dataclasses import dataclass


@dataclass(frozen=True)
class ImageGenerationParameters:
    """Settings of a text-to-image request; None leaves the model's default."""

    output_image_width: int | None = None
    """In pixels."""

    output_image_height: int | None = None
    """In pixels."""

    guidance_scale: float | None = None
    """The weight of the prompt relative to the unconditioned image."""

    diffusion_denoising_steps: int | None = None
