# Overtrick: two commands do all set-up. `make run` plays, `make test` checks everything.
PYTHON ?= $(shell for v in 3.13 3.12 3.11 3.14; do command -v python$$v >/dev/null 2>&1 && python$$v -c '' 2>/dev/null && { echo python$$v; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1
export OMP_NUM_THREADS ?= 1
# Hundreds of processes are started by the tests: what was compiled once is kept for all of them.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run install test lint types layers tests unit browser web clients fuzz guided attack audit sbom release slow coverage papers bench wire docs docs-check docs-update guides pictures golden clean help

help:            ## this list
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Overtrick needs Python 3.11, 3.12, 3.13 or 3.14"; exit 1; }
	$(PYTHON) -m venv $(VENV)

.make/core: $(BIN)/python pyproject.toml
	$(BIN)/pip install -q -e ".[nn,web]"
	@mkdir -p .make && touch $@

# Both distributions: the program, and the laboratory beside it.
.make/both: $(BIN)/python pyproject.toml lab/pyproject.toml
	$(BIN)/pip install -q -e ".[nn,web,plots,dev]" -e "./lab[train]"
	@mkdir -p .make && touch $@

run: .make/core  ## set up, then open the table in the browser
	@$(BIN)/overtrick serve --open

install: .make/both ## set up for development

# Formal checks beside the tests: two cores are never idle.
test: .make/browser ## everything that CI checks
	@$(MAKE) --no-print-directory -j4 lint types layers tests

lint: .make/both
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@if [ -x web/node_modules/.bin/biome ]; then cd web && npm run -s lint && npm run -s test; fi

types: .make/both
	$(BIN)/mypy

layers: .make/both
	$(BIN)/lint-imports --no-cache

PYTEST := $(BIN)/python -m pytest -q -n 2 --dist worksteal

tests: .make/browser
	$(PYTEST) -m 'not slow and not fuzz'

unit: .make/both
	$(PYTEST)

# Chromium and axe are installed where that is possible; without them the browser tests skip and say so.
.make/browser: .make/both web/package.json
	@command -v chromium >/dev/null 2>&1 || { command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] \
		&& apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } || true
	@command -v npm >/dev/null 2>&1 && cd web && npm install --silent --no-package-lock --no-audit --no-fund || true
	@touch $@

browser: .make/browser ## the table in a real browser
	$(PYTEST) tests/web -m browser

wire: .make/both  ## the page's types of everything that goes over the wire, from the server's own
	$(BIN)/python web/wire.py

clients: .make/both ## clients for programs, from the description of the API
	$(BIN)/python clients/generate.py

web: wire        ## rebuild the page from web/ (needs Node)
	cd web && npm install --no-package-lock --no-audit --no-fund && npm run -s build

fuzz: .make/both  ## mutated files and guided ones, a minute of one core
	$(BIN)/python -m pytest -q -n 2 -m fuzz tests/notation/test_fuzz.py tests/systems/test_hostile_texts.py tests/fuzz

ROUNDS ?= 100000
guided: .make/both ## fuzzing that follows the code it reaches, by ROUNDS; what it found joins the corpus
	$(BIN)/python -m tests.fuzz --rounds $(ROUNDS) --seed $$(date +%j) --work .make/fuzz
	$(BIN)/python -m tests.fuzz --keep .make/fuzz

attack: .make/both ## what one client can do to the others, as a table
	$(BIN)/python -m benchmarks.attack

audit: .make/both ## known weaknesses of the packages we lock
	$(BIN)/pip install -q -e ".[audit]"
	$(BIN)/pip-audit --require-hashes --disable-pip -r requirements.lock

sbom: .make/both  ## what is in a release, as CycloneDX, in dist/
	$(BIN)/pip install -q -e ".[audit]"
	@mkdir -p dist
	$(BIN)/cyclonedx-py requirements requirements.lock --pyproject pyproject.toml --output-reproducible -o dist/overtrick.cdx.json

release: sbom    ## build what a TAG is, look at it, and write its checksums into dist/
	@test "$$TAG" = "v$$($(BIN)/python -c 'import overtrick; print(overtrick.__version__)')" \
		|| { echo "TAG is not the version of this source"; exit 1; }
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m build --outdir dist lab
	$(BIN)/python -m pytest -q tests/test_packaging.py -m ""
	cd dist && sha256sum *.whl *.tar.gz *.json > SHA256SUMS

slow: .make/both  ## the slow checks, and many more random examples
	$(BIN)/python -m pytest -q -m slow
	$(BIN)/python -m pytest -q -m hypothesis --hypothesis-profile=thorough

coverage: .make/both ## how much of src the tests reach
	$(BIN)/pip install -q pytest-cov
	$(PYTEST) --cov=overtrick --cov=overtrick_lab --cov-report=term:skip-covered

papers: .make/both ## every command on the papers' pages at quick scale, and the numbers they print
	$(BIN)/python -m benchmarks.papers

bench: .make/both ## every benchmark as a Markdown table
	$(BIN)/python -m benchmarks

golden: .make/both ## regenerate the golden files
	$(BIN)/python -m tests.golden.regenerate

docs-check: .make/both ## do the pages show what the program prints? (also a part of `make test`)
	$(BIN)/python -m pytest -q tests/docs tests/test_docs.py tests/test_readme.py
	$(BIN)/python -m pytest -q --doctest-glob=README.md README.md

guides: .make/both ## every command of every guide, on a smaller scale where it would take minutes
	$(BIN)/python -m pytest -q -m slow tests/test_docs.py

docs-update: .make/both ## write anew what the pages show; look at the difference
	$(BIN)/python -m tests.docs.regenerate

pictures: .make/browser ## take the pages' pictures anew; look at them
	$(BIN)/python -m tests.docs.pictures

docs: .make/both  ## the documentation site in site/
	$(BIN)/pip install -q -e ".[docs]"
	$(BIN)/mkdocs build --strict

clean:           ## forget everything that was built
	rm -rf $(VENV) .make build dist site src/*.egg-info lab/build lab/src/*.egg-info .mypy_cache .ruff_cache .pytest_cache
