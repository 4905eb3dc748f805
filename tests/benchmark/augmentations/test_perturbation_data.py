"""Where the tables of perturbations come from, and what is said when one cannot be had."""

import hashlib
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from helm.benchmark.augmentations import perturbation_data
from helm.benchmark.augmentations.misspelling_perturbation import MisspellingPerturbation
from helm.benchmark.augmentations.perturbation import PerturbationSpec, create_perturbation
from helm.benchmark.augmentations.perturbation_data import PerturbationDataFile, PerturbationError
from helm.common.commands.output_path import benchmark_output_path

BODY = b'{"the": ["teh"]}'


@pytest.fixture
def server():
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.num_requests += 1
            self.send_response(self.server.status)
            self.send_header("Content-Length", str(len(BODY)))
            self.end_headers()
            self.wfile.write(BODY)

        def log_message(self, *args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http_server:
        http_server.num_requests, http_server.status = 0, 200
        http_server.url = f"http://127.0.0.1:{http_server.server_port}/words.json"
        thread = threading.Thread(target=http_server.serve_forever, args=(0.01,))
        thread.start()
        yield http_server
        http_server.shutdown()
        thread.join()


@pytest.fixture
def output_path(tmp_path, monkeypatch):
    for name in ("HELM_PERTURBATION_DATA", "HELM_OFFLINE", "HF_HUB_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    with benchmark_output_path(str(tmp_path / "out")):
        yield tmp_path / "out"


@pytest.fixture
def table(server):
    return PerturbationDataFile("words.json", server.url, sha256=hashlib.sha256(BODY).hexdigest(), folder="somewhere")


def test_fetched_once_into_the_output_path(server, table, output_path):
    path = table.find_table("misspellings")
    assert path == str(output_path / "perturbations" / "somewhere" / "words.json")
    assert table.find_table("misspellings") == path
    assert (output_path / "perturbations" / "somewhere" / "words.json").read_bytes() == BODY
    assert server.num_requests == 1


def test_a_given_folder_comes_first(server, table, output_path, tmp_path, monkeypatch):
    monkeypatch.setenv("HELM_PERTURBATION_DATA", str(tmp_path))
    (tmp_path / "words.json").write_text("{}")
    assert table.find_table("misspellings") == str(tmp_path / "words.json")
    assert server.num_requests == 0


def test_other_bytes_than_expected_are_refused(table, output_path):
    with pytest.raises(PerturbationError, match="SHA-256") as caught:
        replace(table, sha256="0" * 64).find_table("misspellings")
    assert "0" * 64 in str(caught.value)
    assert not (output_path / "perturbations" / "somewhere" / "words.json").exists()


@pytest.mark.parametrize("variable", ["HELM_OFFLINE", "HF_HUB_OFFLINE"])
def test_offline_says_what_is_missing_and_where_to_put_it(variable, server, table, output_path, monkeypatch):
    monkeypatch.setenv(variable, "1")
    with pytest.raises(PerturbationError) as caught:
        table.find_table("misspellings")
    message = str(caught.value)
    path = str(output_path / "perturbations" / "somewhere" / "words.json")
    for part in ("'misspellings'", "words.json", server.url, path, "HELM_PERTURBATION_DATA", variable):
        assert part in message
    assert server.num_requests == 0
    monkeypatch.setenv(variable, "0")
    assert table.find_table("misspellings") == path


def test_a_source_that_fails_is_named(server, table, output_path):
    server.status = 404
    with pytest.raises(PerturbationError, match="404"):
        table.find_table("misspellings")


def test_a_given_folder_that_is_none(table, output_path, monkeypatch):
    monkeypatch.setenv("HELM_PERTURBATION_DATA", "/no/such/folder")
    with pytest.raises(PerturbationError, match="/no/such/folder"):
        table.find_table("misspellings")


def test_the_run_fails_before_anything_is_asked(output_path, monkeypatch):
    """The constructor looks for the table; perturbations are made before requests are."""
    monkeypatch.setenv("HELM_OFFLINE", "1")
    with pytest.raises(PerturbationError, match=r"correct_to_misspelling\.json"):
        MisspellingPerturbation(prob=0.5)


def test_the_fetched_misspellings_are_used(server, output_path, monkeypatch):
    monkeypatch.setattr(
        "helm.benchmark.augmentations.misspelling_perturbation.MISSPELLINGS",
        replace(perturbation_data.MISSPELLINGS, url=server.url, sha256=None),
    )
    from random import Random

    assert MisspellingPerturbation(prob=1.0).perturb("The the.", Random(0)) == "The teh."


@pytest.mark.parametrize("content", ["", "[]", '{"the": "teh"}', '{"the": []}', '{"": ["x"]}', "\udcff"])
def test_a_table_that_is_not_one(content, tmp_path, monkeypatch):
    monkeypatch.setenv("HELM_PERTURBATION_DATA", str(tmp_path))
    path = tmp_path / "correct_to_misspelling.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(PerturbationError, match=r"correct_to_misspelling\.json"):
        MisspellingPerturbation(prob=0.5)


MODULE = "helm.benchmark.augmentations"
RACE = {"source_class": {"race": "a"}, "target_class": {"race": "b"}}


@pytest.mark.parametrize(
    "path, args, part",
    [
        ("dialect_perturbation.DialectPerturbation", {"source_class": "SAE", "target_class": "X"}, "SAE to X"),
        ("dialect_perturbation.DialectPerturbation", {"prob": 2, "source_class": "SAE", "target_class": "X"}, "prob"),
        ("gender_perturbation.GenderPerturbation", {"mode": "termz"}, "Did you mean 'terms'"),
        ("gender_perturbation.GenderPerturbation", {"source_class": "mal"}, "Did you mean 'male'"),
        ("gender_perturbation.GenderPerturbation", {"mapping_file_path": "m", "mapping_file_genders": ["male"]}, " m"),
        ("person_name_perturbation.PersonNamePerturbation", {"person_name_type": "first", **RACE}, "first_name"),
        (
            "person_name_perturbation.PersonNamePerturbation",
            {"person_name_type": "last_name", **RACE},
            "first names only",
        ),
        ("person_name_perturbation.PersonNamePerturbation", {"name_file_path": "/none", **RACE}, "/none"),
        ("person_name_perturbation.PersonNamePerturbation", {"name_file_path": "odd.txt", **RACE}, "line 2 of odd.txt"),
        ("person_name_perturbation.PersonNamePerturbation", {"name_file_path": "ab.txt", **RACE}, "has none"),
        (
            "person_name_perturbation.PersonNamePerturbation",
            {"name_file_path": "ab.txt", "source_class": {"race": "A"}, "target_class": {"race": "c"}},
            "takes a, b, not 'c'",
        ),
        (
            "person_name_perturbation.PersonNamePerturbation",
            {"name_file_path": "ab.txt", "source_class": {}, "target_class": {}},
            "does not name a category",
        ),
        ("space_perturbation.SpacePerturbation", {"max_spaces": 0}, "at least 1"),
        ("space_perturbation.SpacePerturbation", {"maxspaces": 0}, "(max_spaces: int)"),
        ("space_perturbation.SpicePerturbation", {"maxspaces": 0}, "SpicePerturbation"),
    ],
)
def test_wrong_arguments_are_named(path, args, part, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd.txt").write_text("ann,first_name,race,a\nbob\n")
    (tmp_path / "ab.txt").write_text("ann,first_name,race,a\n\nbob,first_name,race,b\n")
    if "Space" not in path and "Spice" not in path:
        args = {"prob": 1.0, **args}
    if "Gender" in path:
        args = {"mode": "terms", "source_class": "male", "target_class": "female", **args}
    with pytest.raises(ValueError) as caught:
        create_perturbation(PerturbationSpec(f"{MODULE}.{path}", args))
    assert part in str(caught.value)
