#!/usr/bin/env bash
# Runs a Windows program under Wine, whose files go to build/wine and whose messages are silent.
set -euo pipefail
export WINEPREFIX="${WINEPREFIX:-$(cd "$(dirname "$0")/.." && pwd)/build/wine}" WINEDEBUG="${WINEDEBUG:--all}"
wine=/usr/lib/wine/wine64  # Debian's wine64 has it nowhere else
[ -x $wine ] || wine=$(command -v wine64 || command -v wine)
[ -d "$WINEPREFIX" ] || { mkdir -p "$WINEPREFIX"; "$wine" wineboot > "$WINEPREFIX/wineboot.log" 2>&1 < /dev/null; }
exec "$wine" "$@"
