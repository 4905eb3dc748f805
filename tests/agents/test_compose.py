"""Compose files: what is read of them, and what is refused by name."""

import pytest

from helm.agents.environments.compose import COMPLETED, HEALTHY, ComposeError, HealthCheck, read_services


def read(text, **files):
    return read_services({"docker-compose.yaml": text.encode(), **files})


def service(keys, name="db", **files):
    return read(f"volumes: {{data: }}\nservices: {{{name}: {{image: a, {keys}}}}}", **files)[name]


def test_services_come_after_those_that_they_wait_for():
    found = read(
        """
services:
  main: {depends_on: {web: {condition: service_healthy}, init: {condition: service_completed_successfully}}}
  web: {image: web, depends_on: [db]}
  init: {image: web}
  db: {image: db}
networks: {default: {internal: true}}
"""
    )
    assert list(found)[-1] == "main" and list(found).index("db") < list(found).index("web")
    assert found["main"].depends_on == {"web": HEALTHY, "init": COMPLETED} and found["main"].image is None


def test_all_forms_are_read():
    found = service(
        "command: echo 'a b' $$x, entrypoint: [sh, -c], environment: [A=1, 'B=${C:-two}'], user: 5, working_dir: /w,"
        "healthcheck: {test: [CMD, pg_isready], interval: 1m30s, timeout: 500ms, retries: 7, start_period: 2s},"
        "volumes: ['data:/var/lib', './init:/init:ro', {type: bind, source: ./one.sql, target: /one.sql}],"
        "deploy: {resources: {limits: {memory: 512M, cpus: '0.5'}}}, restart: always, ports: []",
        **{"init/a/b.sql": b"1", "init/c.sql": b"2", "one.sql": b"3"},
    )
    assert (found.command, found.entrypoint) == (["echo", "a b", "$x"], ["sh", "-c"])
    assert found.environment == {"A": "1", "B": "two"} and (found.user, found.workdir) == ("5", "/w")
    assert found.health == HealthCheck(["pg_isready"], 90.0, 0.5, 7, 2.0)
    assert found.volumes == {"/var/lib": "data"}
    assert found.files == {"/init": {"a/b.sql": b"1", "c.sql": b"2"}, "/one.sql": {"": b"3"}}
    assert (found.memory_bytes, found.cpus) == (512 << 20, 0.5)
    built = read(
        "services: {db: {build: {context: ./db, dockerfile: x/Other}}}", **{"db/x/Other": b"FROM a", "db/f": b"1"}
    )
    assert built["db"].build == {"x/Other": b"FROM a", "f": b"1", "Dockerfile": b"FROM a"} and built["db"].image is None
    assert service("healthcheck: {test: NONE}").health is None


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("privileged: true", "services.db.privileged is refused: it would have the rights of this machine"),
        ("network_mode: host", "services.db.network_mode is refused"),
        ("pid: host", "services.db.pid is refused"),
        ("devices: [/dev/kvm]", "services.db.devices is refused"),
        ("cap_add: [SYS_ADMIN]", "services.db.cap_add is refused"),
        ("security_opt: ['seccomp:unconfined']", "services.db.security_opt is refused"),
        ("ports: ['80:80']", "services.db.ports is refused: it would open ports"),
        ("env_file: /etc/passwd", "services.db.env_file is refused"),
        ("extra_hosts: ['a:1.2.3.4']", "services.db.extra_hosts is refused"),
        ("volumes: ['/var/run/docker.sock:/s']", "'/var/run/docker.sock' would be a folder of this machine"),
        ("volumes: ['/:/host']", "'/' would be a folder of this machine"),
        ("volumes: ['~/.ssh:/k']", "would be a folder of this machine"),
        ("volumes: ['../secret:/k']", "'../secret' is not in the task's folder"),
        ("volumes: ['./a/../../b:/k']", "is not in the task's folder"),
        ("volumes: ['./missing:/k']", "missing, which is not in the task's folder"),
        ("volumes: ['other:/k']", "'other' would be a folder of this machine"),
        ("volumes: [{type: bind, source: /etc, target: /e}]", "'/etc' would be a folder"),
        ("volumes: [{type: tmpfs, target: /e}]", "takes a type (bind or volume)"),
        ("volumes: ['data:/']", "has a place that is no folder inside"),
        ("volumes: ['/only']", "has no name"),
        ("build: https://example.org/x.git", "is not in the task's folder"),
        ("build: ../..", "is not in the task's folder"),
        ("build: {context: ., args: {A: 1}}", "build.args is not supported"),
        ("build: .", "needs ./Dockerfile, which is not there"),
        ("environment: [TOKEN]", "takes the variable TOKEN of this machine"),
        ("environment: {KEY: '$OPENAI_API_KEY'}", "takes the variable OPENAI_API_KEY of this machine"),
        ("command: 'echo ${HOME}'", "takes the variable HOME of this machine"),
        ("healthchek: {}", "healthchek is not supported. Did you mean 'healthcheck'?"),
        ("healthcheck: {test: [sh]}", "begins with CMD or CMD-SHELL"),
        ("healthcheck: {test: a, interval: soon}", "takes a time such as 10s or 1m30s, not 'soon'"),
        ("cpus: none", "takes a number above 0"),
        ("mem_limit: -1", "takes a size such as 512m"),
        ("depends_on: [main]", "there is no service 'main'"),
        ("depends_on: [db]", "db wait for each other"),
        ("depends_on: {db: {condition: now}}", "takes service_started, service_healthy or"),
    ],
)
def test_what_reaches_this_machine_or_is_unknown_is_refused_by_name(keys, words):
    with pytest.raises(ComposeError) as caught:
        service(keys)
    assert words in str(caught.value) and str(caught.value).startswith("docker-compose.yaml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("services: {}", "expected an object with `services`"),
        ("- a", "expected an object with `services`"),
        ("services: {db: 3}", "services.db: expected an object, not 3"),
        ("services: {db: {}}", "expected an image or a build"),
        ("services: {'-x': {image: a}}", "a name has letters"),
        ("services: {db: {image: a}}\nsecrets: {}", "secrets is not supported"),
        ("services: {db: {image: a}}\nvolumes: {v: {driver_opts: {device: /}}}", "volumes.v: a volume has no options"),
        ("services: {db: {image: a}}\nnetworks: {n: {driver: host}}", "networks.n is outside"),
        ("services: {db: {image: a}}\nnetworks: {n: {external: true}}", "networks.n is outside"),
        ("services: [", "is not YAML"),
        ("services: !!python/object/apply:os.system [ls]", "is not YAML"),
    ],
)
def test_a_file_that_is_wrong_as_a_whole(text, words):
    with pytest.raises(ComposeError, match=words.replace("(", r"\(")):
        read(text)
