# `make` sets up and runs the whole workflow; `make help` lists the rest. Any make from 3.81 on will do.

# The Python that .venv is made with; empty: the first one that will do.
PYTHON ?=
# Processor cores for the workflow.
CORES ?= all
# More options for pytest, such as ARGS='-k moments'.
ARGS ?=
# A folder of tables that `make survey` takes; empty: it makes them from public packages.
FOLDER ?=
# The claim that `make claims` shows the evidence of, in the results as they are; empty: all, a line each.
ID ?=

VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/.ready
RUN := $(PY) scripts/run_workflow.py --cores $(CORES)

# Where the user has no folder that can hold caches, they go into .cache here.
MISSING := $(shell sh scripts/caches.sh)
ifneq ($(filter cache,$(MISSING)),)
export XDG_CACHE_HOME := $(CURDIR)/.cache
export MPLCONFIGDIR := $(CURDIR)/.cache/matplotlib
export PIP_CACHE_DIR := $(CURDIR)/.cache/pip
export UV_CACHE_DIR := $(CURDIR)/.cache/uv
endif
ifneq ($(filter home,$(MISSING)),)
export HOME := $(CURDIR)/.cache
endif
ifneq ($(filter name,$(MISSING)),)
export LOGNAME := nobody
endif

# A .venv from before the folder was moved, or whose Python is gone, is made again.
ifneq ($(shell [ "$$(tail -n 1 $(READY) 2>/dev/null)" = "$$(pwd -P)" ] && $(PY) -c 'print("here")' 2>/dev/null),here)
REMAKE := FORCE
else ifneq ($(PYTHON),)
REMAKE := FORCE
endif

.PHONY: all setup test smoke slurm-test private bench solver-check survey additive audit coverage information noisy-labels reproduce report report-check timings readme docs claims mutants all-mutants lowest independent advisories torture lint lock clean distclean help FORCE
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

slurm-test: setup ## Run shards and the small configuration on a two-node Slurm, started here (root, Debian)
	@$(PY) tests/project/slurm_check.py

private: setup ## Run the analysis of 1984 on every poll imported to data/private, into results/private
	@$(RUN) private

bench: setup ## Time the solver beside R and numpy, and counting from 1e5 to 1e8 events (20 minutes, 3 GB of disk)
	@$(PY) benchmarks/solver.py --output results/benchmarks/solver.csv
	@$(PY) benchmarks/effects.py --output results/benchmarks/effects.csv
	@$(PY) benchmarks/growth.py --output results/benchmarks/growth.csv
	@$(PY) benchmarks/picture.py results/benchmarks/solver.csv results/benchmarks/growth.csv \
	  --output results/benchmarks/benchmarks.png

solver-check: setup ## Compare Newton with EM run to the end on 20 seeds of every size (minutes)
	@OPENBLAS_NUM_THREADS=1 $(PY) -m pytest -q -n auto -m long tests/wsclust/test_solver.py

reproduce: setup ## Make everything anew in a copy, .reproduce, and compare it with results/ and figures/
	@$(PY) scripts/reproduce.py --cores $(CORES)

report: setup ## Write build/report.html: figures, tables, runtime of each rule; opens offline
	@$(RUN) all report_tables
	@$(PY) -m snakemake --quiet all --nolock --cores 1 --report build/report.html \
	  --report-html-stylesheet-path captions/report.css -- all report_tables
	@echo "report: build/report.html"

report-check: report ## Open the report in headless Chromium, check it, and save build/report.png
	@$(PY) scripts/check_report.py build/report.html --picture build/report.png

timings: setup ## Write results/benchmarks/rules.csv, seconds of each rule in the last whole run
	@$(PY) scripts/rule_seconds.py

readme: setup ## Write the tables, numbers and references of README.md, docs/ and config/README.md anew
	@$(PY) -m replication.documents

docs: readme

claims: setup ## Check every claim of the paper; `make claims ID=cap` shows the evidence of one
	$(if $(ID),,@$(RUN) results/claims.csv)
	@$(PY) -m replication claim $(ID)

mutants: setup ## Break some 60 chosen lines one at a time, in a copy; a named test must notice each (3 minutes)
	@$(PY) scripts/mutants.py

all-mutants: setup ## Let mutmut break all of the estimators and the check; 95% must be noticed (hours; group mutation)
	@$(PY) -m uv --quiet venv --clear --python $(PY) build/mutmut
	@$(PY) -m uv --quiet pip install --python build/mutmut/bin/python --group mutation -r requirements.txt
	@rm -rf build/all-mutants
	@$(PY) scripts/scratch_copy.py build/all-mutants
	@cd build/all-mutants && OPENBLAS_NUM_THREADS=1 ../mutmut/bin/python scripts/all_mutants.py

