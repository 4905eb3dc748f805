# Every command a contributor needs. `make` lists them.
PYTHON ?= python3
VENV ?= .venv
PIP = $(VENV)/bin/pip install --quiet --disable-pip-version-check
BIN = $(VENV)/bin
SUITE ?= demo
INSTANCES ?= 40
# Processes that run the tests; 0: this one.
TEST_PROCESSES ?= auto
# For `make test-heavy`: which PyTorch. The newest one of a registry may bring gigabytes for accelerators.
TORCH ?= torch
PYTEST = $(BIN)/python -m pytest -q -n $(TEST_PROCESSES) --dist worksteal

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
.PHONY: help demo test test-heavy check format bench validate-compilers compare clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1|/' | column -t -s '|'

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: setup.cfg | $(VENV)/bin/python
	$(PIP) -e '.[gradbench,compilers]'
	@touch $@

$(VENV)/.test: setup.cfg | $(VENV)/bin/python
	$(PIP) -e '.[test]'
	@touch $@

$(VENV)/.heavy: $(VENV)/.test
	$(PIP) $(TORCH)
	$(PIP) -e '.[browser,huggingface,jax,pytorch,ray,test]'
	@touch $@

# For the tests of accessibility; they skip without it.
AXE_CORE = $(abspath $(VENV))/axe/node_modules/axe-core/axe.min.js
$(AXE_CORE): | $(VENV)/bin/python
	-npm install --prefix $(VENV)/axe --no-save --no-audit --no-fund axe-core@4

$(VENV)/.dev: setup.cfg | $(VENV)/bin/python
	$(PIP) -e '.[dev]'
	@touch $@

demo: $(VENV)/.demo ## evaluate language models, AD tools and compilers, offline, and show the tables
	@$(BIN)/helm-run --conf-paths run_specs.conf --suite $(SUITE) --max-eval-instances $(INSTANCES)
	@$(BIN)/helm-summarize --suite $(SUITE)
	@echo "$$NEXT_STEPS"

test: $(VENV)/.test ## run the tests (a few minutes)
	$(PYTEST)

# What `make test` skips unless PyTorch and JAX are there.
HEAVY_TESTS = tests/clients/test_huggingface_client.py tests/gradbench/test_library_tools.py

test-heavy: $(VENV)/.heavy $(AXE_CORE) ## run the slow tests, and those that need PyTorch, JAX, Ray or a browser
	$(PYTEST) $(HEAVY_TESTS)
	AXE_CORE=$$(ls $(AXE_CORE) 2>/dev/null) $(PYTEST) -m "slow or browser"
	$(PYTEST) -n 0 -m ray

check: $(VENV)/.dev ## lint and types
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy src

format: $(VENV)/.dev ## format the code
	$(BIN)/ruff format src tests benchmarks
	$(BIN)/ruff check --fix src tests benchmarks

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
	$(BIN)/python benchmarks/compare_with_helm.py

clean: ## remove the virtual environment and what the demo wrote
	rm -rf $(VENV) benchmark_output prod_env .pytest_cache .mypy_cache .ruff_cache
