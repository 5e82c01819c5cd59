#!/bin/bash
# Compiles every kernel to PTX and puts it where the Java modules find it.
#
#   build.sh            builds and replaces what is there
#   build.sh --check    builds elsewhere, and fails if what is there differs
#   build.sh --assemble builds elsewhere, and assembles for the architectures that are supported;
#                       fails if a kernel spills registers or has local memory
set -euo pipefail
cd "$(dirname "$0")"

# PTX ISA 8.4 has 16-byte accesses at system scope; nvcc states its own, newer version, which only new
# drivers load. Compute capability 7.5 is the oldest that nvcc 13 builds for.
ptx_version=8.4
target=compute_75
architectures="75 80 86 89 90 100 120"

mode=${1:-build}
root=..
if [[ $mode != build ]]; then
  root=$(mktemp -d)
  trap 'rm -rf "$root"' EXIT
fi

declare -A outputs=(
  [product]=ringkernel-cuda/src/main/resources/io/ringkernel/cuda/kernels
  [test]=ringkernel-cuda/src/test/resources/kernels
  [sample]=sample-app/src/main/resources/kernels
  [benchmark]=ringkernel-benchmarks/src/main/resources/kernels
)

compile() { # source, output
  # -rdc makes the description of a kernel visible to the driver's cuModuleGetGlobal.
  nvcc -std=c++17 -arch=$target -rdc=true -ptx -Werror all-warnings -Iinclude "$1" -o "$2.tmp"
  # Comments name the build of the compiler, and nothing that matters.
  sed -e "s/^\.version .*/.version $ptx_version/" -e '/^\/\//d' -e '/./,$!d' "$2.tmp" >"$2"
  rm "$2.tmp"
}

for set in "${!outputs[@]}"; do
  mkdir -p "$root/${outputs[$set]}"
  for source in kernels/"$set"/*.cu; do
    compile "$source" "$root/${outputs[$set]}/$(basename "$source" .cu).ptx" &
    [[ $(jobs -rp | wc -l) -lt $(nproc) ]] || wait -n
  done
done
for job in $(jobs -p); do wait "$job"; done

case $mode in
  build) ;;
  --check)
    for set in "${!outputs[@]}"; do
      diff -r "../${outputs[$set]}" "$root/${outputs[$set]}" >/dev/null || {
        echo "${outputs[$set]} differs from its sources: run cuda-src/build.sh" >&2
        exit 1
      }
    done
    ;;
  --assemble)
    failed=0
    while read -r ptx; do
      for architecture in $architectures; do
        report=$(ptxas -v -arch=sm_"$architecture" "$ptx" -o /dev/null 2>&1)
        grep -q "bytes stack frame" <<<"$report"
        registers=$(sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' <<<"$report" | paste -sd, -)
        shared=$(sed -n 's/.* \([0-9]*\) bytes smem.*/\1/p' <<<"$report" | paste -sd, -)
        printf '%-24s sm_%-4s registers %-12s shared %s\n' "$(basename "$ptx")" "$architecture" \
          "$registers" "$shared"
        if grep 'bytes stack frame' <<<"$report" | grep -qv '^ *0 bytes stack frame, 0 bytes spill'
        then
          echo "  has local memory: $(grep 'stack frame' <<<"$report")" >&2
          failed=1
        fi
      done
    done < <(find "$root" -name '*.ptx' | sort)
    exit $failed
    ;;
  *)
    echo "usage: build.sh [--check | --assemble]" >&2
    exit 2
    ;;
esac
