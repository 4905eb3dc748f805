"""CLIP's tokenizer with the few merges of the golden vectors."""

import json
from pathlib import Path

from vectors_support import load_vectors


def byte_characters() -> list[str]:
    """The characters that stand for the bytes from 0 to 255 in byte-level BPE, in this order."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = iter(range(256, 512))
    return [chr(number if number in printable else next(others)) for number in range(256)]


def save_tiny_clip_tokenizer(folder: Path) -> int:
    """Write the tokenizer's files into a folder, and return the number of its tokens. Needs transformers."""
    from transformers import CLIPTokenizer

    folder.mkdir(parents=True, exist_ok=True)
    merges = load_vectors("helm-heim/requests.json")["tiny_clip"]["merges"]
    letters = byte_characters()
    names = [*letters, *(f"{letter}</w>" for letter in letters), *(merge.replace(" ", "") for merge in merges)]
    names += ["<|startoftext|>", "<|endoftext|>"]
    (folder / "vocab.json").write_text(json.dumps({name: number for number, name in enumerate(names)}), "utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n" + "\n".join(merges) + "\n", "utf-8")
    CLIPTokenizer.from_pretrained(str(folder), model_max_length=77).save_pretrained(str(folder))
    return len(names)
