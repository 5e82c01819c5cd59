#!/bin/sh
# Compiles saxpy.cu, with the headers that the build has put into target/cuda.
set -e
cd "$(dirname "$0")/../../.."
mkdir -p target/classes/kernels
nvcc -std=c++17 -arch=compute_75 -rdc=true -ptx -I target/cuda/META-INF/ringkernel/include -I target/cuda \
	src/main/cuda/saxpy.cu -o target/cuda/saxpy.ptx
# nvcc names its own version of PTX, which only drivers as new as itself load; 8.4 is all that is needed.
sed 's/^\.version .*/.version 8.4/' target/cuda/saxpy.ptx >target/classes/kernels/saxpy.ptx
