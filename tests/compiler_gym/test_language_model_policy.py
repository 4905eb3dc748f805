"""A language model as the optimizer, over the client stack of all runs, against a scripted server on loopback."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from helm.benchmark import price_registry, run
from helm.common.request import GeneratedOutput, RequestResult
from helm.compiler_gym.errors import PolicyError
from helm.compiler_gym.language_model_policy import LanguageModelPolicy, UnusableReplyError, parse_actions

_NAMES = ["-sroa", "-instcombine", "-simplifycfg", "-gvn", "-dce"]
_GOOD = "First I promote memory.\nACTIONS: sroa, -instcombine, simplifycfg"


class ScriptedModel:
    """An OpenAI-compatible server that gives prepared replies in turn, the last one for ever; a number is a status."""

    def __init__(self, *replies):
        self.replies, self.prompts = list(replies), []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.prompts.append(body["messages"][-1]["content"])
                reply = outer.replies.pop(0) if len(outer.replies) > 1 else outer.replies[0]
                status, text = (reply, "") if isinstance(reply, int) else (200, reply)
                message = {"role": "assistant", "content": text}
                answer = {
                    "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                    "usage": {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107},
                }
                data = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self._server.shutdown()
        self._server.server_close()


def _run(folder: Path, monkeypatch, url: str, *flags: str, **arguments) -> tuple[dict, dict]:
    """(the only result, statistic -> mean) of a run on one program."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HELM_RETRIES", "1")
    given = {"env": "llvm", "policy": "lm", "benchmarks": "bitcount", "connection": "in_process", **arguments}
    entry = "compiler:" + ",".join(f"{key}={value}" for key, value in given.items())
    run.main(["-r", f"{entry},model=openai-compat/scripted@{url}", "--suite", "s", "-m", "5", *flags])
    (path,) = (folder / "benchmark_output" / "runs" / "s").glob("compiler*")
    state = json.loads((path / "scenario_state.json").read_text())["request_states"][0]
    stats = {stat["name"]["name"]: stat["mean"] for stat in json.loads((path / "stats.json").read_text())}
    assert "ask" not in state["request"]["policy"]["args"]
    return state["result"], stats


def test_the_best_of_the_proposals_is_the_answer(tmp_path, monkeypatch):
    with ScriptedModel("ACTIONS: dce", _GOOD, "I give up.") as model:
        result, stats = _run(tmp_path, monkeypatch, model.url, rounds=3)
        assert result["success"] and result["actions"] == ["-sroa", "-instcombine", "-simplifycfg"]
        assert result["validation"]["status"] == "valid"
        first, second, third = result["dialog"]
        assert (first["actions"], first["usage"]) == (["-dce"], {"prompt_tokens": 100, "completion_tokens": 7})
        assert second["reward"] == pytest.approx(sum(result["rewards"]))
        assert "no line that begins with ACTIONS:" in third["error"]
        assert "That sequence earned" in second["prompt"] and "Proposal 2 of 3" in second["prompt"]
        assert "earned" in model.prompts[2] and model.prompts[2].startswith(model.prompts[0])
    assert "Autophase features: " in first["prompt"] and "TotalInsts=" in first["prompt"]
    assert (stats["num_rounds"], stats["num_unusable_replies"], stats["validated"]) == (3, 1, 1)
    assert stats["instruction_count_reduction_oz"] > 0.5


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "no idea",
        "ACTIONS:",
        "ACTIONS: rm -rf /",
        '["-sroa", 7]',
        "ACTIONS: " + ", ".join(["dce"] * 100),
        "[" * 30_000,
    ],
    ids=["empty", "prose", "no actions", "unknown", "not text", "too many", "nested"],
)
def test_unusable_replies_are_counted_and_never_scored(tmp_path, monkeypatch, reply):
    with ScriptedModel(reply) as model:
        result, stats = _run(tmp_path, monkeypatch, model.url, rounds=2)
    assert not result["success"] and result["status"] == "no_answer"
    assert all(entry["error"] and entry["reply"] == reply for entry in result["dialog"])
    assert (stats["episode_failed"], stats["episode_no_answer"], stats["num_unusable_replies"]) == (1, 1, 2)
    assert not any("reduction" in name or name == "episode_reward" for name in stats)


