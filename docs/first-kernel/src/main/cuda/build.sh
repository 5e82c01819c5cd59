#!/bin/sh
# Compiles saxpy.cu, with the headers that the build has put into target/cuda.
set -e
cd "$(dirname "$0")/../../.."
mkdir -p target/classes/kernels
nvcc -std=c++17 -arch=compute_75 -rdc=true -ptx -I target/cuda/META-INF/ringkernel/include -I target/cuda \
	src/main/cuda/saxpy.cu -o target/cuda/saxpy.ptx
# nvcc names its own version of PTX, which only drivers as new as itself load; 8.4 is all that is needed.
sed 's/^\.version .*/.version 8.4/' target/cuda/saxpy.ptx >target/classes/kernels/saxpy.ptx
# What it compiles to, so that the driver need not compile it at each start.
cd target/classes/kernels
rm -f saxpy.*.fatbin
nvcc -fatbin -gencode 'arch=compute_75,code=[sm_75,sm_80,sm_90]' saxpy.ptx \
	-o "saxpy.$(gzip -c saxpy.ptx | tail -c 8 | od -An -tx1 | tr -d ' ').fatbin"
