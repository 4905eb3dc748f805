"""A diffusion pipeline of random weights, built from configurations, saved to a folder, and run in this process."""

import pytest

from clip_tokenizer import save_tiny_clip_tokenizer
from helm.common.cache import SqliteCacheConfig
from helm.common.file_caches.local_file_cache import LocalFileCache
from helm.common.image_generation_parameters import ImageGenerationParameters
from helm.common.images_utils import is_blacked_out_image, open_image
from helm.common.request import Request
from helm.common.request_options import RequestOptions

torch = pytest.importorskip("torch")
diffusers = pytest.importorskip("diffusers")

SIDE = 16


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A Stable Diffusion of a few thousand weights, with the tokenizer of the vectors."""
    from transformers import CLIPTextConfig, CLIPTextModel, CLIPTokenizer

    torch.manual_seed(0)
    place = tmp_path_factory.mktemp("pipeline")
    num_tokens = save_tiny_clip_tokenizer(place / "tokenizer")
    text_config = CLIPTextConfig(
        vocab_size=num_tokens, hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        max_position_embeddings=77, bos_token_id=num_tokens - 2, eos_token_id=num_tokens - 1,
    )  # fmt: skip
    pipeline = diffusers.StableDiffusionPipeline(
        unet=diffusers.UNet2DConditionModel(
            block_out_channels=(8, 16), layers_per_block=1, sample_size=SIDE // 2, in_channels=4, out_channels=4,
            down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"), up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
            cross_attention_dim=16, attention_head_dim=2, norm_num_groups=4,
        ),
        vae=diffusers.AutoencoderKL(
            block_out_channels=(8, 8), down_block_types=("DownEncoderBlock2D",) * 2,
            up_block_types=("UpDecoderBlock2D",) * 2, latent_channels=4, norm_num_groups=4,
        ),
        text_encoder=CLIPTextModel(text_config),
        tokenizer=CLIPTokenizer.from_pretrained(place / "tokenizer"),
        scheduler=diffusers.DDIMScheduler(steps_offset=1, clip_sample=False),
        safety_checker=None, feature_extractor=None, requires_safety_checker=False,
    )  # fmt: skip
    pipeline.save_pretrained(place / "painter")
    return place / "painter"


@pytest.fixture
def make(folder, tmp_path):
    """Makes clients, each with a cache and files of its own, as on another machine."""
    from helm.clients.image_generation.huggingface_diffusers_client import HuggingFaceDiffusersClient, _models

    def make(machine="one", name=folder):
        return HuggingFaceDiffusersClient(
            None,
            SqliteCacheConfig(str(tmp_path / f"{machine}.sqlite")),
            LocalFileCache(str(tmp_path / machine), "png"),
            pretrained_model_name_or_path=str(name),
            device="cpu",
        )

    yield make
    _models.clear()


def request_for(number=1, seed=None, **changes):
    parameters = {
        "output_image_width": SIDE, "output_image_height": SIDE, "guidance_scale": 2.0, "diffusion_denoising_steps": 2,
    }  # fmt: skip
    return Request(
        model_deployment="huggingface/painter",
        model="huggingface/painter",
        prompt="a photo of the cat",
        num_completions=number,
        max_tokens=0,
        image_generation_parameters=ImageGenerationParameters(**{**parameters, **changes}),
        options=RequestOptions(seed=seed) if seed is not None else None,
    )


def pixels_of(result):
    assert result.success, result.error
    locations = [completion.multimodal_content.media_objects[0].location for completion in result.completions]
    return [open_image(location) for location in locations]


def test_a_pipeline_makes_pictures(make):
    client, request = make(), request_for(number=2)
    result = client.make_request(request)
    first, second = pixels_of(result)
    assert first.size == second.size == (SIDE, SIDE) and first.tobytes() != second.tobytes()
    assert not is_blacked_out_image(result.completions[0].multimodal_content.media_objects[0].location)
    assert result.outcome == "ok" and not result.cached and result.request_time > 0
    again = client.make_request(request)
    assert again.cached and again.completions == result.completions


def test_a_seed_repeats_pictures(make):
    one, other = make("one"), make("other")
    first, second = (image.tobytes() for image in pixels_of(one.make_request(request_for(number=2, seed=5))))
    assert first != second
    again = pixels_of(other.make_request(request_for(number=2, seed=5)))
    assert [image.tobytes() for image in again] == [first, second]
    (following,) = pixels_of(other.make_request(request_for(number=1, seed=6)))
    assert following.tobytes() == second, "each picture has the next seed"
    (unseeded,) = pixels_of(other.make_request(request_for(number=1)))
    assert unseeded.tobytes() not in (first, second)


def test_what_a_pipeline_cannot_do_is_an_error(make):
    result = make().make_request(request_for(output_image_width=SIDE + 1))
    assert not result.success and result.completions == []
    assert result.error.startswith("HuggingFaceDiffusersClient error:") and "divisible by 8" in result.error


def test_a_model_that_cannot_be_loaded_is_an_error_that_says_what_to_set(make, tmp_path):
    result = make(name=tmp_path / "nothing").make_request(request_for())
    assert not result.success and result.outcome == "refused" and "pretrained_model_name_or_path" in result.error