def test_a_failed_request_is_a_failed_episode_where_failures_are_kept(tmp_path, monkeypatch):
    with ScriptedModel(_GOOD, 500) as model:
        result, stats = _run(tmp_path, monkeypatch, model.url, "--on-failure", "exclude", rounds=2)
    assert not result["success"] and result["status"] == "error"
    assert "gave no reply" in result["error"] and "500" in result["dialog"][1]["error"]
    assert stats["episode_failed"] == 1 and "episode_reward" not in stats


def test_a_failed_request_fails_the_run_where_it_shall(tmp_path, monkeypatch):
    with ScriptedModel(500) as model, pytest.raises(SystemExit) as ended:
        _run(tmp_path, monkeypatch, model.url, "--on-failure", "fail")
    assert ended.value.code == 1
    (path,) = (tmp_path / "benchmark_output" / "runs" / "s").glob("compiler*")
    assert json.loads((path / "error.json").read_text())["stage"] == "execution"
    assert not (path / "stats.json").exists()


def test_replies_come_from_the_cache_the_second_time(tmp_path, monkeypatch):
    with ScriptedModel(_GOOD) as model:
        first, _ = _run(tmp_path, monkeypatch, model.url, rounds=2, show="ir")
        sent = len(model.prompts)
        second, _ = _run(tmp_path, monkeypatch, model.url, rounds=2, show="ir")
        assert sent == 2 and len(model.prompts) == sent
    assert [entry["reply"] for entry in first["dialog"]] == [entry["reply"] for entry in second["dialog"]]
    assert "define " in first["dialog"][0]["prompt"] and "Autophase" not in first["dialog"][0]["prompt"]


def test_a_budget_of_tokens_ends_the_command(tmp_path, monkeypatch):
    with ScriptedModel(_GOOD) as model:
        with pytest.raises(SystemExit):
            _run(tmp_path, monkeypatch, model.url, "--max-tokens-total", "50", rounds=3)
        assert len(model.prompts) == 1


@pytest.mark.parametrize("model", ["baseline/ppm", "simple/model1"])
def test_models_that_know_nothing_give_no_answer(tmp_path, monkeypatch, model):
    monkeypatch.chdir(tmp_path)
    entry = f"compiler:policy=lm,rounds=1,benchmarks=bitcount,connection=in_process,model={model}"
    run.main(["-r", entry, "--suite", "s", "-m", "5"])
    (path,) = (tmp_path / "benchmark_output" / "runs" / "s").glob("compiler*")
    stats = {stat["name"]["name"]: stat["mean"] for stat in json.loads((path / "stats.json").read_text())}
    assert stats["episode_no_answer"] == 1


@pytest.mark.parametrize(
    "reply, actions",
    [
        ("ACTIONS: -sroa, -gvn", ["-sroa", "-gvn"]),
        ("actions : sroa gvn", ["-sroa", "-gvn"]),
        ("**ACTIONS:** `sroa`, `dce`.", ["-sroa", "-dce"]),
        ("ACTIONS: dce\nNo, better:\nACTIONS: sroa, sroa", ["-sroa", "-sroa"]),
        ('Here: ["-sroa", "gvn"] and done.', ["-sroa", "-gvn"]),
        ('```json\n["dce"]\n```', ["-dce"]),
    ],
)
def test_actions_are_read_from_replies(reply, actions):
    assert parse_actions(reply, _NAMES) == actions


def test_an_unknown_action_is_named_with_the_nearest():
    with pytest.raises(UnusableReplyError, match="do not exist: -instcombin. Did you mean '-instcombine'"):
        parse_actions("ACTIONS: -sroa, -instcombin", _NAMES)


def test_a_reply_without_completions_is_an_empty_one():
    policy = LanguageModelPolicy(
        "m", "m", lambda request: RequestResult(success=True, embedding=[], completions=[], cached=False), rounds=1
    )
    with pytest.raises(PolicyError) as raised:
        policy.run(_Toy())
    assert raised.value.status == "no_answer"


