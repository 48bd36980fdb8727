# Everything from a bare clone: python3, pip and make are enough.
#
#   make play    set up, then play in the terminal
#   make test    set up, then run every check
#   make quick   lint, types and the fast tests: under two minutes
#   make bench   speed beside other packages
#   make lint    formatting, lint, types, the direction of imports

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
PEERS  := $(VENV)/.peers

.PHONY: play test quick lint format bench clean

play: $(READY)
	@$(BIN)/plywise play

test: lint
	$(BIN)/python -m pytest -n 2 --dist worksteal

quick: lint
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(PEERS)
	$(BIN)/python -m bench

clean:
	rm -rf $(VENV) build dist

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

$(PEERS): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[bench]"
	@touch $@
