#!/bin/bash
# Builds the library that imposes a platform's faults on a real driver.
#
#   build.sh OUT
set -euo pipefail
out=$(realpath -m "$1")
cd "$(dirname "$0")"
mkdir -p "$out"
g++ -std=c++17 -O1 -Wall -Wextra -fPIC -fvisibility=hidden -shared -I../emulator interposer.cpp -ldl \
  -o "$out/libringkernel-interposer.so"
