#!/usr/bin/env bash
# Makes a folder that runs the GPU tests, the benchmarks and the sample on a host with an NVIDIA driver and nothing else:
# no JDK, no Maven, no network. Needs a JDK 17 or later with jlink, g++, nvcc and the headers of CUDA here.
#
#   native/gpu/bundle.sh [folder]      default: target/gpu-bundle
#
# Beside the folder lies its archive, folder.tar.xz, to carry; ARCHIVE=no leaves that out, and MACHINE_CODE=no that of the
# benchmarks, which the driver then compiles.
set -euo pipefail
cd "$(dirname "$0")/../.."
bundle=$(realpath -m "${1:-target/gpu-bundle}")
work=target/gpu-bundle-work
java_home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}

rm -rf "$bundle" "$work"
mkdir -p "$bundle/lib" "$bundle/classes" "$work"

# Each module's class path lies in its target/classpath.txt.
./mvnw -q -pl ringkernel-cuda,ringkernel-ptx-machine,samples/app,ringkernel-benchmarks,ringkernel-spring-ai,ringkernel-models -am \
	-DskipTests -Dcompile-ptx.skip=false package org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
	-Dmdep.outputFile=target/classpath.txt -Dmdep.includeScope=test

# Copies libraries of a module's class path, each by the name of its artifact.
copy_libraries() { # module, folder, artifacts…
	local classpath=$1/target/classpath.txt folder=$2 artifact library
	shift 2
	mkdir -p "$folder"
	for artifact in "$@"; do
		library=$(tr ':' '\n' <"$classpath" | grep -E "/$artifact/[^/]*/[^/]*\.jar$") ||
			{ echo "$classpath has no $artifact" >&2 && exit 1; }
		cp "$library" "$folder/"
	done
}

# What the index of the vector store loads and the sample does not have.
copy_libraries ringkernel-spring-ai "$bundle/vectors" spring-ai-commons spring-ai-vector-store h2-mvstore
# The libraries that the benchmark of tree models trains with and measures, and what they are linked with.
copy_libraries ringkernel-models "$bundle/models" xgboost4j_2.12 lightgbm4j kryo minlog reflectasm objenesis
cp -L "$(g++ -print-file-name=libgomp.so.1)" "$bundle/models/"

# Directories of the reactor become jars of the same content; what JUnit consists of comes as one jar below.
junit=""
while read -r entry || [[ -n $entry ]]; do
	case $entry in
	*/junit-jupiter-engine-*.jar)
		junit=$(basename "$entry" .jar)
		junit=${junit#junit-jupiter-engine-}
		;;
	*/junit-*.jar | */opentest4j-*.jar | */apiguardian-*.jar | */archunit*.jar | */ringkernel-*.jar) ;;
	*.jar) cp "$entry" "$bundle/lib/" ;;
	esac
done < <(tr ':' '\n' <ringkernel-cuda/target/classpath.txt)

for module in ringkernel-core ringkernel-compiler ringkernel-cuda ringkernel-ptx-machine; do
	"$java_home/bin/jar" --create --file "$bundle/classes/$module.jar" -C "$module/target/classes" .
	"$java_home/bin/jar" --create --file "$bundle/classes/$module-tests.jar" -C "$module/target/test-classes" .
