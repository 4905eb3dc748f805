"""Tasks of lm-evaluation-harness here and by that program itself: whole commands in turn, on the same task files.

    python benchmarks/lm_eval_speed.py --peer PYTHON [--repeat 3] [--only in-process|server] [--cached]

PYTHON is of an environment with `lm-eval[hf,api]`; both need `transformers` and `torch` of the same versions. In process,
both load the same small random model, whose weights and tokenizer are made here; requests per second are those between
runs of two sizes, so that start-up does not count. Against a server on loopback the whole command counts. Quote the ratios:
both sides run in turn on one machine.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

WORDS = [
    a + b + c
    for a in ("ba", "ke", "li", "mo", "nu", "sta", "tre", "wi")
    for b in ("", "do", "fi", "ra")
    for c in ("", "n", "s", "t")
]
NUM_CHOICES = 4
SHOTS = 5

TASKS: dict[str, dict[str, Any]] = {
    # The choices are texts of several tokens, behind one context.
    "texts": {"output_type": "multiple_choice", "doc_to_choice": "{{choices}}", "doc_to_target": "{{answer}}"},
    # The choices are letters: one token each, as in mmlu.
    "letters": {"output_type": "multiple_choice", "doc_to_choice": ["A", "B", "C", "D"], "doc_to_target": "{{answer}}"},
    # One continuation, and whether it is what the model writes, as in lambada.
    "words": {"output_type": "loglikelihood", "doc_to_target": "{{' ' + choices[0]}}",
              "metric_list": [{"metric": "perplexity", "aggregation": "perplexity"}, {"metric": "acc", "aggregation": "mean"}]},
    "answers": {"output_type": "generate_until", "doc_to_target": "{{choices[answer]}}",
                "generation_kwargs": {"until": ["\n"], "max_gen_toks": 16, "do_sample": False}},
}  # fmt: skip


def write_rows(path: Path, number: int, seed: int) -> None:
    draw = random.Random(seed)

    def words(count: int) -> str:
        return " ".join(draw.choice(WORDS) for _ in range(count))

    rows = [
        {"question": words(draw.randint(20, 60)), "choices": [words(4) for _ in range(NUM_CHOICES)], "answer": i % 4}
        for i in range(number)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write_tasks(folder: Path, sizes: list[int]) -> None:
    write_rows(folder / "train.json", 20, 1)
    for size in sizes:
        write_rows(folder / f"test_{size}.json", size, 2)
        for name, keys in TASKS.items():
            task = {
                "task": f"speed_{name}_{size}",
                "dataset_path": "json",
                "dataset_kwargs": {
                    "data_files": {
                        "train": str(folder / "train.json"),
                        "test": str(folder / f"test_{size}.json"),
                    }
                },
                "test_split": "test",
                "fewshot_split": "train",
                "num_fewshot": SHOTS,
                "doc_to_text": "{{question}} :",
                **keys,
            }
            (folder / f"{task['task']}.yaml").write_text(yaml.safe_dump(task, sort_keys=False), encoding="utf-8")


def write_model(folder: Path, hidden: int, layers: int) -> None:
    """Save a random Llama and a byte-level tokenizer that is trained on the words."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    from tokenizers import ByteLevelBPETokenizer

    draw = random.Random(3)
    lines = [" ".join(draw.choice(WORDS) for _ in range(40)) for _ in range(500)]
    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(lines, vocab_size=400, special_tokens=["<end>"], show_progress=False)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=trained._tokenizer, eos_token="<end>", bos_token="<end>", pad_token="<end>"
    )
    tokenizer.model_max_length = 2048
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=hidden,
        intermediate_size=3 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=2048,
        bos_token_id=0,
        eos_token_id=0,
        pad_token_id=0,
    )
    LlamaForCausalLM(config).save_pretrained(folder)


# ---- The server on loopback


