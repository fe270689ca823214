# Dossier's commands. "make demo" and "make test" need git, make and Python 3.11 or newer, nothing else.
COMPANY ?= Allianz SE
PYTHON ?= python3
PYTEST_ARGS ?=

# The name reaches the program through the environment, exactly as it was typed: neither make nor the shell reads it.
override COMPANY := $(value COMPANY)
export COMPANY

# Where this is set (images of containers do), each process would compile all that it imports: seconds, many times.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
RUN := $(BIN)/python manage.py
UNITS := checks citations common macros review verbs entities/gleif entities/registers
CODE := manage.py config citations common entities research tests .ci bench docs

# What "check --deploy" sees: the settings of a production server, with a secret that lives for one command.
PRODUCTION = env DOSSIER_ENV=production DOSSIER_ALLOWED_HOSTS=dossier.example.org REDIS_URL=redis://127.0.0.1:6379/0 \
	DOSSIER_SECRET_KEY="$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(60))')"

.DEFAULT_GOAL := help
.PHONY: help demo serve seed shell test quick explore check lint types layers guards migrations production macros docs bench lock clean runtime dev

help: ## list these commands
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18

demo: runtime ## research COMPANY (default "Allianz SE") without any key and show what was found
	@$(RUN) demo -- "$$COMPANY"

serve: runtime ## web, worker and beat on this machine; with DOSSIER_DEBUG=1 they start anew when code changes
	@exec $(RUN) up

seed: runtime ## fill the database with a small lively example: reviews that wait, facts, a timeline, failed runs
	@$(RUN) seed

shell: runtime ## a Python shell that knows Dossier's models
	@exec $(RUN) shell

test: dev ## the whole suite; on the servers that TEST_DATABASE_URL and TEST_REDIS_URL name, when they are set
	@$(BIN)/python -m pytest -n auto --maxprocesses 8 $(PYTEST_ARGS)

quick: dev ## what needs no database, in seconds: grammar, patches, checks, macros, verbs, register formats
	@$(BIN)/python -m pytest -q -n 2 --no-database --hypothesis-profile=quick $(addprefix tests/,$(UNITS))

explore: dev ## look for examples that break a property, a thousand for each
	@$(BIN)/python -m pytest -q -n 2 --hypothesis-profile=explore $$(grep -rlE "^@given" tests)

check: lint types layers guards migrations production macros ## everything a machine can say without running the tests

lint: dev
	@$(BIN)/ruff check -q $(CODE)
	@$(BIN)/ruff format -q --check $(CODE) || { echo "run: $(BIN)/ruff format $(CODE)" >&2; exit 1; }

types: dev
	@$(BIN)/mypy --no-error-summary

layers: dev
	@PYTHONPATH=. $(BIN)/lint-imports --no-logo > .venv/layers.txt || { cat .venv/layers.txt; exit 1; }

guards: dev
	@$(BIN)/python .ci/guards.py
	@$(BIN)/python .ci/unused.py

migrations: dev
	@$(RUN) makemigrations --check --dry-run

production: dev
	@$(PRODUCTION) $(RUN) check --deploy --fail-level WARNING

macros: dev
	@$(RUN) macros lint research/macros/library

docs: ## build the documentation into build/docs; a broken link or anchor fails
	$(ENVIRONMENT) requirements-docs.lock
	@$(BIN)/python -m sphinx -q -W --keep-going -j auto docs build/docs

bench: dev ## measure it: see bench/
	@$(BIN)/python -m bench

lock: ## write requirements.lock and requirements-dev.lock from pyproject.toml (needs uv)
	@command -v uv > /dev/null || { echo "make lock needs uv: python3 -m pip install uv" >&2; exit 1; }
	uv pip compile pyproject.toml --universal --generate-hashes --no-header -q -o requirements.lock
	uv pip compile pyproject.toml --group dev --universal --generate-hashes --no-header -q -o requirements-dev.lock
	uv pip compile --group docs -c requirements-dev.lock --universal --generate-hashes --no-header -q -o requirements-docs.lock

clean: ## remove the virtual environment and caches; var/ holds your data and stays
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -not -path './var/*' -prune -exec rm -rf {} +

# .venv, as the locks say: .ci/environment.py.
ENVIRONMENT = @command -v $(PYTHON) > /dev/null || { echo "Dossier needs Python 3.11 or newer: apt install python3 python3-venv" >&2; exit 1; }; \
	$(PYTHON) .ci/environment.py requirements.lock

runtime:
	$(ENVIRONMENT)

dev:
	$(ENVIRONMENT) requirements-dev.lock
