#!/bin/sh
# Pins the libraries of pyproject.toml, with the hashes of every file of each, for `make lock`:
# requirements.txt for development, requirements-runtime.txt for the images (the same versions, no tools).
# A lock file holds no download address, so that any package index may serve it.
# Usage: deploy/lock.sh <python of a virtualenv that has pip-tools>
set -eu

compile() {
    output=$1; shift
    # The index is the reader's own business: neither its address nor local wheel folders may leak into the file.
    "$python" -m piptools compile --quiet --strip-extras --allow-unsafe --generate-hashes --no-header \
        --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options \
        --output-file "$output" "$@" pyproject.toml
}

python=$1
compile requirements.txt --extra scoring --extra local --extra dev
compile requirements-runtime.txt --extra scoring --constraint requirements.txt