async def serve(latency_s: float, tokenizer_path: str) -> None:
    """Prints its port. Completions with `echo` get a log-probability for each word; others get two words."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(tokenizer_path)
    written: dict[int, str] = {}

    def word(token: int) -> str:
        if token not in written:
            written[token] = tokenizer.decode([token])
        return written[token]

    def echoed(prompt: Any) -> dict[str, Any]:
        ids = prompt if isinstance(prompt, list) else tokenizer.encode(prompt, add_special_tokens=False)
        tokens, offsets, at = [word(one) for one in ids], [], 0
        for token in tokens:
            offsets.append(at)
            at += len(token)
        values = [None, *(-1.0 - (one % 97) / 10 for one in ids[1:])]
        tops = [None, *({token: value} for token, value in zip(tokens[1:], values[1:], strict=True))]
        logprobs = {"tokens": tokens, "token_logprobs": values, "text_offset": offsets, "top_logprobs": tops}
        return {"text": "".join(tokens), "index": 0, "finish_reason": "length", "logprobs": logprobs}

    def answer(path: str, body: dict[str, Any]) -> dict[str, Any]:
        if path.endswith("chat/completions"):
            message = {"role": "assistant", "content": "ba keli"}
            return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": USAGE}
        prompts = body["prompt"]
        if isinstance(prompts, str) or (prompts and isinstance(prompts[0], int)):
            prompts = [prompts]
        if body.get("echo"):
            return {"choices": [{**echoed(one), "index": i} for i, one in enumerate(prompts)], "usage": USAGE}
        choices = [{"text": " ba keli", "index": i, "finish_reason": "stop"} for i in range(len(prompts))]
        return {"choices": choices, "usage": USAGE}

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                lines = [line.partition(":") for line in head.split("\r\n")[1:]]
                length = next((int(value) for name, _, value in lines if name.lower() == "content-length"), 0)
                body = json.loads(await reader.readexactly(length) or b"{}")
                if latency_s:
                    await asyncio.sleep(latency_s)
                path = head.split(" ", 2)[1]
                is_known = path.endswith("completions")  # there is no API for batches
                text = json.dumps(answer(path, body) if is_known else {"error": {"message": "not found"}}).encode()
                writer.write(
                    b"HTTP/1.1 %b\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b"
                    % (b"200 OK" if is_known else b"404 Not Found", len(text), text)
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, backlog=1024, limit=1 << 24)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


USAGE = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}


# ---- Commands


def run(command: list[str], folder: Path, settings: dict[str, str]) -> tuple[float, float]:
    """Return wall and processor seconds of a command and its children. Raises SystemExit if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env={**os.environ, **settings}, capture_output=True, text=True)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{(done.stdout + done.stderr)[-3000:]}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}

DEPLOYMENTS = """
model_deployments:
- name: loopback/m
  model_name: loopback/m
  tokenizer_name: loopback/m
  max_sequence_length: 2048
  client_spec:
    class_name: helm.clients.openai_compatible_client.OpenAICompatibleClient
    args: {base_url: "%(origin)s/v1", api_key: x}
"""
MODELS = """
models:
- {name: loopback/m, display_name: m, description: m, creator_organization_name: loopback, access: open,
   release_date: 2024-01-01, tags: [TEXT_MODEL_TAG, FULL_FUNCTIONALITY_TEXT_MODEL_TAG]}
"""
TOKENIZERS = """
tokenizer_configs:
- name: loopback/m
  tokenizer_spec:
    class_name: helm.tokenizers.huggingface_tokenizer.HuggingFaceTokenizer
    args: {pretrained_model_name_or_path: "%(model)s"}
  end_of_text_token: "<end>"
  prefix_token: "<end>"
"""


def our_command(folder: Path, task: str, model: str, origin: str, number: int, caches: bool = False) -> list[str]:
    entry = f"lm_eval:path={folder}/{task}.yaml,model={'loopback/m' if origin else 'huggingface/model'}"
    place = ["--enable-local-huggingface-models", model] if not origin else []
    flags = ["-m", str(number), "--suite", task, *(() if caches else ("--disable-cache",))]
    return [sys.executable, "-m", "helm.benchmark.run", "-r", entry, *place, *flags]


def peer_command(python: str, folder: Path, task: str, model: str, origin: str, batch_size: int) -> list[str]:
    kind, arguments, flags = "hf", f"pretrained={model},dtype=float32", ["--device", "cpu"]
    if origin:
        chat = "answers" in task
        kind = "local-chat-completions" if chat else "local-completions"
        path = "chat/completions" if chat else "completions"
        arguments = (
            f"model=m,base_url={origin}/v1/{path},num_concurrent=32,tokenizer={model},tokenizer_backend=huggingface"
        )
        flags = ["--apply_chat_template"] if chat else []
    return [
        python, "-m", "lm_eval", "run", "--model", kind, "--model_args", arguments, "--tasks", task, *flags,
        "--include_path", str(folder), "--batch_size", str(batch_size), "--output_path", str(folder / "peer"), "--log_samples",
    ]  # fmt: skip


