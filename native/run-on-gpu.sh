#!/bin/bash
# On a machine with a GPU: builds the protocol test and the measurements, runs both, and shows the
# measurements as a table. Takes under three minutes.
#
#   run-on-gpu.sh [file for the measurements, one JSON object a line]
set -euo pipefail
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
results=${1:-$out/baseline.jsonl}

cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
[[ -f $cuda/include/cuda.h ]] || cuda=/usr/local/cuda
flags=(-std=c++17 -O3 -Wall -Wextra -pthread -Iinclude -Itest -I"$cuda/include")
g++ "${flags[@]}" test/ring_test.cpp -o "$out/ring_test" -ldl &
g++ "${flags[@]}" bench/baseline.cpp -o "$out/baseline" -ldl &
# PTX, as the kernels of the product are: a relocatable cubin would have to be linked first.
nvcc -std=c++17 -arch=compute_75 -rdc=true -ptx -Iinclude bench/baseline.cu -o "$out/baseline.ptx"
./build.sh --benchmark
wait

passed=0
timeout 90 "$out/ring_test" .. || passed=$?
timeout 90 "$out/baseline" .. "$out/baseline.ptx" | tee "$results" || passed=$?

printf '\n%-52s %9s %9s %9s %9s\n' measurement 'p50 ns' 'p99.9 ns' 'M msg/s' 'GB/s'
sed -n 's/^{"name":"\([^"]*\)",/\1\t/p' "$results" | while IFS=$'\t' read -r name values; do
  value() { sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p" <<<"$values"; }
  printf '%-52s %9s %9s %9s %9s\n' "$name" "$(value p50_ns)" "$(value p999_ns)" "$(value mps)" \
    "$(value gbps)"
done
exit $passed
