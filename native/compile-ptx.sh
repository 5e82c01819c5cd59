#!/bin/bash
# Compiles PTX to machine code beforehand, which takes the driver a tenth of a second for each kernel:
# of each x.ptx below a folder to x.STAMP.fatbin beside it, where STAMP are the last eight bytes of
# what gzip makes of the PTX: its CRC-32 and its length. The backend looks for it there, and loads the PTX where it finds none for its device.
# Needs nvcc; without, it says so and does nothing.
#
#   compile-ptx.sh FOLDER
set -euo pipefail
cd "$1"

# Code for 8.0 runs on 8.6 and 8.9 as well, code for 10.0 on 10.3, for 12.0 on 12.1. What nvcc does
# not know yet, or any more, is left to the driver.
devices="sm_75 sm_80 sm_90 sm_100 sm_120"

if ! command -v nvcc >/dev/null; then
  echo "SKIPPED, as there is no nvcc: PTX compiled beforehand"
  exit 0
fi

# A handler is compiled by the driver, which links it with its worker. Any other image has an entry.
mapfile -t images < <(find . -name '*.ptx' -exec grep -l '\.entry' {} +)
for image in "${images[@]}"; do
  name=${image%.ptx}
  compiled=$name.$(gzip -c "$image" | tail -c 8 | od -An -tx1 | tr -d ' ').fatbin
  [[ ! -f $compiled ]] || continue
  rm -f "$name".????????????????.fatbin
  target=$(sed -n 's/^\.target sm_\([0-9]*\).*/\1/p' "$image")
  code=$(nvcc --list-gpu-code | grep -Fxf <(tr ' ' '\n' <<<"$devices") | awk -F_ -v least="$target" '$2 >= least' | paste -sd,)
  # Complete before it has its name. What a worker declares as its handler is in another file.
  if grep -q '^\.visible \.func .*ringkernel_handle$' "$image"; then
    sed 's/^\.visible \(\.func .*ringkernel_handle\)$/.extern \1/' "$image" >"$compiled.tmp.ptx"
    nvcc --threads 0 -fatbin -rdc=true -gencode "arch=compute_$target,code=[$code]" "$compiled.tmp.ptx" -o "$compiled.tmp"
    rm "$compiled.tmp.ptx"
  else
    nvcc --threads 0 -fatbin -gencode "arch=compute_$target,code=[$code]" "$image" -o "$compiled.tmp"
  fi
  mv "$compiled.tmp" "$compiled"
done
