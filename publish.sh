#!/usr/bin/env bash
# Publishes a release: `cargo xtask release` with the same arguments, and nothing of its own. It only plans without --execute.
set -euo pipefail
cd "$(dirname "$0")"
exec cargo xtask release "$@"
