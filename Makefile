# Run it: `make demo`. Test it: `make test`. Both set up .venv by themselves, and again only when requirements change.
VENV := .venv
PY := $(VENV)/bin/python
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
DEBIAN_LIBRARIES := libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz0b libharfbuzz-subset0
STATIC_SOURCES := $(shell find static -type f 2>/dev/null)
LANGUAGES := pl de fr it
MESSAGES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/*.po))

.PHONY: demo demo-models test lint bench bench-verification bench-models fuzz setup setup-dev venv libraries static messages words database
.DEFAULT_GOAL := demo

# DEMO_SERVE=0 ends after the report instead of serving the site.
demo: setup libraries database static messages
	@$(PY) manage.py demo

# The whole way with models at work, against the server of the tests; in var/demo-models, which is made anew.
demo-models: setup libraries static messages
	@$(PY) -m tests.flows.demo_models

test: setup-dev libraries messages
	@$(PY) -m pytest -n auto --dist loadscope

lint: setup-dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy lexreview
	$(VENV)/bin/djlint templates --lint --quiet
	$(VENV)/bin/lint-imports
	$(PY) manage.py makemigrations --check --dry-run

# Each file measures one thing and prints it; docs/operations.md says what the figures mean.
bench: setup-dev libraries
	@set -e; for file in benchmarks/measure_*.py; do echo "== $$file"; $(PY) "$$file"; done

# The tables of targets as JSON in var/bench: grammars, verification layer, law corpus. Needs the folder of real law.
bench-verification: setup-dev
	@set -e; for name in citations verification law; do echo "== $$name"; $(PY) benchmarks/measure_$$name.py; done

# Calls of models against the test server as JSON in var/bench; MODELS=--short measures a tenth.
bench-models: setup-dev
	@$(PY) benchmarks/measure_models.py $(MODELS)

# Generated input for every grammar and parser: FUZZ_SECONDS in all, or until FUZZ_INPUTS were tried.
FUZZ_SECONDS ?= 240
FUZZ_INPUTS ?= 1000000000
fuzz: setup-dev
	@status=0; for engine in hypothesis mutation atheris; do \
	  $(PY) benchmarks/fuzz_$$engine.py --seconds $$(($(FUZZ_SECONDS) / 3)) --inputs $$(($(FUZZ_INPUTS) / 3)) || status=1; \
	done; exit $$status

setup: venv
	@cmp -s requirements.txt $(VENV)/installed.txt || { \
	  echo "Installing requirements.txt ..."; \
	  $(PIP) -r requirements.txt && cp requirements.txt $(VENV)/installed.txt; }

setup-dev: setup
	@cat requirements.txt requirements-dev.txt | cmp -s - $(VENV)/installed-dev.txt || { \
	  echo "Installing requirements-dev.txt ..."; \
	  $(PIP) -r requirements-dev.txt && cat requirements.txt requirements-dev.txt > $(VENV)/installed-dev.txt; }

venv:
	@$(PY) -c '$(NEW_ENOUGH)' 2>/dev/null || { \
	  for name in python3.11 python3.12 python3.13 python3; do \
	    if $$name -c '$(NEW_ENOUGH)' 2>/dev/null; then found=$$name; break; fi; \
	  done; \
	  if [ -z "$$found" ]; then \
	    echo "lexreview needs Python 3.11 or newer; python3.11, python3.12, python3.13 and python3 were tried." >&2; exit 1; \
	  fi; \
	  echo "Making $(VENV) with $$found ..."; \
	  rm -rf $(VENV); \
	  $$found -m venv $(VENV) || { \
	    echo "$$found cannot make a virtual environment. Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }; }

# WeasyPrint loads Pango and HarfBuzz of the system; it warns where the subsetting library of HarfBuzz is missing.
libraries: setup
	@$(PY) -W error:HarfBuzz-Subset -c 'import weasyprint' 2>/dev/null || { \
	  if command -v apt-get >/dev/null; then wanted="apt-get install -y --no-install-recommends $(DEBIAN_LIBRARIES)"; \
	  elif command -v dnf >/dev/null; then wanted="dnf install -y pango harfbuzz"; \
	  elif command -v apk >/dev/null; then wanted="apk add pango harfbuzz"; \
	  elif command -v brew >/dev/null; then wanted="brew install pango"; \
	  else echo "The PDF report needs the libraries Pango and HarfBuzz; install them, then run make again." >&2; exit 1; fi; \
	  if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	    echo "Installing the libraries of the PDF report ..."; \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$wanted -qq; } >/dev/null; \
	    $(PY) -c 'import weasyprint'; \
	  else \
	    echo "The PDF report needs libraries of the system. Install them, then run make again:" >&2; \
	    case "$$wanted" in brew*) echo "    $$wanted" >&2;; *) echo "    sudo $$wanted" >&2;; esac; exit 1; \
	  fi; }

database: setup
	@$(PY) manage.py migrate --verbosity 0

static: setup staticfiles/staticfiles.json

staticfiles/staticfiles.json: $(STATIC_SOURCES) requirements.txt
	@echo "Collecting static files ..."
	@$(PY) manage.py collectstatic --no-input --verbosity 0
	@touch $@

messages: setup $(MESSAGES)

# Words of the interface for translators: adds new ones to the catalogues and drops unused ones. Needs gettext.
words: setup
	$(PY) manage.py makemessages $(LANGUAGES:%=-l %) --no-obsolete --add-location file --no-wrap --ignore tests --ignore var

%.mo: %.po
	@$(PY) -c 'import sys, polib; polib.pofile(sys.argv[1]).save_as_mofile(sys.argv[2])' $< $@