def pairs(repeat: int, ours: Any, peers: Any) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Yield figures of both sides, which run in turn; which is first alternates."""
    for i in range(repeat):
        if i % 2:
            theirs = peers()
            yield ours(), theirs
        else:
            mine = ours()
            yield mine, peers()


def report(name: str, rows: list[tuple[tuple[float, float], tuple[float, float]]], requests: int = 0) -> None:
    wall = statistics.median(theirs[0] / mine[0] for mine, theirs in rows)
    cpu = statistics.median(theirs[1] / mine[1] for mine, theirs in rows)
    mine, theirs = (statistics.median(row[side][0] for row in rows) for side in (0, 1))
    shown = (
        f"{requests / mine:8.0f} {requests / theirs:8.0f} requests/s" if requests else f"{mine:8.1f} {theirs:8.1f} s"
    )
    print(f"{name:28} {shown:30} {wall:6.2f} x by the clock {cpu:6.2f} x processor time", flush=True)


def measure_in_process(arguments: argparse.Namespace, folder: Path, model: str) -> None:
    small, large = arguments.small, arguments.large
    for kind in arguments.tasks or ("texts", "letters", "words"):
        each = NUM_CHOICES if kind in ("texts", "letters") else 1

        def between(make: Any, kind: str = kind) -> tuple[float, float]:
            figures = [run(make(f"speed_{kind}_{size}", size), folder, OFFLINE) for size in (small, large)]
            return figures[1][0] - figures[0][0], figures[1][1] - figures[0][1]

        def ours(between: Any = between) -> tuple[float, float]:
            clear(folder)
            return between(lambda task, size: our_command(folder, task, model, "", size))

        def peers(between: Any = between) -> tuple[float, float]:
            return between(lambda task, size: peer_command(arguments.peer, folder, task, model, "", 16))

        report(f"in process, {kind}", list(pairs(arguments.repeat, ours, peers)), (large - small) * each)


def clear(folder: Path) -> None:
    import shutil

    for name in ("benchmark_output", "prod_env/cache"):
        shutil.rmtree(folder / name, ignore_errors=True)


def measure_server(arguments: argparse.Namespace, folder: Path, model: str) -> None:
    command = [sys.executable, __file__, "serve", str(arguments.latency), model]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **OFFLINE})
    try:
        assert server.stdout is not None
        origin = f"http://127.0.0.1:{server.stdout.readline().strip()}"
        (folder / "prod_env").mkdir(exist_ok=True)
        texts = {"model_deployments": DEPLOYMENTS, "model_metadata": MODELS, "tokenizer_configs": TOKENIZERS}
        for name, text in texts.items():
            given = {"origin": origin, "model": model}
            (folder / f"prod_env/{name}.yaml").write_text(text % given if "%(" in text else text)
        settings = {**OFFLINE, "OPENAI_API_KEY": "x"}
        for kind in arguments.tasks or TASKS:
            size = arguments.instances
            task = f"speed_{kind}_{size}"

            def ours(task: str = task, size: int = size) -> tuple[float, float]:
                clear(folder)
                return run(our_command(folder, task, model, origin, size, arguments.cached), folder, settings)

            def peers(task: str = task) -> tuple[float, float]:
                return run(peer_command(arguments.peer, folder, task, model, origin, 1), folder, settings)

            report(f"server, {kind}, {size} instances", list(pairs(arguments.repeat, ours, peers)))
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    if sys.argv[1:2] == ["serve"]:
        asyncio.run(serve(float(sys.argv[2]), sys.argv[3]))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", required=True, help="Python of an environment with lm-eval")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", choices=["in-process", "server"])
    parser.add_argument("--tasks", nargs="*", choices=list(TASKS))
    parser.add_argument("--small", type=int, default=20, help="instances of the smaller run in process")
    parser.add_argument("--large", type=int, default=120, help="instances of the larger run in process")
    parser.add_argument("--instances", type=int, default=1000, help="instances against the server")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds of the server for an answer")
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--cached", action="store_true", help="our response cache is on, against the server")
    parser.add_argument("--keep", help="a folder for the files")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(arguments.keep or name).resolve()
        folder.mkdir(exist_ok=True)
        model = folder / "model"
        write_tasks(folder, sorted({arguments.small, arguments.large, arguments.instances}))
        if not model.exists():
            write_model(model, arguments.hidden, arguments.layers)
        if arguments.only != "server":
            measure_in_process(arguments, folder, str(model))
        if arguments.only != "in-process":
            measure_server(arguments, folder, str(model))


if __name__ == "__main__":
    main()
