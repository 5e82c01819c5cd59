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
 * What metrics cost a call: as good as nothing timed, one request in sixteen, and each,
 * recorded with percentile histograms as Prometheus gets them.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = { "-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch" })
@Warmup(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class MetricsBenchmark {

	@Benchmark
	public Payload call(MeteredState state) {
		Payload request = state.payloads.next();
		Payload response = state.echo.client().call(request);
		request.verify(response);
		return response;
	}

	/** The CPU backend with meters. */
	@State(Scope.Thread)
	@SuppressWarnings("NullAway.Init")
	public static class MeteredState {

		@Param({ "NONE", "ONE_IN_SIXTEEN", "EACH" })
		Timed timed;

		final Payloads payloads = new Payloads();

		RingKernelEcho<Payload> echo;

		@Setup
		public void open() {
			this.echo = RingKernelEcho.payloads(WaitStrategy.BUSY_SPIN);
			this.timed.apply(this.echo);
		}

		@TearDown
		public void close() {
			this.echo.close();
		}

	}

}
