# Every target makes the environment it needs in .venv; nothing has to be installed first but Python 3.11.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup demo test test-spark lint bench clean

$(VENV)/.ready: pyproject.toml constraints.txt
	$(shell command -v $(PYTHON) || echo python3) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[test,lint]'
	$(BIN)/garimpo warm
	touch $@

setup: $(VENV)/.ready

demo: setup
	$(BIN)/garimpo demo

test: setup
	$(BIN)/python -m pytest -n 2 --ignore tests/spark

# Needs Java 17; the tests are skipped without it.
test-spark: setup
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[spark]'
	$(BIN)/python -m pytest tests/spark

lint: setup
	$(BIN)/ruff check --output-format concise .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf $(VENV)
