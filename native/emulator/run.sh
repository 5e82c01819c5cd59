#!/bin/bash
# Runs a command on the emulated driver, built if need be.
#
#   run.sh [--platform NAME] COMMAND …      NAME: as README.md lists them; default: native-linux
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [[ ${1:-} == --platform ]]; then
  export RINGKERNEL_EMULATED_PLATFORM=$2
  shift 2
fi
"$here/build.sh"
export LD_LIBRARY_PATH=$here/target${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
exec "$@"
