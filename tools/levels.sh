#!/bin/sh
# Runs a test program as on processors without AVX-512, then as on those without AVX2: what
# "go test -exec" calls, so that a program is built once for both.
set -e
if grep -q avx512f /proc/cpuinfo 2>/dev/null; then
  echo "== without AVX-512"
  GODEBUG=cpu.avx512f=off "$@"
fi
echo "== without AVX2"
GODEBUG=cpu.avx2=off exec "$@"
