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

# Where there is no Java 17, or PySpark cannot be installed, this says so in one line and passes.
test-spark: setup
	@$(BIN)/python -c 'from garimpo.engine.spark_session import check_java; check_java()' 2>$(VENV)/java.txt \
	  || { echo "test-spark: skipped: $$(tail -1 $(VENV)/java.txt | sed 's/.*BadInput: //')"; exit 0; }; \
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[spark]' >$(VENV)/pyspark.txt 2>&1 \
	  || { echo "test-spark: skipped: PySpark could not be installed: $$(tail -1 $(VENV)/pyspark.txt)"; exit 0; }; \
	$(BIN)/python -m pytest tests/spark

lint: setup
	$(BIN)/ruff check --output-format concise .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf $(VENV)
