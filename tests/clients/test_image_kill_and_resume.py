"""Processes that are killed while pictures are made: what was paid for is kept, and not ordered again."""

import base64
import itertools
import json
import subprocess
import sys
import time

import pytest

from picture_server import PictureServer, Raw, png

NUM_PROMPTS = 8
NUM_KILLS = 4

ASK = """
import sys
from concurrent.futures import ThreadPoolExecutor
from helm.common.cache import SqliteCacheConfig
from helm.common.file_caches.local_file_cache import LocalFileCache
from helm.common.object_spec import get_class_by_name
from helm.common.request import Request

name, url, number = sys.argv[1:]
client = get_class_by_name(name)(
    SqliteCacheConfig("cache.sqlite"), LocalFileCache("output", "png"), api_key="key", base_url=url
)

def ask(index):
    return client.make_request(Request(model="org/painter", prompt=f"{index}", max_tokens=0, num_completions=1))

print("go", flush=True)
with ThreadPoolExecutor(2) as pool:
    for result in pool.map(ask, range(int(number))):
        assert result.success, result.error
        print(result.completions[0].multimodal_content.media_objects[0].location, flush=True)
"""


@pytest.fixture
def server():
    server = PictureServer()
    yield server
    server.close()


def start(server, client, tmp_path):
    name = f"helm.clients.image_generation.{client}"
    process = subprocess.Popen(
        [sys.executable, "-c", ASK, name, server.url, str(NUM_PROMPTS)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "go\n"
    return process


def ask_with_kills(server, client, tmp_path, wait):
    """Kill processes after `wait(number)`; then let one finish, and return the paths of the pictures."""
    for number in range(NUM_KILLS):
        process = start(server, client, tmp_path)
        wait(process, number)
        process.kill()
        process.wait()
        process.stdout.close()
    process = start(server, client, tmp_path)
    paths = process.stdout.read().split()
    assert process.wait() == 0 and len(paths) == NUM_PROMPTS
    process.stdout.close()
    return paths


def test_an_answer_that_came_is_not_paid_again(server, tmp_path):
    numbers = itertools.count()

    def draw(asked):
        time.sleep(0.05)
        data = base64.b64encode(png(next(numbers))).decode()
        return {"data": [{"b64_json": data}]}

    server.answers["/images/generations"] = draw

    def wait(process, number):
        for _ in range(number):
            process.stdout.readline()
        time.sleep(0.03)

    paths = ask_with_kills(server, "openai_images_client.OpenAIImagesClient", tmp_path, wait)
    assert len({(tmp_path / path).read_bytes() for path in paths}) == NUM_PROMPTS
    num_in_flight = 2 * NUM_KILLS  # what no client can know of: two threads wait for an answer when they are killed
    assert len(server.asked) <= NUM_PROMPTS + num_in_flight


def test_a_picture_that_was_ordered_is_not_ordered_again(server, tmp_path):
    """The pictures take long, so a process is mostly killed while it waits for them: that costs nothing."""
    numbers = itertools.count()
    begun = {}

    def order(asked):
        number = next(numbers)
        begun[str(number)] = time.monotonic()
        return {"id": str(number), "polling_url": f"{server.url}/state?id={number}"}

    def state(asked):
        number = asked.path.partition("id=")[2]
        if time.monotonic() < begun[number] + 0.4:
            return {"status": "Pending"}
        server.answers[f"/{number}.png"] = Raw(png(int(number)), content_type="image/png")
        return {"status": "Ready", "result": {"sample": f"{server.url}/{number}.png"}}

    server.answers.update({"/v1/painter": order, "/state": state})

    def wait(process, number):
        """Wait until both threads have looked for their pictures, so that they have tickets."""
        before, deadline = len(server.asked), time.monotonic() + 30
        while time.monotonic() < deadline:
            looks = {asked.path for asked in server.asked[before:] if asked.path.startswith("/state")}
            if len(looks) >= 2:
                return
            time.sleep(0.01)

    paths = ask_with_kills(server, "black_forest_labs_client.BlackForestLabsClient", tmp_path, wait)
    orders = [json.loads(asked.data)["prompt"] for asked in server.asked_for("/v1/painter")]
    assert sorted(set(orders)) == [str(number) for number in range(NUM_PROMPTS)]
    assert len(orders) <= NUM_PROMPTS + 2, (
        orders
    )  # at most: a thread was faster, and killed between an order and its ticket
    assert len({(tmp_path / path).read_bytes() for path in paths}) == NUM_PROMPTS


def test_two_processes_share_what_they_pay_for(server, tmp_path):
    """Both ask for all pictures at the same time; each is asked of the server once."""
    numbers = itertools.count()

    def draw(asked):
        time.sleep(0.02)
        return {"data": [{"b64_json": base64.b64encode(png(next(numbers))).decode()}]}

    server.answers["/images/generations"] = draw
    processes = [start(server, "openai_images_client.OpenAIImagesClient", tmp_path) for _ in range(2)]
    paths = [process.stdout.read().split() for process in processes]
    for process in processes:
        assert process.wait() == 0
        process.stdout.close()
    assert paths[0] == paths[1] and len(set(paths[0])) == NUM_PROMPTS
    assert len(server.asked) == NUM_PROMPTS
