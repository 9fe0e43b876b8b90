# Every target makes the environment it needs in .venv; nothing has to be installed first but Python 3.11, 3.12 or 3.13.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: setup demo test test-flaky test-spark test-text docs docs-check lint bench realweb realweb-bench realweb-demo clean

# What a user needs. Bytecode is made when it is first wanted: most of the libraries' never is.
$(VENV)/.installed: pyproject.toml constraints.txt
	@echo "installing garimpo and its libraries in $(VENV)"
	@$(shell command -v $(PYTHON) || echo python3) -m venv $(VENV)
	@$(PIP) --no-compile --editable .
	@touch $@

$(VENV)/.ready: $(VENV)/.installed
	@echo "installing what tests and lint need"
	@$(PIP) --editable '.[test,lint]'
	@$(BIN)/garimpo warm
	@touch $@

setup: $(VENV)/.ready

demo: $(VENV)/.installed
	@$(BIN)/garimpo demo

test: setup
	$(BIN)/python -m pytest -n 2 --ignore tests/spark

# Each test many times, in random orders, alone and beside two busy processes: takes hours.
test-flaky: setup
	$(BIN)/python tests/flaky.py

# Where there is no Java 17, or PySpark cannot be installed, this says so in one line and passes.
test-spark: setup
	@$(BIN)/python -c 'from garimpo.engine.on_spark.session import check_java; check_java()' 2>$(VENV)/java.txt \
	  || { echo "test-spark: skipped: $$(tail -1 $(VENV)/java.txt | sed 's/.*BadInput: //')"; exit 0; }; \
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[spark]' >$(VENV)/pyspark.txt 2>&1 \
	  || { echo "test-spark: skipped: PySpark could not be installed: $$(tail -1 $(VENV)/pyspark.txt)"; exit 0; }; \
	$(BIN)/python -m pytest tests/spark

# With the extras, and with other people's tools (tests/tools.txt) in an environment of their own.
test-text: setup
	@$(BIN)/python -m venv $(VENV)/tools
	@$(VENV)/tools/bin/python -m pip install --quiet --disable-pip-version-check --requirement tests/tools.txt
	@$(PIP) --editable '.[pdf,text]'
	GARIMPO_TOOLS=$(abspath $(VENV)/tools/bin) $(BIN)/python -m pytest tests/page/main tests/page/test_pdf.py tests/docs/test_text.py

# The docs site, in .venv/site; a link that leads nowhere fails. Where MkDocs cannot be installed, this says so in one line and passes.
docs: setup
	@$(PIP) --editable '.[docs]' >$(VENV)/mkdocs.txt 2>&1 \
	  || { echo "docs: skipped: MkDocs could not be installed: $$(tail -1 $(VENV)/mkdocs.txt)"; exit 0; }; \
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict >$(VENV)/mkdocs.txt 2>&1 || { grep -v INFO $(VENV)/mkdocs.txt; exit 1; }

# The benchmarks and experiments that the documents name, at their smallest.
docs-check: setup
	$(BIN)/python benchmarks/documented.py

lint: setup
	$(BIN)/ruff check --output-format concise .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup
	$(BIN)/python benchmarks/run.py

# A web of real software (benchmarks/realweb/README.md). What cannot be installed here is skipped with one line.
realweb: setup
	@PYTHONPATH=benchmarks $(BIN)/python -m realweb setup

realweb-bench: realweb
	@PYTHONPATH=benchmarks $(BIN)/python -m realweb bench

# One of its applications, without and with learning: a few minutes the first time.
realweb-demo: setup
	@PYTHONPATH=benchmarks $(BIN)/python -m realweb demo

clean:
	rm -rf $(VENV)