survey: setup ## The check on 86 real designs (FOLDER=... of their tables, or the extra survey to rebuild them)
	@mkdir -p build/survey results/survey
	@$(PY) data/survey/rebuild.py --others --output build/survey $(if $(FOLDER),--tables "$(FOLDER)")
	@$(RUN) survey_tables
	@cp build/survey_tables/designs.csv build/survey_tables/table.csv build/survey_tables/verdicts.csv \
	  build/survey_tables/foresight.csv results/survey/
	@cp results/survey/verdicts.csv src/wsclust/check/verdicts.csv
	@$(RUN) survey_figure

audit: setup ## What an audit buys on all designs of the survey, after `make survey`
	@mkdir -p results/audit
	@$(RUN) audit_tables
	@cp build/audit_tables/summary.csv build/audit_tables/designs.csv results/audit/
	@$(RUN) audit_figure

additive: setup ## Effects of levels on the paper's studies and real designs, after `make survey` (1 minute)
	@mkdir -p results/additive
	@$(RUN) additive_tables
	@for table in election1984 figure5 designs unseen clicks boundary survey; do \
	  cp build/additive/$$table.csv results/additive/; done
	@$(RUN) additive_figure additive_figure5

coverage: setup ## Coverage of the intervals and controls of the check, by simulation (an hour)
	@$(RUN) coverage

information: setup ## What weak labels tell: the formula beside simulated fits (2 minutes)
	@$(RUN) information

noisy-labels: setup ## Noisy labels, weighed or calibrated, simulated and on real events (5 minutes; after make survey)
	@$(RUN) noisy_labels

lowest: setup ## Run the tests with the oldest versions that pyproject.toml allows, in build/lowest (5 minutes)
	@$(PY) -m uv --quiet venv --clear --python $(PY) build/lowest
	@$(PY) -m uv --quiet pip install --python build/lowest/bin/python --resolution lowest-direct \
	  '.[logistic,replication,data,poll,test]'
	@PYTHONPATH=src OPENBLAS_NUM_THREADS=1 build/lowest/bin/python -m pytest -q -n auto -p no:cacheprovider \
	  -m "not slow and not long" tests/wsclust tests/replication src $(ARGS)

independent: setup ## Ask other programs again for the answers that tests compare with, in build/independent (4 minutes)
	@$(PY) -m uv --quiet venv --clear --python $(PY) build/independent
	@$(PY) -m uv --quiet pip install --python build/independent/bin/python --group independent
	@cd tests && for program in nuts mixture; do \
	  OPENBLAS_NUM_THREADS=1 ../build/independent/bin/python -m independent.$$program --check || exit 1; done

advisories: setup ## Ask whether a locked package has a known vulnerability, by pip-audit in build/advisories
	@$(PY) -m uv --quiet venv --clear --python $(PY) build/advisories
	@$(PY) -m uv --quiet pip install --python build/advisories/bin/python --group advisories
	@$(PY) scripts/advisories.py build/advisories/bin/pip-audit

torture: setup ## Try 10,000 broken inputs, kills, Ctrl-C and a full disk; nothing may be lost (an hour or more)
	@cd tests && OPENBLAS_NUM_THREADS=1 ../$(PY) -m torture.fuzz --trials 10000
	@cd tests && OPENBLAS_NUM_THREADS=1 ../$(PY) -m torture.kills --kills 20 --workflow 20

lint: setup ## Check the style of the Python and Snakemake files
	@$(PY) -m ruff check --quiet .
	@$(PY) -m ruff format --check --quiet .
	@$(PY) -m snakefmt --check Snakefile rules shards/Snakefile
	@PYTHONPATH=src $(PY) -m replication.workflow.lint

# All extras but `survey`, which old data packages would hold back.
LOCKED := $(foreach extra,logistic replication data poll slurm test,--extra $(extra))

lock: setup ## Write requirements.txt anew from pyproject.toml (UPGRADE=1 for the newest versions)
	@$(PY) -m uv --quiet pip compile pyproject.toml --group setup $(LOCKED) --universal --fork-strategy fewest \
	  --python-version 3.11 --generate-hashes --no-emit-index-url --custom-compile-command "make lock" \
	  $(if $(UPGRADE),--upgrade) --output-file requirements.txt

clean: ## Remove what runs leave behind; the next make runs everything again
	@rm -rf .smoke .reproduce .snakemake .workflow-began logs build dist .pytest_cache .ruff_cache .hypothesis
	@find src scripts tests -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## The same, and .venv
	@rm -rf .venv .cache .setup.lock .snakemake-make.lock

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 20
	@echo "  make figures/figure4.pdf, make results/...: one file and what it needs"
