# The front door. `make help` lists what it does; what is longer than a line is in tools/.

.DEFAULT_GOAL := help
SHELL := /bin/bash
# Two stages may run at once: fetching the Python packages and compiling do not get in each
# other's way. What measures time runs alone.
MAKEFLAGS += --jobs=2 --no-print-directory

# torch's headers need much memory to compile: no more compilers than cores.
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)
# What another copy of this tree has compiled is taken from the compiler's cache.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1

STAGE := tools/stage
PYTHON := .venv/bin/python
SIGHTLINE := .venv/bin/sightline

# What the native parts are built from. A Python file of the package counts by its name only: an
# editable install finds it by a list made at install time, and reads it where it stands.
NATIVE_SOURCES = $(shell find VERSION CMakeLists.txt pyproject.toml cmake core worker cli collectors \
    server python/CMakeLists.txt python/bindings -type f ! -name '*_test.cpp' 2>/dev/null | sort)
PAGE_SOURCES = $(shell find web -type f ! -path '*/node_modules/*' ! -path 'web/dist/*' 2>/dev/null | sort)
PACKAGE_FILES = $(shell find python/sightline -name '*.py*' ! -name '*.pyc' 2>/dev/null | sort)

.PHONY: help
help:  ## this list
	@echo 'Sightline: where a training step'\''s time and memory go, line by line.'
	@echo
	@sed -n 's/^\([a-z]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "  make %-8s %s\n", $$1, $$2 }'
	@echo
	@echo 'All but help and clean install what is missing: Debian packages, and .venv with torch.'

.PHONY: demo
demo: build  ## the page on a small ResNet; in a pipe its report
	@$(STAGE) --live 'Demo' $(SIGHTLINE) demo --folder build/demo

.PHONY: test
test: build .dev .tsan  ## build, lint, and run all tests
	@tools/test

.PHONY: build
build: .venv-packages .page  ## build the package into .venv, in Release mode
	@$(STAGE) --if-changed "$(NATIVE_SOURCES) $(PAGE_SOURCES) tools/requirements-dev.txt" --and "$(PACKAGE_FILES)" \
	    'Building the package' $(PYTHON) -m pip install -v --no-build-isolation --no-deps -e .

.PHONY: lint
lint: build .configure-dev  ## formatting, clang-tidy, layers, ruff, mypy, eslint
	@$(STAGE) --live 'Lint' $(PYTHON) tools/lint

.PHONY: bench
bench: build  ## measure what recording costs, against its bars and its peers
	@$(STAGE) 'Browser packages' tools/install-browser-packages
	@$(STAGE) --if-changed tools/requirements-peers.txt 'Peers' tools/install-peers
	@$(STAGE) --live 'Benchmarks' $(PYTHON) bench/run.py

.PHONY: clean
clean:  ## remove everything that was built; .venv stays
	rm -rf build dist web/dist .mypy_cache .ruff_cache .pytest_cache

# Stages that others build upon.

.PHONY: .packages .venv-packages .page .configure-dev .dev .tsan
.packages:
	@$(STAGE) 'Debian packages' tools/install-packages

.venv-packages: .packages
	@[[ -x $(PYTHON) ]] || rm -f build/stamps/Python-packages build/stamps/Building-the-package
	@$(STAGE) --if-changed tools/requirements-dev.txt 'Python packages' tools/make-venv

.page: .packages
	@[[ -d web/dist ]] || rm -f build/stamps/Page
	@$(STAGE) --if-changed "$(PAGE_SOURCES)" 'Page' tools/make-page

.configure-dev: .packages .page
	@$(STAGE) 'Configuring, sanitizers on' cmake --preset dev

.dev: .configure-dev
	@$(STAGE) 'Compiling, address and undefined-behaviour sanitizers' cmake --build --preset dev

# After .dev, and with fixed addresses, for the reason given in tools/test: building runs the tests
# once to list them.
.tsan: .dev
	@$(STAGE) 'Compiling, thread sanitizer' bash -c \
	    'fixed=; setarch -R true && fixed="setarch -R"; cmake --preset tsan && $$fixed cmake --build --preset tsan'
