# Two commands do all set-up: `make play` and `make test`. Nothing is installed outside .venv.
PYTHON ?= python3
BIN := .venv/bin
# Other libraries live apart: one of them needs an old networkx, which the tests' oracles can't use.
BENCH := .venv/bench/bin
GAME ?= connect-four
# Tests of kernels that index arrays; and tests of what is the same with the JIT off.
BOUNDED := engine_values memory montecarlo textbook_iteration
SAME := arena bench book chess_text draw games go_sgf gtp guard live matrix memory protocols registry scaffold statistics \
	terminal textbook uci
PYTEST := $(BIN)/python -m pytest -n 2 --maxprocesses 2

.PHONY: play test lint suite suite-bounds suite-interpreted bench docs clean
.DEFAULT_GOAL := help

help:
	@echo "make play    play a game in the terminal (GAME=tic-tac-toe for another one)"
	@echo "make test    check style, types, layers and run all tests: what CI runs"
	@echo "make bench   measure against hand-written code and other libraries (installs them into .venv/bench)"
	@echo "make docs    build the manual into docs/_build"

play: .venv/.installed
	@$(BIN)/zermelo play $(GAME) --terminal

test: lint suite suite-bounds suite-interpreted

lint: .venv/.tested
	$(BIN)/ruff check src tests examples
	$(BIN)/ruff format --check src tests examples
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

suite: .venv/.tested
	$(PYTEST)

suite-bounds: .venv/.tested
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -m native $(BOUNDED:%=tests/test_%.py)

suite-interpreted: .venv/.tested
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not native" $(SAME:%=--ignore-glob=tests/test_%*)

bench: .venv/bench/.installed
	$(BENCH)/zermelo bench speed
	$(BENCH)/zermelo bench peers
	$(BENCH)/zermelo bench ordering
	$(BENCH)/zermelo bench threads
	$(BENCH)/zermelo bench compile

docs: .venv/.documented
	$(BIN)/sphinx-build -W -q -b html docs docs/_build/html
	@echo "the manual is in docs/_build/html/index.html"

clean:
	rm -rf .venv docs/_build

.venv/.installed: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "installing Zermelo into .venv (first time only)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/.tested: .venv/.installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@

.venv/bench/.installed: pyproject.toml
	@test -x $(BENCH)/python || $(PYTHON) -m venv .venv/bench
	@$(BENCH)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	@touch $@

.venv/.documented: .venv/.installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	@touch $@
