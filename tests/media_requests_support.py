"""The requests with pictures and sounds of the vectors, and a tokenizer for tiny models."""

import base64

from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import Request
from vectors_support import load_vectors

VECTORS = load_vectors("helm-vision-audio/requests.json")
MEDIA = {name: base64.b64decode(medium["base64"]) for name, medium in VECTORS["media"].items()}


def write_media(folder):
    """Write the files that the requests name as `$DIR/...`."""
    for name, content in MEDIA.items():
        (folder / name).write_bytes(content)
    return folder


def request_of(case, folder):
    fields = dict(case["request"])
    parts = [
        MediaObject(**{k: v.replace("$DIR", str(folder)) for k, v in part.items()})
        for part in fields.pop("multimodal_prompt")
    ]
    return Request(**{"prompt": "", **fields}, multimodal_prompt=MultimediaObject(parts))


def tiny_tokenizer(special, **fields):
    """Return a tokenizer of bytes and a few words; the first special token ends texts and pads."""
    import transformers

    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    tokenizer.train_from_iterator(["What is said? user assistant system"], trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token=special[0],
        pad_token=special[0],
        additional_special_tokens=special[1:],
        **fields,
    )
