# The gateways of the project for people and machines. Each target installs what it needs (Debian 12,
# Ubuntu 24.04), configures once, builds what changed, and then does its work.
SHELL := bash
.DEFAULT_GOAL := help
JOBS ?= $(shell nproc)
SECONDS_EACH ?= 60
FILE ?=
build = cmake --build --preset $(1) --parallel $(JOBS)
packages := $(addprefix packages-,build python lint fuzz bench docs deb)
build_files := CMakeLists.txt CMakePresets.json $(wildcard cmake/*.cmake)

.PHONY: help run replay lab test python wheel python-test nightly bench bench-python fuzz mutants lint format docs deb clean $(packages)

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 13

run: build/release/build.ninja ## the exchange with a demo market, until Ctrl-C (FILE=… replays a file)
	@$(call build,release) --target damrak_program
	@scripts/run $(FILE)

replay: build/release/build.ninja ## a day of order flow through the engine (FILE=… for your own)
	@$(call build,release) --target damrak_program
	@scripts/replay $(FILE)

lab: build/release/build.ninja ## build the laboratory, for damrak lab
	@$(call build,release) --target damrak_program damrak_lab_program

test: build/release/build.ninja ## build the program and all tests, run the whole suite
	@$(call build,release)
	@ctest --preset release --parallel $(JOBS)
	@scripts/python core

python: build/release/build.ninja packages-python ## a virtual environment with the Python package, in build/python
	@$(call build,release) --target damrak_program
	@scripts/python install

wheel: build/release/build.ninja packages-python ## the package as wheels for the interpreters that are there, in build/wheel
	@$(call build,release) --target damrak_program
	@scripts/python wheel

python-test: build/release/build.ninja packages-python ## a wheel in an empty environment, and its tests
	@$(call build,release) --target damrak_program
	@scripts/python test

nightly: build/release/build.ninja packages-lint packages-fuzz ## all that takes hours: whole sizes, sanitizers, second compiler, fuzzing, mutants
	@scripts/nightly

bench: build/release/build.ninja packages-bench ## measure: a table, and JSON under build/bench
	@$(call build,release) --target damrak_program benchmarks
	@scripts/bench

bench-python: build/release/build.ninja packages-python ## the Python package beside other packages (MESSAGES=…), in one run
	@$(call build,release) --target damrak_program bench_orders
	@scripts/bench python

fuzz: build/fuzz/build.ninja ## run each fuzz target for SECONDS_EACH (60)
	@$(call build,fuzz)
	@scripts/fuzz $(SECONDS_EACH)

mutants: build/release/build.ninja ## plant small faults; the tests must catch each
	@tools/mutants

lint: build/release/build.ninja packages-lint ## format check, convention check, clang-tidy
	@scripts/lint

format: packages-lint ## lay out every C++ file
	@git ls-files '*.cpp' '*.hpp' | xargs -r clang-format-19 -i

docs: build/release/build.ninja packages-docs packages-python ## the documents and the API pages as a static site in build/docs, all links checked
	@python3 tools/check_links.py
	@$(call build,release) --target damrak_program
	@rm -rf build/docs && mkdir -p build/docs && python3 -B tools/api_pages.py
	@scripts/python docs build/docs/api/python
	@python3 -B tools/site_pages.py build/docs
	@python3 tools/check_site.py build/docs
	@echo "docs: build/docs/index.html"

deb: packages-deb build/release/build.ninja ## Debian packages into build/deb, checked (scripts/test-deb installs and uses them)
	@cmake --preset release >/dev/null
	@$(call build,release) --target damrak_program program_files
	@scripts/deb

clean: ## remove everything built
	rm -rf build

build/fuzz/build.ninja: | packages-fuzz
build/%/build.ninja: $(build_files) | packages-build
	@echo "configure: $*"
	@cmake --preset $* >/dev/null

$(packages): packages-%:
	@scripts/bootstrap $*
