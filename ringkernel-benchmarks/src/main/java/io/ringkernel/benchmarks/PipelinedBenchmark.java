package io.ringkernel.benchmarks;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.ringkernel.ring.WaitStrategy;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Round trips of 64 bytes a microsecond with {@value Payloads#COUNT} in flight: one
 * thread sends a request and, once the window is full, takes the oldest response.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 3,
		jvmArgsAppend = { "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "-Xms512m", "-Xmx512m",
				"-XX:+AlwaysPreTouch" })
@Warmup(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class PipelinedBenchmark {

	@Benchmark
	public void ringKernelSubmit(RingKernelState state) {
		Payload request = state.payloads.next();
		state.window.add(state.echo.client().submit(request));
		if (state.window.size() == Payloads.COUNT) {
			Payload response = state.window.remove().join();
			state.payloads.at(state.taken++).verify(response);
		}
	}

	@Benchmark
	@OperationsPerInvocation(Payloads.COUNT)
	public List<Payload> ringKernelCallAll(RingKernelState state) {
		List<Payload> responses = state.echo.client().callAll(state.batch);
		for (int i = 0; i < Payloads.COUNT; i++) {
			state.batch.get(i).verify(responses.get(i));
		}
		return responses;
	}

	@Benchmark
	public void disruptor(DisruptorState state) {
		state.echo.send(state.payloads.next());
		if (state.inFlight < Payloads.COUNT - 1) {
			state.inFlight++;
		}
		else {
			state.echo.receive(state.payloads.at(state.taken++));
		}
	}

	@Benchmark
	public void agrona(AgronaState state) {
		state.echo.send(state.payloads.next());
		if (state.inFlight < Payloads.COUNT - 1) {
			state.inFlight++;
		}
		else {
			state.echo.receive(state.payloads.at(state.taken++));
		}
	}

	/** The CPU backend. Its delivery thread completes the futures: the third thread. */
	@State(Scope.Thread)
	@SuppressWarnings("NullAway.Init")
	public static class RingKernelState {

		final Payloads payloads = new Payloads();

		final List<Payload> batch = List.of(Payload.distinct(Payloads.COUNT));

		final ArrayDeque<CompletableFuture<Payload>> window = new ArrayDeque<>(Payloads.COUNT);

		RingKernelEcho<Payload> echo;

		long taken;

		@Setup
		public void open() {
			this.echo = RingKernelEcho.payloads(WaitStrategy.BACK_OFF);
		}

		@TearDown
		public void close() {
			this.window.forEach(CompletableFuture::join);
			this.echo.close();
		}

	}

	/** The Disruptor. */
	@State(Scope.Thread)
	@SuppressWarnings("NullAway.Init")
	public static class DisruptorState {

		final Payloads payloads = new Payloads();

		DisruptorEcho echo;

		int inFlight;

		long taken;

		@Setup
		public void open() {
			this.echo = new DisruptorEcho(DisruptorWait.BUSY_SPIN);
		}

		@TearDown
		public void close() throws InterruptedException {
			this.echo.close();
		}

	}

	/** Agrona. */
	@State(Scope.Thread)
	@SuppressWarnings("NullAway.Init")
	public static class AgronaState {

		final Payloads payloads = new Payloads();

		AgronaEcho echo;

		int inFlight;

		long taken;

		@Setup
		public void open() {
			this.echo = new AgronaEcho();
		}

		@TearDown
		public void close() {
			this.echo.close();
		}

	}

}
