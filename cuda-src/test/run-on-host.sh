#!/bin/bash
# Runs the test kernels' protocol on the host, without a GPU: their sources, compiled as C++.
#
#   run-on-host.sh [--tsan] [part of a test's name]
set -euo pipefail
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
flags=(-std=c++17 -O1 -g -Wall -Wextra -Wno-unknown-pragmas -DSIMT -pthread -Isimt -I../include -I.)
if [[ ${1:-} == --tsan ]]; then
  flags+=(-fsanitize=thread -Wno-tsan)
  shift
fi
for source in ../kernels/test/*.cu ../kernels/sample/nearest_neighbours.cu; do
  g++ "${flags[@]}" -x c++ -include simt/simt.hpp -c "$source" -o "$out/$(basename "$source").o" &
  [[ $(jobs -rp | wc -l) -lt $(nproc) ]] || wait -n
done
wait
g++ "${flags[@]}" ring_test.cpp simt/simt.cpp "$out"/*.o -o "$out/ring_test"
"$out/ring_test" "$@"
