#!/bin/sh
# Runs a WebAssembly program under Node. It sees the current folder and the one above.
exec node --no-warnings "$(dirname "$0")/wasi.mjs" "$@"
