#!/bin/bash
# Compiles every kernel to PTX and puts it where the Java modules find it.
#
#   build.sh                        builds and replaces what is there
#   build.sh --benchmark            builds what the repository does not keep, unless it is newer than its sources: the
#                                   images of the benchmarks into native/target/benchmark/kernels, and those of the
#                                   tests with their workers into native/target/inlined/kernels
#   build.sh [--check] [--assemble] builds all elsewhere, and
#                       --check     fails if what is there differs
#                       --assemble  assembles for the architectures that are supported; fails if a
#                                   kernel has local memory, but for a few bytes that it spills.
#                                   Alone, it writes to native/assembled.txt what it has assembled;
#                                   with --check, it leaves out what that file names
set -euo pipefail
cd "$(dirname "$0")"

# PTX ISA 8.4 has 16-byte accesses at system scope; nvcc states its own, newer version, which only new
# drivers load. Compute capability 7.5 is the oldest that nvcc 13 builds for.
ptx_version=8.4
target=compute_75
# Bytes of a thread that may lie in local memory. Since requests arrive in parts, some images have a frame
# of 8 to 24 bytes for registers that they spill, on sm_86 and sm_89 above all.
spilled=24
# A search of vectors reads eight rows at once. It spills more on sm_86, sm_89 and sm_120, and was measured to be
# quicker on sm_90 than one of five rows, which spills nothing. What several queries share is a function that is
# called: its caller's frame holds what that refers to. On sm_90 no innermost loop over the rows of a
# search has a local access; that for one query has if it is a function of its own.
spilled_by_searches=448
# An encoder calls its parts, none of which has a local access in a loop over a matrix: the frame holds what they refer to.
spilled_by_encoders=900
architectures="75 80 86 89 90 100 120"
# The images that have been assembled, each with a digest of all that the result depends on: an image that has not
# changed gives it again, after minutes.
assembled=assembled.txt

check=false
assemble=false
kept="product test whole vectors embedding"
unkept="benchmark inlined"
built=$kept
for option in "$@"; do
  case $option in
    --benchmark) built=$unkept ;;
    --check) check=true ;;
    --assemble) assemble=true ;;
    *)
      echo "usage: build.sh [--benchmark | [--check] [--assemble]]" >&2
      exit 2
      ;;
  esac
done
root=..
if $check || $assemble; then
  built="$kept $unkept"
  root=$(mktemp -d)
  trap 'rm -rf "$root"' EXIT
fi

declare -A outputs=(
  [product]=ringkernel-cuda/src/main/resources/io/ringkernel/cuda/kernels
  [test]=ringkernel-cuda/src/test/resources/kernels/handlers
  [whole]=ringkernel-cuda/src/test/resources/kernels
  [vectors]=ringkernel-spring-ai/src/main/resources/io/ringkernel/spring/ai/search
  [embedding]=ringkernel-spring-ai/src/main/resources/io/ringkernel/spring/ai/embedding/kernel
  [benchmark]=native/target/benchmark/kernels
  [inlined]=native/target/inlined/kernels
)

# Where the sources of a set lie: those of the tests are compiled without a worker, and with one.
folder_of() { # set
  [[ $1 == inlined ]] && echo test || echo "$1"
}

# What a set of kernels needs at least: those of texts multiply 16 rows of 16 halves at once.
target_of() { # set
  [[ $1 == embedding ]] && echo compute_80 || echo $target
}

is_new() { # output
  [[ -f $1 && -z $(find build.sh include kernels -newer "$1" -print -quit) ]]
}

compile() { # source, output, set
  local options=()
  [[ $3 != test ]] || options=(-DRINGKERNEL_HANDLER)
  # What a linked handler is measured beside is as quick as it can be.
  [[ $3 != benchmark ]] || options=(-DRINGKERNEL_ONE_WARP_APART=true)
  # -rdc makes the description of a kernel visible to the driver's cuModuleGetGlobal.
  nvcc -std=c++17 -arch="$(target_of "$3")" -rdc=true -ptx -Werror all-warnings "${options[@]}" -Iinclude "$1" -o "$2.tmp"
  # Comments name the build of the compiler, and nothing that matters.
  # A handler is appended to its worker: there it is declared as what is to come.
  sed -e "s/^\.version .*/.version $ptx_version/" -e '/^\/\//d' -e '/./,$!d' \
    -e 's/^\.extern \(\.func .*ringkernel_handle\)/.visible \1/' "$2.tmp" >"$2"
  rm "$2.tmp"
}

parallel() {
  "$@" &
  [[ $(jobs -rp | wc -l) -lt $(nproc) ]] || wait -n
}

