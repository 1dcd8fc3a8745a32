#!/bin/sh
# Pins the libraries of pyproject.toml, with the hashes of every file of each, for `make lock`:
# requirements.txt for development, requirements-runtime.txt for the images (the same versions, no tools),
# tests/bench/requirements.txt for what the measurements need on top.
# A lock file holds no download address, so that any package index may serve it.
# Usage: deploy/lock.sh <python of a virtualenv that has pip-tools>
set -eu

compile() {
    output=$1 source=$2; shift 2
    # The index is the reader's own business: neither its address nor local wheel folders may leak into the file.
    "$python" -m piptools compile --quiet --strip-extras --allow-unsafe --generate-hashes --no-header \
        --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options \
        --output-file "$output" "$@" "$source"
}

python=$1
compile requirements.txt pyproject.toml --extra scoring --extra local --extra dev
compile requirements-runtime.txt pyproject.toml --extra scoring --constraint requirements.txt
compile tests/bench/requirements.txt tests/bench/requirements.in --constraint requirements.txt
