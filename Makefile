# Everything you need from a fresh clone; python3, pip and make are enough.
#
#   make play    set up what playing needs, then serve the web app on http://127.0.0.1:8765 (or PORT=)
#   make quick   lint, types and the fast tests
#   make test    set up the rest, then lint, types and all tests but the long ones
#   make long    the tests that take minutes, then make matrix; run it again to continue where it stopped
#   make stress  make test on a busy machine, RUNS=5 times in random order (PART=tests/web)
#   make times   make test, and write the slowest files to tests/times.txt
#   make mutants  change the logic in 100 places, one at a time: which do the tests notice? (MUTANTS=work)
#   make bench   benchmarks against other packages
#   make docs    build the documentation site, site/index.html
#   make figures  write into the pages what was measured, and what the code says
#   make lint    formatting, lint, types, the direction of imports, wording, size
#   make matrix  the quick tests with the lowest and the newest packages, on every Python here (or ENVS=)
#   make tools   install the programs that some tests need, such as Chromium and PostgreSQL
#   make lock    write requirements.lock and requirements-dev.lock, the packages that make installs
#   make audit   look them up in the database of known vulnerabilities

PYTHON ?= python3
PORT   ?= 8765
VENV   := .venv
BIN    := $(VENV)/bin
PLAY   := $(VENV)/.play
READY  := $(VENV)/.ready
PEERS  := $(VENV)/.peers
RAY    := $(VENV)/.ray
JUPYTER := $(VENV)/.jupyter

unexport PYTHONDONTWRITEBYTECODE  # the tests start hundreds of processes

# What plywise needs to run; the other begins with it, and has what its development needs.
LOCK     := requirements.lock
DEV_LOCK := requirements-dev.lock
PIP    := $(BIN)/python -m pip install --no-compile --quiet --disable-pip-version-check
# Three on two cores: one often waits for a server.
PYTEST := $(BIN)/python -m pytest -n 3 --dist worksteal
ARGS   ?=
RUNS   ?= 5
PART   ?=
ENVS   ?=
MUTANTS ?= rate

.PHONY: play test prepared quick long matrix stress times mutants docs figures lint lock audit warm format bench tools clean

play: $(PLAY)
	@$(BIN)/plywise serve --port $(PORT)

test: prepared
	$(PYTEST) -m "not long" --durations 12 $(ARGS)

# Lint has one core and apt waits for the network, so the compiler gets what they leave.
prepared: $(PLAY)
	@$(MAKE) --jobs=2 warm lint tools

quick: lint
	$(PYTEST) -m "not slow and not long" $(ARGS)

long: prepared $(RAY) $(JUPYTER)
	$(PYTEST) -m long --resume=.long --durations 12 $(ARGS)
	$(MAKE) matrix

matrix: $(READY)
	$(BIN)/python -m tests.environments.matrix $(ENVS)

lock: $(READY)
	$(BIN)/python -m tests.environments.lock

audit: $(READY)
	$(BIN)/python -m tests.environments.audit

stress: $(READY)
	$(BIN)/python -m tests.stress --runs $(RUNS) -- $(PART) $(ARGS)

times:
	$(MAKE) test ARGS="--times=tests/times.txt $(ARGS)"

mutants: $(READY)
	$(BIN)/python -m tests.mutants $(MUTANTS)

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.wording
	$(BIN)/python -m tests.budget

figures: $(READY)
	$(BIN)/python -m tests.docs.tables

# The variable keeps Material from speaking about the future of MkDocs on every build.
docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "the site is in site/index.html"

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Compile everything once, on all cores; tests and servers then load it from disk.
warm: $(PLAY)
	$(BIN)/plywise warmup

bench: $(PEERS)
	$(BIN)/python -m bench

# Programs that some tests need. Where they cannot be installed, these tests are skipped; that is an
# error in continuous integration, where CI is set.
tools:
	@missing=""; \
	{ command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null \
		|| missing="$$missing chromium"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null \
		|| missing="$$missing postgresql"; \
	command -v nginx >/dev/null || ls /usr/sbin/nginx >/dev/null 2>&1 || missing="$$missing nginx-light"; \
	command -v caddy >/dev/null || missing="$$missing caddy"; \
	command -v bwrap >/dev/null || missing="$$missing bubblewrap"; \
	command -v debootstrap >/dev/null || missing="$$missing debootstrap"; \
	command -v g++ >/dev/null || missing="$$missing g++"; \
	command -v openssl >/dev/null || missing="$$missing openssl"; \
	command -v systemd-analyze >/dev/null || missing="$$missing systemd"; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	without() { echo "$$1:$$missing; some tests will be skipped"; [ -z "$$CI" ]; exit; }; \
	command -v apt-get >/dev/null || without "missing, and there is no apt-get"; \
	if [ "$$(id -u)" = 0 ]; then as=""; elif sudo -n true 2>/dev/null; then as="sudo -n"; \
	else without "missing, and installing needs root"; fi; \
	apt="$$as env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=2 -o DPkg::Lock::Timeout=120"; \
	echo "installing$$missing ..."; \
	{ $$apt update && $$apt install --yes --no-install-recommends $$missing; } >/dev/null \
		|| without "could not install"

clean:
	rm -rf $(VENV) .long .matrix .mutants build dist site

# The locked packages where they can be had; otherwise the newest that pyproject.toml allows. Python
# compiles what is imported, which is less than what is installed.
install = $(PIP) --require-hashes --requirement $(1) 2>/dev/null \
	|| { echo "the versions in $(1) cannot be installed here: taking the newest instead"; $(2); }

$(PLAY): pyproject.toml lab/pyproject.toml $(LOCK)
	$(PYTHON) -m venv $(VENV)
	@$(call install,$(LOCK),true)
	$(PIP) --editable . --editable ./lab
	@touch $@

$(READY): $(PLAY) $(DEV_LOCK)
	@$(call install,$(DEV_LOCK),$(PIP) --editable ".[dev]")
	@touch $@

# Their tests are skipped where they cannot be installed; in continuous integration that is an error.
$(RAY): $(READY)
	$(PIP) --editable ".[ray]" || { echo "Ray cannot be installed here"; [ -z "$$CI" ]; }
	@touch $@

$(JUPYTER): $(READY)
	$(PIP) jupyterlab || { echo "JupyterLab cannot be installed here"; [ -z "$$CI" ]; }
	@touch $@

$(PEERS): $(READY)
	$(PIP) --editable ".[bench]"
	@touch $@