await_all() {
  local job
  for job in $(jobs -p); do wait "$job"; done
}

# The worker of a handler: another one if it calls workers, or if its messages, of which the description tells, each travel in a
# row.
worker() { # image
  local numbers
  IFS=', ' read -ra numbers < <(sed -n 's/.*ringkernel_handler_info\[80\] = {\(.*\)};/\1/p' "$1")
  if (((numbers[76] & 8) != 0)); then
    echo assisted_worker
  elif ((numbers[36] + numbers[37] * 256 + numbers[38] * 65536 <= 372 && numbers[44] + numbers[45] * 256 + numbers[46] * 65536 <= 372 && (numbers[76] & 2) == 0)); then
    echo small_worker
  else
    echo worker
  fi
}

# A handler with its worker, as io.ringkernel.cuda.image.LinkedHandler puts them together; any other image as it is.
whole() { # image
  if grep -q '\.entry' "$1"; then
    cat "$1"
  else
    cat "$root/${outputs[product]}/$(worker "$1").ptx"
    sed -E '/^\.(version|target|address_size)/d' "$1"
  fi
}

# What the result of an image depends on.
key() { # text, limit
  {
    ptxas --version | tail -n 1
    echo "$architectures, $2 bytes"
    cat "$1"
  } | sha256sum | cut -c 1-32
}

# What an image takes of each architecture; a line more where it has local memory.
assemble() { # image
  local architecture report registers shared frame text=$1.whole limit=$spilled
  [[ $(basename "$1") != vector_search* ]] || limit=$spilled_by_searches
  [[ $(basename "$1") != encoder* ]] || limit=$spilled_by_encoders
  whole "$1" >"$text"
  echo "$(key "$text" $limit) ${1#"$root/"}" >"$1.key"
  if $check && grep -qxFf "$1.key" $assembled 2>/dev/null; then
    echo "$(basename "$1") is in $assembled" >"$1.report"
    return
  fi
  for architecture in $architectures; do
    ((architecture >= $(sed -n 's/^\.target sm_\([0-9]*\).*/\1/p' "$text" | head -1))) || continue
    report=$(ptxas -v -arch=sm_"$architecture" "$text" -o /dev/null 2>&1)
    grep -q "bytes stack frame" <<<"$report"
    registers=$(sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' <<<"$report" | paste -sd, -)
    shared=$(sed -n 's/.* \([0-9]*\) bytes smem.*/\1/p' <<<"$report" | paste -sd, -)
    printf '%-24s sm_%-4s registers %-12s shared %s\n' "$(basename "$1")" "$architecture" "$registers" "$shared"
    frame=$(sed -n 's/^ *\([0-9]*\) bytes stack frame.*/\1/p' <<<"$report" | sort -n | tail -1)
    if ((frame > limit)); then
      echo "  has local memory: $(grep 'stack frame' <<<"$report")"
    elif ((frame > 0)); then
      echo "  spills a little: $(grep 'stack frame' <<<"$report")"
    fi
  done >"$1.report"
}

for set in $built; do
  mkdir -p "$root/${outputs[$set]}"
  for source in kernels/"$(folder_of "$set")"/*.cu; do
    output=$root/${outputs[$set]}/$(basename "$source" .cu).ptx
    [[ $built == "$unkept" ]] && is_new "$output" || parallel compile "$source" "$output" "$set"
  done
done
await_all

if $check; then
  for set in $kept; do
    diff -r "../${outputs[$set]}" "$root/${outputs[$set]}" >/dev/null || {
      echo "${outputs[$set]} differs from its sources: run native/build.sh" >&2
      exit 1
    }
  done
fi
if $assemble; then
  # What awaits a handler is none alone.
  mapfile -t images < <(find "$root" -name '*.ptx' ! -name '*worker.ptx' ! -name handler_bench.ptx | sort)
  for image in "${images[@]}"; do
    parallel assemble "$image"
  done
  await_all
  cat "${images[@]/%/.report}"
  ! grep "has local memory" "${images[@]/%/.report}" >/dev/null || exit 1
  if ! $check; then
    cat "${images[@]/%/.key}" >$assembled
  elif ! diff -q $assembled <(cat "${images[@]/%/.key}") >/dev/null; then
    echo "native/$assembled is not that of these images, of which some were assembled again: run native/build.sh --assemble"
  fi
fi
# These need not be built again by --benchmark.
if [[ $built != "$kept" && $built != "$unkept" ]]; then
  for set in $unkept; do
    mkdir -p "../${outputs[$set]}"
    cp -p "$root/${outputs[$set]}"/*.ptx "../${outputs[$set]}/"
  done
fi
