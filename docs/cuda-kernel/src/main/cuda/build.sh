#!/bin/sh
# Compiles saxpy.cu, with the headers that the build has put into target/cuda. The image is kept
# beside the sources, so that a machine without nvcc builds the application as well.
set -e
cd "$(dirname "$0")/../../.."
mkdir -p src/main/resources/kernels target/classes/kernels
nvcc -std=c++17 -arch=compute_75 -rdc=true -ptx -I target/cuda/META-INF/ringkernel/include -I target/cuda \
	src/main/cuda/saxpy.cu -o target/cuda/saxpy.ptx
# nvcc states its own version of PTX, which only drivers as new as itself load; 8.4 is all that is needed.
# Comments name the build of nvcc.
sed -e 's/^\.version .*/.version 8.4/' -e '/^\/\//d' -e '/./,$!d' target/cuda/saxpy.ptx >src/main/resources/kernels/saxpy.ptx
cp src/main/resources/kernels/saxpy.ptx target/classes/kernels/saxpy.ptx
# What it compiles to, so that the driver need not compile it at each start.
cd target/classes/kernels
rm -f saxpy.*.fatbin
nvcc -fatbin -gencode 'arch=compute_75,code=[sm_75,sm_80,sm_90]' saxpy.ptx \
	-o "saxpy.$(gzip -c saxpy.ptx | tail -c 8 | od -An -tx1 | tr -d ' ').fatbin"