done
"$java_home/bin/jar" --create --file "$bundle/classes/sample-app-tests.jar" -C samples/app/target/test-classes io
"$java_home/bin/jar" --create --file "$bundle/classes/ringkernel-benchmarks-tests.jar" -C ringkernel-benchmarks/target/test-classes io
"$java_home/bin/jar" --create --file "$bundle/classes/ringkernel-spring-ai.jar" -C ringkernel-spring-ai/target/classes io
"$java_home/bin/jar" --create --file "$bundle/classes/ringkernel-spring-ai-tests.jar" -C ringkernel-spring-ai/target/test-classes io
"$java_home/bin/jar" --create --file "$bundle/classes/ringkernel-models.jar" -C ringkernel-models/target/classes io
"$java_home/bin/jar" --create --file "$bundle/classes/ringkernel-models-tests.jar" -C ringkernel-models/target/test-classes io
# The sample as it is deployed.
"$java_home/bin/java" -Djarmode=tools -jar samples/app/target/sample-app.jar extract --destination "$bundle/sample"
native/build.sh --benchmark
cp -r native/target/benchmark/kernels "$work/"
[[ ${MACHINE_CODE:-yes} == no ]] || native/compile-ptx.sh "$work/kernels"
"$java_home/bin/jar" --create --file "$bundle/classes/benchmark-images.jar" -C "$work" kernels

# For what is measured without a device, and better on a host that has cores to spare.
cp ringkernel-benchmarks/target/benchmarks.jar "$bundle/"

./mvnw -q -N org.apache.maven.plugins:maven-dependency-plugin:copy -DoutputDirectory="$bundle/lib" \
	-Dartifact="org.junit.platform:junit-platform-console-standalone:$junit"

# Jars repeat each other: uncompressed they let the archive find it. The compiler of PTX is for machines without a GPU, and
# nothing here runs on Windows, macOS or ARM.
"$java_home/bin/java" native/gpu/StoredJars.java "$bundle" \
	'.*/libJNvPTXCompiler-.*|.*-windows-x86_64\.dll|(lib|lightgbm4j)/(.*/aarch64|macos|osx|windows)/.*'

# Of these, the sample needs java.beans and what jdeps finds in its libraries, and the fuzzer of handlers a compiler.
"$java_home/bin/jlink" --add-modules java.base,java.compiler,java.desktop,java.instrument,java.logging,java.management,java.naming,java.net.http,java.prefs,java.scripting,java.security.jgss,java.sql,java.xml,jdk.compiler,jdk.httpserver,jdk.jfr,jdk.management,jdk.unsupported,jdk.zipfs \
	--strip-debug --no-header-files --no-man-pages --output "$bundle/runtime"
# The archive of its own classes, which a JDK comes with: without, each process starts slower.
"$bundle/runtime/bin/java" -Xshare:dump >/dev/null

# The device half from C++, for compute-sanitizer: where it finds the images is as in the repository.
cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
[[ -f $cuda/include/cuda.h ]] || cuda=/usr/local/cuda
g++ -std=c++17 -O2 -pthread -static-libstdc++ -static-libgcc -Inative/include -Inative/test -I"$cuda/include" \
	native/test/ring_test.cpp -o "$bundle/ring_test" -ldl
g++ -std=c++17 -O3 -pthread -static-libstdc++ -static-libgcc -Inative/include -Inative/test -I"$cuda/include" \
	native/bench/baseline.cpp -o "$bundle/baseline" -ldl
nvcc -std=c++17 -arch=compute_75 -rdc=true -ptx -Inative/include native/bench/baseline.cu -o "$bundle/baseline.ptx"
for images in ringkernel-cuda/src/main/resources/io/ringkernel/cuda/kernels ringkernel-cuda/src/test/resources/kernels \
	ringkernel-cuda/src/test/resources/kernels/handlers native/target/{benchmark,inlined}/kernels; do
	mkdir -p "$bundle/images/$images"
	cp "$images"/*.ptx "$bundle/images/$images/"
done

cp native/gpu/run.sh native/gpu/modes.awk native/gpu/turns.awk "$bundle/"
native/interposer/build.sh "$bundle"
git rev-parse HEAD >"$bundle/commit"
if [[ ${ARCHIVE:-yes} == yes ]]; then
	# What repeats lies far apart.
	tar -C "$(dirname "$bundle")" -c "$(basename "$bundle")" | xz -T0 --lzma2=preset=4,dict=64MiB >"$bundle.tar.xz"
	du -sh "$bundle" "$bundle.tar.xz"
fi
