# `make` sets up and runs the whole workflow; `make help` lists the rest. Any make from 3.81 on will do.

# The Python that .venv is made with; empty: the first one that will do.
PYTHON ?=
# Processor cores for the workflow.
CORES ?= all
# More options for pytest, such as ARGS='-k moments'.
ARGS ?=

VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/.ready
RUN := $(PY) scripts/run_workflow.py --cores $(CORES)

# A .venv from before the folder was moved, or whose Python is gone, is made again.
ifneq ($(shell [ "$$(tail -n 1 $(READY) 2>/dev/null)" = "$$(pwd -P)" ] && $(PY) -c 'print("here")' 2>/dev/null),here)
REMAKE := FORCE
else ifneq ($(PYTHON),)
REMAKE := FORCE
endif

.PHONY: all setup test smoke lint lock clean distclean help FORCE
# One workflow at a time in a folder, and a file that was finished stays when make is interrupted.
.NOTPARALLEL:
.PRECIOUS: results/% figures/%
.SUFFIXES:

all: setup ## Set up, then make every result and figure (CORES=2 to use two cores)
	@$(RUN)

setup: $(READY) ## Make .venv from requirements.txt (PYTHON=python3.12 to choose)
	@:

$(READY): requirements.txt pyproject.toml $(REMAKE)
	@python=$$(PYTHON="$(PYTHON)" sh scripts/find_python.sh) && "$$python" scripts/make_venv.py

# `make figures/figure4.pdf`: one file and what it needs. Snakemake, not make, knows whether it is up to date.
results/%: setup FORCE
	@$(RUN) $@

figures/%: setup FORCE
	@$(RUN) $@

test: setup ## Run the tests (ARGS='-k moments' for some)
	@OPENBLAS_NUM_THREADS=1 $(PY) -m pytest -q -n auto --dist loadgroup $(ARGS)

smoke: setup ## Run the whole workflow on a small configuration, in a copy in .smoke
	@rm -rf .smoke
	@$(PY) scripts/scratch_copy.py .smoke --without results --without figures
	@cd .smoke && ../$(PY) scripts/run_workflow.py --cores $(CORES) --configfile config/config.yaml config/smoke.yaml
	@echo "smoke: the outputs are in .smoke/results and .smoke/figures."

lint: setup ## Check the style of the Python and Snakemake files
	@$(PY) -m ruff check --quiet .
	@$(PY) -m ruff format --check --quiet .
	@$(PY) -m snakefmt --check --quiet Snakefile rules
	@$(PY) -m snakemake --lint

lock: setup ## Write requirements.txt anew from pyproject.toml (UPGRADE=1 for the newest versions)
	@$(PY) -m uv --quiet pip compile pyproject.toml --group setup --all-extras --universal --fork-strategy fewest \
	  --python-version 3.11 --generate-hashes --no-emit-index-url --custom-compile-command "make lock" \
	  $(if $(UPGRADE),--upgrade) --output-file requirements.txt

clean: ## Remove what runs leave behind; the next make runs everything again
	@rm -rf .smoke .snakemake .workflow-began logs build dist .pytest_cache .ruff_cache .hypothesis
	@find src scripts tests -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## The same, and .venv
	@rm -rf .venv .setup.lock .snakemake-make.lock

help: ## List the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 18
	@echo "  make figures/figure4.pdf, make results/...: one file and what it needs"
