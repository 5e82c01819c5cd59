#!/bin/bash
# Runs the test kernels' protocol on the host, without a GPU: their sources, compiled as C++.
#
#   run-on-host.sh [--tsan | --asan] [part of a test's name]
#
# With a sanitizer, what it finds ends the run: data races of host and device sources, or accesses out of bounds.
set -euo pipefail
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
flags=(-O1 -g)
case ${1:-} in
  --tsan)
    flags+=(-fsanitize=thread -Wno-tsan)
    shift
    ;;
  --asan)
    flags+=(-fsanitize=address)
    shift
    ;;
esac
../simt/build.sh "$out" "product test inlined" "${flags[@]}"
g++ -std=c++17 "${flags[@]}" -Wall -Wextra -Wno-unknown-pragmas -pthread -DSIMT -I../simt -I../include ring_test.cpp "$out"/*.o -o "$out/ring_test"
"$out/ring_test" "$@"
