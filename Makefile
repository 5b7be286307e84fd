# Two commands do everything: `make demo` and `make test`. Both need python3 and make, no more.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
FILES = pyproject.toml constraints.txt

.PHONY: demo test test-slow lint browser clean

demo: $(VENV)/.demo
	$(BIN)/argnp fit digits --graphs 600 --size 4 --search-epochs 12 --epochs 40 --output-dir runs/demo
	@$(BIN)/argnp show runs/demo
	@echo "report: $(CURDIR)/runs/demo/report.html"
	@$(BIN)/python -m webbrowser -t "file://$(CURDIR)/runs/demo/report.html" >/dev/null 2>&1 || true

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 -m "not slow"

# What takes longer: thousands of fuzzed inputs, timings, the kernels as other processors run them.
test-slow: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 -m slow

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The browser that tests look at the report with (Debian and its kin).
browser:
	command -v chromium chromedriver >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium chromium-driver; } >/dev/null

$(VENV)/.venv:
	$(PYTHON) -m venv $(VENV) || { \
	  echo "python3 has no venv here; on Debian: apt-get install python3-venv"; exit 1; }
	touch $@

$(VENV)/.demo: $(VENV)/.venv $(FILES)
	$(PIP) torch==2.13.0
	$(PIP) --editable '.[digits]'
	touch $@

$(VENV)/.dev: $(VENV)/.venv $(FILES)
	$(PIP) torch==2.13.0
	$(PIP) --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info
