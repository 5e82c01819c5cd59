#!/bin/bash
# Compiles kernels for the host, with what takes the place of a GPU, to object files.
#
#   build.sh OUT "FOLDER …" [options of g++ …]      the folders of ../kernels: product test whole vectors embedding benchmark;
#   inlined: those of the tests, which are handlers alone, with their workers. The repository has no PTX of them
set -euo pipefail
out=$(realpath -m "$1")
folders=$2
shift 2
cd "$(dirname "$0")"
mkdir -p "$out"
# Device code reads memory as what it is not, which nvcc allows.
flags=(-std=c++17 -Wall -Wextra -Wno-unknown-pragmas -Wno-array-bounds -fno-strict-aliasing -fPIC -fvisibility=hidden -fno-gnu-unique
  -pthread -I. -I../include "$@")

declare -A images=(
  [product]=ringkernel-cuda/src/main/resources/io/ringkernel/cuda/kernels
  [test]=ringkernel-cuda/src/test/resources/kernels/handlers
  [whole]=ringkernel-cuda/src/test/resources/kernels
  [vectors]=ringkernel-spring-ai/src/main/resources/io/ringkernel/spring/ai/search
  [embedding]=ringkernel-spring-ai/src/main/resources/io/ringkernel/spring/ai/embedding/kernel
  [benchmark]=native/target/benchmark/kernels
)

entries() { sed -n 's/^\.visible \.entry \([A-Za-z0-9_]*\)(.*/\1/p' "$1"; }
variables() { sed -n 's/^\.visible \.global .* \.b8 \([A-Za-z0-9_]*\)\[.*/\1/p' "$1"; }

# Whether an image is a handler alone, for the worker of the product.
is_handler() { grep -q '^\.visible \.func .*ringkernel_handle' "$1" && ! grep -q '\.entry' "$1"; }

# Where the sources of a folder lie: those of the tests are compiled without a worker, and with one.
folder_of() { # folder
  [[ $1 == inlined ]] && echo test || echo "$1"
}

# A text with the names of a kernel that the repository has no PTX of.
names_alone() { # name
  printf '.visible .entry %s(\n' "$1"
  printf '.visible .global .align 8 .b8 %s_%s[]\n' "$1" info "$1" layouts
}

# A kernel in a namespace of its own, since images have entries and types of the same names.
wrap() { # folder, name, PTX
  local entry variable
  [[ $1 != test ]] || echo "#define RINGKERNEL_HANDLER"
  cat <<CPP
#include "registry.hpp"
#include "simt.hpp"
#include <cstdint>

namespace {
namespace source {
#include "$PWD/../kernels/$(folder_of "$1")/$2.cu"
}

struct Source;

asm(".section .rodata\n"
    "simt_ptx_begin: .incbin \"$3\"\n"
    "simt_ptx_end: .byte 0\n"
    ".previous\n");
extern "C" __attribute__((visibility("hidden"))) const char simt_ptx_begin[], simt_ptx_end[];

[[maybe_unused]] const bool registered = [] {
  simt::Image image;
  image.name = "$1/$2";
  image.ptx = std::string_view(simt_ptx_begin, simt_ptx_end - simt_ptx_begin);
CPP
  for entry in $(entries "$3"); do
    echo "  image.kernels.push_back(simt::KernelOf<source::$entry, Source>::named(\"$entry\"));"
  done
  for variable in $(variables "$3"); do
    echo "  image.variables.push_back({\"$variable\", &source::$variable, sizeof(source::$variable)});"
  done
  if is_handler "$3"; then
    echo "  image.handle = reinterpret_cast<simt::Handle>(reinterpret_cast<void*>(source::ringkernel_handle));"
  fi
  echo "  simt::images().push_back(image);"
  echo "  return true;"
  echo "}();"
  echo "}  // namespace"
}

compile() { # folder, name
  local ptx object=$out/$1-$2.o
  if [[ $1 == inlined ]]; then
    ptx=$out/$1-$2.ptx
    names_alone "$2" >"$ptx"
  else
    ptx=$PWD/../../${images[$1]}/$2.ptx
  fi
  wrap "$1" "$2" "$ptx" >"$out/$1-$2.cpp"
  g++ "${flags[@]}" -c "$out/$1-$2.cpp" -o "$object"
  # Entries have the names of C, also within a namespace; AddressSanitizer marks variables by more.
  ! is_handler "$ptx" || objcopy --localize-symbol=ringkernel_handle "$object"
  objcopy --wildcard --localize-symbol='__odr_asan.*' \
    $(printf -- '--localize-symbol=%s ' $(entries "$ptx") $(variables "$ptx")) "$object"
}

parallel() {
  "$@" &
  [[ $(jobs -rp | wc -l) -lt $(nproc) ]] || wait -n
}

for source in *.cpp; do
  parallel g++ "${flags[@]}" -c "$source" -o "$out/simt-${source%.cpp}.o"
done
for folder in $folders; do
  for source in ../kernels/"$(folder_of "$folder")"/*.cu; do
    parallel compile "$folder" "$(basename "$source" .cu)"
  done
done
for job in $(jobs -p); do wait "$job"; done
