#!/bin/bash
# Builds the emulated driver, libcuda.so.1, with every kernel of the repository; does nothing if it
# is newer than all that it is made of.
#
#   build.sh [OUT]      default: target
set -euo pipefail
cd "$(dirname "$0")"
out=$(realpath -m "${1:-target}")
library=$out/libcuda.so.1

if ! command -v g++ >/dev/null; then
  echo "SKIPPED, as there is no g++: the tests on the emulated driver"
  exit 0
fi
if [[ $(uname -sm) != "Linux x86_64" ]]; then
  echo "SKIPPED, as JCuda has no natives for $(uname -sm): the tests on the emulated driver"
  exit 0
fi
sources=(. ../interposer ../simt ../include ../kernels ../../*/src/*/resources)
if [[ -f $library && -z $(find "${sources[@]}" -regex '.*\.\([ch]pp\|cuh?\|ptx\|sh\)' -newer "$library" -print -quit) ]]; then
  exit 0
fi

rm -rf "$out"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
../simt/build.sh "$work" "product test whole vectors embedding" -O2
for source in *.cpp; do
  g++ -std=c++17 -O1 -Wall -Wextra -fPIC -fvisibility=hidden -pthread -I. -I../simt -c "$source" \
    -o "$work/${source%.cpp}.o" &
  [[ $(jobs -rp | wc -l) -lt $(nproc) ]] || wait -n
done
for job in $(jobs -p); do wait "$job"; done
../interposer/build.sh "$out"
# Beside the driver, so that the same path finds both.
g++ -std=c++17 -O1 -Wall -Wextra -fPIC -shared -Wl,-soname,libnvrtc.so.13 -Wl,-z,defs \
  -DRINGKERNEL_IMAGES="\"$(realpath ../../ringkernel-cuda/src/test/resources/kernels/handlers)\"" nvrtc/nvrtc.cpp -o "$out/libnvrtc.so.13"
# Complete before it has its name: others may look for it meanwhile.
g++ -shared -Wl,-soname,libcuda.so.1 -Wl,-z,defs -pthread "$work"/*.o -o "$out/building"
mv "$out/building" "$library"