def test_an_action_that_the_compiler_refuses_is_told_to_the_model():
    replies = iter(["ACTIONS: bad", "ACTIONS: good"])

    def ask(request):
        text = next(replies)
        return RequestResult(success=True, embedding=[], completions=[GeneratedOutput(text, 0, [])], cached=False)

    policy = LanguageModelPolicy("m", "m", ask, rounds=2)
    assert policy.run(_Toy()) == ["good"]
    assert policy.dialog[0]["error"] == "The compiler refused action 1: no"
    assert "The compiler refused action 1: no" in policy.dialog[1]["prompt"]


class _Toy:
    """A compiler without features whose action `bad` is refused."""

    action_names, max_steps, observation_names, reward_name = ["good", "bad"], 5, [], "size"

    def observe(self, names):
        return {}

    def try_actions(self, sequences):
        from helm.compiler_gym.envs.environment import Trial

        return [Trial([], "no") if "bad" in sequence else Trial([1.0] * len(sequence)) for sequence in sequences]


@pytest.fixture
def own_prices(monkeypatch):
    """What is read of prices here is forgotten at the end."""
    for name, value in (("_paths", []), ("_prices", {}), ("_num_paths_read", 0)):
        monkeypatch.setattr(price_registry, name, value)


def _estimate(folder: Path, entry: str, suite: str) -> dict:
    run.main(["-r", entry, "--suite", suite, "-m", "9", "--dry-run"])
    return json.loads((folder / "benchmark_output" / "runs" / suite / "estimate.json").read_text())["total"]


def test_a_dry_run_tells_what_the_model_is_asked_and_what_it_costs_at_the_most(tmp_path, monkeypatch, own_prices):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prod_env").mkdir()
    price = "{deployment: simple/model1, input: 2, output: 10, date: 2026-01-01, source: here}"
    (tmp_path / "prod_env" / "prices.yaml").write_text(f"prices:\n  - {price}\n")
    entry = "compiler:policy=lm,rounds={},benchmarks=embedded,max_programs=5,max_steps=10,model=simple/model1"
    found = {rounds: _estimate(tmp_path, entry.format(rounds), f"s{rounds}") for rounds in (1, 2, 3)}
    assert [found[rounds]["requests"] for rounds in (1, 2, 3)] == [5, 10, 15]
    assert [found[rounds]["max_completion_tokens"] for rounds in (1, 2, 3)] == [5_000, 10_000, 15_000]
    assert all(total["problems"] == [] and total["runs_without_price"] == 0 for total in found.values())
    one, two, three = (found[rounds]["prompt_tokens"] for rounds in (1, 2, 3))
    assert one > 5 * 100
    added = two - 2 * one  # a reply and what it earned, for five programs
    assert 5_000 < added < 5_000 + 5 * 200 and three == pytest.approx(3 * one + 3 * added, abs=2)
    cost = found[2]["cost"]
    assert cost["worst"] == pytest.approx((two * 2 + 10_000 * 10) / 1e6)
    assert one * 4 / 1e6 < cost["low"] < cost["expected"] < cost["worst"]


def test_the_estimate_is_not_below_what_is_sent(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with ScriptedModel("ACTIONS: " + ", ".join(["sroa", "instcombine"] * 8)) as model:
        entry = f"compiler:policy=lm,benchmarks=bitcount,max_steps=16,model=openai-compat/scripted@{model.url}"
        total = _estimate(tmp_path, entry, "dry")
        assert model.prompts == [] and total["cached"] == 0
        run.main(["-r", entry, "--suite", "s", "-m", "9"])
        assert len(model.prompts) == total["requests"] == 3
        sent = sum(len(prompt) for prompt in model.prompts) / 4
        assert sent < total["prompt_tokens"] < sent + 3 * 1000 + 3 * 16 * 30
        again = _estimate(tmp_path, entry, "again")
    assert again["cached"] == 1 and again["prompt_tokens"] < total["prompt_tokens"]


def test_a_dry_run_names_programs_that_the_compiler_refuses(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.ll").write_text("no module")
    (problem,) = _estimate(tmp_path, "compiler:policy=lm,benchmarks=bad.ll,model=simple/model1", "s")["problems"]
    assert "the compiler refuses file:///" in problem and "Failed to parse LLVM" in problem


def test_the_estimate_knows_the_usual_number_of_rounds():
    from inspect import signature

    from helm.benchmark.running import estimate

    assert signature(LanguageModelPolicy).parameters["rounds"].default == estimate._DIALOG_ROUNDS
