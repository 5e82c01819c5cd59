#!/usr/bin/env bash
# Runs the tests and benchmarks of the bundle that it lies in.
#
#   run.sh OUT [step …]     steps: smoke launch tests sample eventdriven bridged isolated switchover soak faults chaos wsl2 sanitizer fuzz handlers vectors bench curve turns isolation store replicas many models embedding grid; default: all but
#                         curve, which bench has, turns, isolation, store, many, models, embedding, grid, and replicas, which needs two devices
#
# Each step has a JVM of its own, a log OUT/STEP.log, and a limit in seconds (LIMIT_STEP, such as LIMIT_soak=300). The
# soak sends SOAK_MESSAGES (100000000), the fuzzer of handlers FUZZ_CASES (1000000); BENCHMARKS chooses benchmarks, such as "activation round-trips erased wait rates streams idle", CURVE parts of the curve, such as "vector-add";
# SANITIZERS chooses tools (memcheck synccheck racecheck); SAMPLE_PLAN is how the sample's kernels are expected to be run
# (cuda/persistent/mapped), NEIGHBOURS_PLAN its nearest-neighbours if otherwise; OTHER is the folder of another bundle, with which turns compares this one; turns and isolation take TURNS turns (5), the faults of replicas (3). The
# last lines are a table of the steps.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: run.sh OUT [step …]}
shift
steps=("$@")
if [[ ${#steps[@]} -eq 0 ]]; then
	steps=(smoke launch tests sample eventdriven bridged isolated switchover soak faults chaos wsl2 sanitizer fuzz handlers vectors bench)
fi
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$here"

# The images of the tests and those of the benchmarks have the same names: the first on the path is taken.
classes=classes/ringkernel-cuda.jar:classes/ringkernel-cuda-tests.jar:classes/ringkernel-compiler.jar:classes/ringkernel-compiler-tests.jar:classes/ringkernel-core.jar:classes/ringkernel-core-tests.jar:classes/ringkernel-ptx-machine.jar:classes/ringkernel-ptx-machine-tests.jar
benchmarks=classes/benchmark-images.jar:classes/ringkernel-benchmarks-tests.jar
libraries=$(find lib -name '*.jar' | sort | tr '\n' ':')
java=(runtime/bin/java -Xms1g -Xmx6g -XX:MaxDirectMemorySize=8g)
# JDK 24 and later ask for it.
if runtime/bin/java --enable-native-access=ALL-UNNAMED -version >/dev/null 2>&1; then
	java+=(--enable-native-access=ALL-UNNAMED)
fi

junit() { # options of JUnit's console launcher
	"${java[@]}" "-Dringkernel.soak.messages=${SOAK_MESSAGES:-100000000}" -cp "$classes:$libraries" \
		org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --include-tag gpu --details tree \
		--details-theme ascii --include-classname '.*Tests' "$@"
}
export -f junit

run_smoke() { junit --select-class io.ringkernel.cuda.CudaSmokeTests; }
run_launch() {
	junit --select-class io.ringkernel.cuda.CudaLaunchTests --select-class io.ringkernel.cuda.CudaSideBySideTests \
		--select-class io.ringkernel.cuda.CudaCooperativeTests --select-class io.ringkernel.cuda.CudaCoResidencyTests \
		--select-class io.ringkernel.cuda.CudaOwnContextTests --select-class io.ringkernel.cuda.CudaSeveralDevicesTests \
		--select-class io.ringkernel.cuda.CudaDeviceMemoryTests --select-class io.ringkernel.cuda.CudaDriverFactsTests \
		--select-class io.ringkernel.cuda.CudaSnapshotTests --select-class io.ringkernel.cuda.IsolatedCudaSnapshotTests
}
# The sample as it is deployed, which takes the device because it is there, from its start to its end over HTTP.
run_sample() {
	runtime/bin/java "-Dringkernel.sample.jar=$here/sample/sample-app.jar" \
		"-Dringkernel.sample.plan=${SAMPLE_PLAN:-cuda/persistent/mapped}" \
		"-Dringkernel.sample.neighbours-plan=${NEIGHBOURS_PLAN:-${SAMPLE_PLAN:-cuda/persistent/mapped}}" \
		-cp "classes/sample-app-tests.jar:sample/lib/*:$libraries" \
		org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --details verbose \
		--details-theme ascii --include-classname '.*IT' --select-class io.ringkernel.sample.packaging.SampleProcessIT \
		--select-class io.ringkernel.sample.packaging.KeptVectorsIT
}
run_tests() {
	junit --select-class io.ringkernel.cuda.CudaConformanceTests --select-class io.ringkernel.cuda.CudaLinkedConformanceTests
}
run_eventdriven() { junit --select-class io.ringkernel.cuda.CudaEventDrivenConformanceTests; }
run_bridged() { junit --select-class io.ringkernel.cuda.CudaEventDrivenBridgedConformanceTests; }
# The suites of all plans with the device in a kernel host.
run_isolated() {
	junit --select-class io.ringkernel.cuda.IsolatedCudaConformanceTests \
		--select-class io.ringkernel.cuda.IsolatedCudaEventDrivenConformanceTests \
		--select-class io.ringkernel.cuda.IsolatedCudaEventDrivenBridgedConformanceTests \
		--select-class io.ringkernel.cuda.IsolatedCudaCooperativeTests
}
# From persistent to event-driven under load, which is to cost nobody more than 50 ms.
run_switchover() {
	java+=(-Dringkernel.switch-over.rounds=10 -Dringkernel.switch-over.limit-millis=50)
	junit --select-class io.ringkernel.cuda.CudaSwitchOverTests
}
run_soak() { junit --select-class io.ringkernel.cuda.CudaSoakTests; }
run_faults() { junit --select-class io.ringkernel.cuda.CudaFaultTests; }
# Each fault CHAOS_ROUNDS times under load, and CHAOS_FAULTS one after the other: what they cost callers is in OUT/chaos.md.
run_chaos() {
	local code
	java+=("-Dringkernel.chaos.rounds=${CHAOS_ROUNDS:-10}" "-Dringkernel.chaos.faults=${CHAOS_FAULTS:-6}")
	junit --select-class io.ringkernel.cuda.CudaChaosTests --select-class io.ringkernel.cuda.IsolatedImagesTests
	code=$?
	{
		echo "| Fault | Times | Longest call | Seen after | Back on the device after | Lost | Replayed |"
		echo "|---|---|---|---|---|---|---|"
		sed -n "s/^chaos | /| /p" "$out/chaos.log"
	} >"$out/chaos.md"
	return $code
}
# What WSL2 cannot do is imposed on the driver, for the plan that is chosen there.
run_wsl2() {
	export LD_PRELOAD=$here/libringkernel-interposer.so RINGKERNEL_INTERPOSED_PLATFORM=wsl2
	"${java[@]}" -cp "$classes:$libraries" io.ringkernel.cuda.PlatformProcess 2000 | tee "$out/wsl2-platform.log"
	grep -q "host memory cannot be mapped" "$out/wsl2-platform.log" || return 1
	junit --select-class io.ringkernel.cuda.CudaEventDrivenBridgedConformanceTests
}
# Every kernel that is built in: those of the tests and the sample from C++, through cases that last seconds, and those
# of the benchmarks from Java. What racecheck reports is shown and fails nothing: workers of a block look at words of
# shared memory that others write, which is how they agree on who may poll.
run_sanitizer() {
	if ! command -v compute-sanitizer >/dev/null; then
		echo "SKIPPED: there is no compute-sanitizer on the path"
		return 0
	fi
	local tool code failed=0
	for tool in ${SANITIZERS:-memcheck synccheck racecheck}; do
		echo "-- $tool: kernels of the tests and the sample"
		compute-sanitizer --tool "$tool" --error-exitcode 99 ./ring_test images "" 1
		code=$?
		echo "-- $tool: rc $code"
		[[ $code -eq 0 || $tool == racecheck ]] || failed=1
		[[ $tool == racecheck ]] && continue
		echo "-- $tool: kernels of the benchmarks"
		compute-sanitizer --tool "$tool" --error-exitcode 99 "${java[@]}" -cp "$benchmarks:$classes:$libraries" \
			org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --include-tag gpu \
			--details tree --details-theme ascii --select-class io.ringkernel.benchmarks.gpu.BenchmarkKernelsTests
		code=$?
		echo "-- $tool: rc $code"
		[[ $code -eq 0 ]] || failed=1
	done
	return $failed
}
# Every size from 16 B to 16 MiB beside the usual way, and the floor of the same machine.
run_curve() {
	local failed=0
	./baseline images baseline.ptx bus | tee "$out/curve-floor.jsonl" || failed=1
	# Each response is an array of its own: the first pass over a heap that was not touched measures page faults.
	"${java[@]}" -Xms6g -XX:+AlwaysPreTouch -cp "$benchmarks:$classes:$libraries" \
		io.ringkernel.benchmarks.gpu.CurveBenchmark "$out/curve.jsonl" ${CURVE:-} || failed=1
	return $failed
}
# A loop of one worker, and one that all workers of the kernel share.
run_grid() {
	"${java[@]}" -cp "$benchmarks:$classes:$libraries" io.ringkernel.benchmarks.gpu.GridLoopBenchmark "$out/grid.jsonl"
}
# Generated handlers, as the device answers and as Java does.
run_fuzz() {
	java+=("-Dringkernel.fuzz.device-cases=${FUZZ_CASES:-1000000}")
	junit --select-class io.ringkernel.test.ptx.fuzz.CudaHandlerFuzzTests
}
# Handlers in Java beside the same written in CUDA C++: what a call of them takes, then what they take without a ring. Each
# ends with a table.
run_handlers() {
	local failed=0
	"${java[@]}" -XX:+AlwaysPreTouch -cp "$benchmarks:$classes:$libraries" \
		io.ringkernel.benchmarks.gpu.HandlerCallBenchmark "$out/handler-calls.jsonl" || failed=1
	"${java[@]}" -cp "$benchmarks:$classes:$libraries" io.ringkernel.benchmarks.gpu.HandlerBenchmark "$out/handlers.jsonl" || failed=1
	return $failed
}
# The vector store of Spring AI without an embedding model, beside what the device takes to copy as many bytes. VECTORS is the
# number of documents of the larger store.
run_vectors() {
	local vectors=${VECTORS:-1000000} copied
	local store=classes/ringkernel-spring-ai-tests.jar:classes/ringkernel-spring-ai.jar:vectors/*
	copied=$("${java[@]}" -cp "$store:$classes:$libraries" io.ringkernel.spring.ai.DeviceCopy $((vectors * 384 * 4))) || return 1
	echo "device copy: $copied GB/s read and written"
	"${java[@]}" -XX:+UseParallelGC -cp "$store:$classes:$libraries:sample/lib/*" \
		io.ringkernel.spring.ai.DeviceSearchBenchmark "$out/vectors.jsonl" "$copied" "$vectors"
}
# What a kernel host costs the vector store, and how soon it answers after a fault: a JVM with one after a JVM without.
run_store() {
	local store=classes/ringkernel-spring-ai-tests.jar:classes/ringkernel-spring-ai.jar:vectors/*
	local isolation size failed=0
	for size in "100000 1024" "1000000 384"; do
		for isolation in none process; do
			# shellcheck disable=SC2086 # Documents and dimensions are two arguments.
			"${java[@]}" -XX:+UseParallelGC -cp "$store:$classes:$libraries:sample/lib/*" \
				io.ringkernel.spring.ai.StoreIsolationBenchmark "$out/store-${size// /x}-$isolation.jsonl" "$isolation" $size || failed=1
		done
	done
	return $failed
}
# What a call of 64 B takes beside another build: a JVM of the one after a JVM of the other, because a host's pace changes.
run_turns() {
	local build folder turn failed=0 other=${OTHER:?the folder of another bundle}
	rm -f "$out"/turn-*.jsonl
	for turn in $(seq "${TURNS:-5}"); do
		for build in this other; do
			folder=$([[ $build == this ]] && echo "$here" || echo "$other")
			"${java[@]}" -XX:+AlwaysPreTouch -Dringkernel.bench.seconds=1 \
				-cp "$folder/classes/benchmark-images.jar:$here/classes/ringkernel-benchmarks-tests.jar:${classes//classes\//$folder/classes/}:$libraries" \
				io.ringkernel.benchmarks.gpu.TurnBenchmark "$out/turn-$turn-$build.jsonl" "$build" || failed=1
		done
	done
	# Without a device there is nothing to compare.
	[[ -e $out/turn-1-this.jsonl ]] || return $failed
	awk -v first=this -v second=other -f turns.awk "$out"/turn-*.jsonl || failed=1
	return $failed
}
# What a process of its own for the device costs: a JVM with it after a JVM without.
run_isolation() {
	local isolation turn failed=0
	rm -f "$out"/isolation-*.jsonl
	for turn in $(seq "${TURNS:-5}"); do
		for isolation in process none; do
			"${java[@]}" -XX:+AlwaysPreTouch -Dringkernel.bench.seconds=1 -cp "$benchmarks:$classes:$libraries" \
				io.ringkernel.benchmarks.gpu.IsolationBenchmark "$out/isolation-$turn-$isolation.jsonl" "$isolation" || failed=1
		done
	done
	awk -v first=process -v second=none -f turns.awk "$out"/isolation-*.jsonl || failed=1
	return $failed
}
# How long seven kernels take to start, and what 1 to 256 kernels of one application cost each other, with default options. With OTHER, this build and that one by turns.
run_many() {
	local mode build folder failed=0
	rm -f "$out"/many-*.jsonl
	"${java[@]}" -XX:+AlwaysPreTouch -cp "$benchmarks:$classes:$libraries" \
		io.ringkernel.benchmarks.gpu.StartOfManyBenchmark "$out/many-start.jsonl" || failed=1
	for mode in auto event-driven; do
		for build in this ${OTHER:+other}; do
			folder=$([[ $build == this ]] && echo "$here" || echo "$OTHER")
			"${java[@]}" -XX:+AlwaysPreTouch \
				-cp "$folder/classes/benchmark-images.jar:$here/classes/ringkernel-benchmarks-tests.jar:${classes//classes\//$folder/classes/}:$libraries" \
				io.ringkernel.benchmarks.gpu.ManyKernelsBenchmark "$out/many-$mode-$build.jsonl" "$build" "$mode" || failed=1
		done
	done
	return $failed
}
# Two devices of one application beside one of them: a replica on each. Then a fault on the first of them under load, each in a
# kernel host: in the application, it would end the use of both. What the router costs a call is the difference to unrouted, by
# one thread and by eight.
run_replicas() {
	local failed=0 turn
	rm -f "$out"/replicas-*.jsonl
	junit --select-class io.ringkernel.cuda.CudaSeveralDevicesTests || failed=1
	"${java[@]}" -XX:+AlwaysPreTouch -cp "$benchmarks:$classes:$libraries" \
		io.ringkernel.benchmarks.gpu.ReplicasBenchmark "$out/replicas-echo.jsonl" || failed=1
	for turn in $(seq "${TURNS:-3}"); do
		"${java[@]}" -XX:+AlwaysPreTouch -cp "$benchmarks:$classes:$libraries" \
			io.ringkernel.benchmarks.gpu.ReplicaFaultBenchmark "$out/replicas-fault-$turn.jsonl" || failed=1
	done
	for turn in 1 8; do
		runtime/bin/java -jar benchmarks.jar RoutingBenchmark -t $turn -prof gc -rf json -rff "$out/routing-$turn.json" \
			>"$out/routing-$turn.log" || failed=1
		echo "$turn threads"
		grep -E '^RoutingBenchmark.*(ns/op|B/op)' "$out/routing-$turn.log"
	done
	# Without two devices there is nothing to compare.
	[[ -s $out/replicas-echo.jsonl ]] || return $failed
	awk -v first=two -v second=one -f turns.awk "$out/replicas-echo.jsonl" || failed=1
	awk -v first=single -v second=plain -f turns.awk "$out/replicas-echo.jsonl" || failed=1
	echo "a fault on the other device"
	awk -v first=after -v second=before -f turns.awk "$out"/replicas-fault-*.jsonl || failed=1
	grep -h of-the-router "$out"/replicas-fault-*.jsonl
	return $failed
}
run_embedding() {
	"${java[@]}" -cp "classes/ringkernel-spring-ai-tests.jar:classes/ringkernel-spring-ai.jar:vectors/*:$classes:$libraries:sample/lib/*" \
		io.ringkernel.spring.ai.embedding.EncoderBenchmark
}
# Ensembles of trees: one row and batches, on the device, on the CPU, by XGBoost and by LightGBM. The log is a table.
run_models() {
	# A host without a compiler may lack the library of OpenMP.
	ldconfig -p | grep 'libgomp\.so\.1' >/dev/null || export LD_LIBRARY_PATH=$here/models
	"${java[@]}" -XX:+AlwaysPreTouch "-Dringkernel.bench.backends=${MODELS_BACKENDS:-cuda,cpu}" \
		"-Dringkernel.bench.seconds=${MODELS_SECONDS:-1}" \
		-cp "classes/ringkernel-models-tests.jar:classes/ringkernel-models.jar:$classes:$libraries:sample/lib/*:models/*" \
		io.ringkernel.models.ModelsBenchmark "$out/models.jsonl"
}
is_chosen() { [[ -z ${BENCHMARKS:-} || " $BENCHMARKS " == *" $1 "* ]]; }
run_bench() {
	local failed=0
	if is_chosen activation; then
		# As on a new machine: what the driver compiles, it has not kept from an earlier run.
		for run in 1 2 3 calls handler-1 handler-2 handler-3 handler-calls; do
			CUDA_CACHE_DISABLE=1 "${java[@]}" -cp "$benchmarks:$classes:$libraries" \
				io.ringkernel.benchmarks.gpu.ActivationBenchmark "$out/activation-$run.jsonl" "$run" || failed=1
		done
	fi
	"${java[@]}" -XX:+AlwaysPreTouch -cp "$benchmarks:$classes:$libraries" \
		io.ringkernel.benchmarks.gpu.GpuBenchmark "$out/benchmark.jsonl" ${BENCHMARKS:-} || failed=1
	if is_chosen modes; then
		./baseline images baseline.ptx launches | tee "$out/baseline.jsonl" || failed=1
		"${java[@]}" -XX:+AlwaysPreTouch -cp "$benchmarks:$classes:$libraries" \
			io.ringkernel.benchmarks.gpu.ModeBenchmark "$out/modes.jsonl" || failed=1
		awk -f modes.awk "$out/baseline.jsonl" "$out/modes.jsonl" | tee "$out/modes.txt"
		# The same measures on what WSL2 leaves of this driver: copies through pageable memory, nothing beside a kernel.
		LD_PRELOAD=$here/libringkernel-interposer.so RINGKERNEL_INTERPOSED_PLATFORM=wsl2 "${java[@]}" -XX:+AlwaysPreTouch \
			-cp "$benchmarks:$classes:$libraries" \
			io.ringkernel.benchmarks.gpu.ModeBenchmark "$out/modes-wsl2.jsonl" event-driven/bridged || failed=1
	fi
	if is_chosen curve; then
		run_curve || failed=1
	fi
	if is_chosen metrics; then
		runtime/bin/java -jar benchmarks.jar MetricsBenchmark -prof gc -rf json -rff "$out/metrics.json" | tee "$out/metrics.log" || failed=1
		grep '^MetricsBenchmark.call ' "$out/metrics.log"
	fi
	if is_chosen wait; then
		"${java[@]}" -cp "$benchmarks:$classes:$libraries" io.ringkernel.benchmarks.gpu.WaitBenchmark "$out/wait.jsonl" || failed=1
	fi
	if is_chosen rates; then
		# The ring in C++ before and behind the one in Java: a host's pace changes from minute to minute.
		for run in 1 2; do
			./baseline images baseline.ptx ring | tee "$out/ring-$run.jsonl" || failed=1
			[[ $run == 2 ]] || "${java[@]}" -XX:+AlwaysPreTouch -cp "$benchmarks:$classes:$libraries" \
				io.ringkernel.benchmarks.gpu.RatesBenchmark "$out/rates.jsonl" || failed=1
		done
	fi
	if is_chosen streams; then
		runtime/bin/java -jar benchmarks.jar StreamBenchmark -rf json -rff "$out/streams.json" | tee "$out/streams.log" || failed=1
	fi
	if is_chosen idle; then
		"${java[@]}" -cp "$benchmarks:$classes:$libraries" \
			io.ringkernel.benchmarks.gpu.IdleBenchmark "$out/idle.jsonl" || failed=1
	fi
	return $failed
}

declare -A limits=([smoke]=120 [launch]=300 [tests]=600 [sample]=180 [eventdriven]=600 [bridged]=600 [isolated]=900 [switchover]=120 [soak]=900 [faults]=120 [chaos]=120 [wsl2]=600 [sanitizer]=600 [fuzz]=600 [handlers]=120 [vectors]=300 [bench]=900 [replicas]=240 [many]=300 [models]=420 [embedding]=300)
table=()
failed=0
for step in "${steps[@]}"; do
	limit_name="LIMIT_$step"
	limit=${!limit_name:-${limits[$step]:-600}}
	begin=$(date +%s)
	echo "== $step (at most $limit s)"
	(
		"run_$step" &
		pid=$!
		(
			sleep "$limit"
			echo "TIMED OUT after $limit s"
			for child in $(pgrep -P "$pid") "$pid"; do
				kill -QUIT "$child" 2>/dev/null
			done
			sleep 2
			for child in $(pgrep -P "$pid") "$pid"; do
				kill -KILL "$child" 2>/dev/null
			done
		) &
		watch=$!
		wait "$pid"
		code=$?
		kill "$watch" 2>/dev/null
		exit $code
	) >"$out/$step.log" 2>&1
	code=$?
	seconds=$(($(date +%s) - begin))
	summary=$(grep -hoE '[0-9]+ tests (successful|failed|skipped)' "$out/$step.log" | tr '\n' ' ')
	disabled=$(grep -cE '\[S\]' "$out/$step.log")
	[[ $disabled -gt 0 ]] && summary+="($disabled containers or tests skipped) "
	grep -q '^SKIPPED' "$out/$step.log" && summary="skipped"
	[[ $code -ne 0 ]] && failed=1
	table+=("$(printf '%-10s %-6s %5d s  %s' "$step" "$([[ $code -eq 0 ]] && echo ok || echo "rc $code")" "$seconds" "$summary")")
	[[ $code -ne 0 ]] && tail -n 40 "$out/$step.log"
done
echo
cat commit 2>/dev/null
command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
cat "$out/chaos.md" 2>/dev/null
printf '%s\n' "${table[@]}" | tee "$out/table.txt"
exit $failed
