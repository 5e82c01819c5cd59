package io.ringkernel.benchmarks;

import java.util.concurrent.TimeUnit;

import io.ringkernel.ring.WaitStrategy;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One request of 64 bytes, echoed by one other thread, and its response: the time from
 * the call to the checked response, one request at a time.
 */
@BenchmarkMode({ Mode.AverageTime, Mode.SampleTime })
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3,
		jvmArgsAppend = { "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "-Xms512m", "-Xmx512m",
				"-XX:+AlwaysPreTouch" })
@Warmup(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class RoundTripBenchmark {

	@Benchmark
	public Payload ringKernel(RingKernelState state) {
		Payload request = state.payloads.next();
		Payload response = state.echo.client().call(request);
		request.verify(response);
		return response;
	}

	@Benchmark
	public void disruptor(DisruptorState state) {
		Payload request = state.payloads.next();
		state.echo.send(request);
		state.echo.receive(request);
	}

	@Benchmark
	public void agrona(AgronaState state) {
		Payload request = state.payloads.next();
		state.echo.send(request);
		state.echo.receive(request);
	}

	/** The CPU backend. */
	@State(Scope.Thread)
	@SuppressWarnings("NullAway.Init")
	public static class RingKernelState {

		@Param({ "BUSY_SPIN", "BACK_OFF" })
		WaitStrategy wait;

		final Payloads payloads = new Payloads();

		RingKernelEcho<Payload> echo;

		@Setup
		public void open() {
			this.echo = RingKernelEcho.payloads(this.wait);
		}

		@TearDown
		public void close() {
			this.echo.close();
		}

	}

	/** The Disruptor. */
	@State(Scope.Thread)
	@SuppressWarnings("NullAway.Init")
	public static class DisruptorState {

		@Param({ "BUSY_SPIN", "YIELDING" })
		DisruptorWait wait;

		final Payloads payloads = new Payloads();

		DisruptorEcho echo;

		@Setup
		public void open() {
			this.echo = new DisruptorEcho(this.wait);
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
