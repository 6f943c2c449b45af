# Plaça.  `make` prints what there is.

.DEFAULT_GOAL := help
.SUFFIXES:
MAKEFLAGS += --no-print-directory

# A start without compiled bytecode takes three times as long.
unexport PYTHONDONTWRITEBYTECODE
unexport VIRTUAL_ENV

python := .venv/bin/python
placa := $(python) -m app.cli
# A checkout that was moved or copied makes its environment anew.
place := $(shell pwd | cksum | cut -d' ' -f1)
run_env := .venv/run-$(place)
dev_env := .venv/dev-$(place)

##@ Play

.PHONY: play
play: $(run_env) ## Start the game here: database, web and worker (Ctrl-C stops it)
	@exec $(placa) play

.PHONY: seed
seed: $(run_env) ## Fill the database with people and a half-played match
	@exec $(placa) seed

##@ Test

.PHONY: test
test: $(dev_env) ## Run every test, browser tests included
	@sh .ci/test

.PHONY: test-fast
test-fast: $(dev_env) ## Run the rules' tests only, without a database
	@$(python) -m pytest -q -n 2 tests/rules

.PHONY: soak
soak: $(dev_env) ## Prove it for SOAK_MINUTES (60), and report in docs/reliability.md
	@exec $(python) -m tests.soak

.PHONY: release-dump
release-dump: $(dev_env) ## Keep running matches of this version, for the upgrade test
	@$(python) -m tests.upgrade.make
	@$(python) -m tests.upgrade.golden

.PHONY: bench
bench: $(dev_env) ## Measure speed; prints a table and one line of JSON, fails nothing
	@exec $(placa) bench

##@ Check

.PHONY: check
check: lint types imports templates schema containers vendored translations docs ## Everything a change must pass besides its tests
	@echo "all checks passed"

.PHONY: fix
fix: $(dev_env) ## Format the code and mend what can be mended mechanically
	@.venv/bin/ruff check --fix-only --quiet .
	@.venv/bin/ruff format --quiet .

.PHONY: lint
lint: $(dev_env) ## Check format, lint and the house rules
	.venv/bin/ruff format --check --quiet .
	.venv/bin/ruff check --quiet .
	$(python) -m pytest -q tests/test_house.py

.PHONY: types
types: $(dev_env) ## Check types
	.venv/bin/mypy

.PHONY: imports
imports: $(dev_env) ## Check that imports point downwards only
	.venv/bin/lint-imports --no-logo

.PHONY: templates
templates: $(dev_env) ## Check the templates
	.venv/bin/djlint app/templates --lint --quiet

.PHONY: schema
schema: $(dev_env) ## Run all migrations up, down and up again, and compare with the models
	$(python) -m pytest -q tests/db/test_migrations.py

.PHONY: containers
containers: $(dev_env) ## Check Dockerfile and docker-compose.yml
	$(python) -m pytest -q tests/platform/test_containers.py

.PHONY: vendored
vendored: $(dev_env) ## Check the checksums of what is vendored
	$(python) -m pytest -q tests/web/test_static_files.py

.PHONY: translations
translations: $(dev_env) ## Check that the translations are fresh and complete
	$(python) -m pytest -q tests/i18n

.PHONY: i18n
i18n: $(dev_env) ## Collect new sentences into the translations
	@mkdir -p build
	@.venv/bin/pybabel -q extract -F babel.cfg -k pgettext:1c,2 --add-location=file --sort-by-file -o build/messages.pot .
	@.venv/bin/pybabel -q update -i build/messages.pot -d app/i18n/locale --no-fuzzy-matching --ignore-obsolete --width=100 --ignore-pot-creation-date

.PHONY: docs
docs: $(dev_env) ## Check the documentation's links and commands
	$(python) -m pytest -q tests/test_docs.py

##@ Set up

$(run_env): pyproject.toml uv.lock
	@sh .ci/env run
	@touch $@

$(dev_env): pyproject.toml uv.lock
	@sh .ci/env dev
	@touch $@ $(run_env)

.PHONY: help
help: ## Print this
	@awk 'BEGIN {FS = ":.*## "} \
	/^##@/ {printf "\n%s\n", substr($$0, 5)} \
	/^[a-z0-9-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
