#!/usr/bin/env bash
# Draws the pictures of docs from the newest results of each kind. Needs a JDK.
set -euo pipefail
cd "$(dirname "$0")/.."
javac -d target/pictures -sourcepath ringkernel-benchmarks/src/test/java \
	ringkernel-benchmarks/src/test/java/io/ringkernel/benchmarks/picture/Pictures.java
java -cp target/pictures io.ringkernel.benchmarks.picture.Pictures
