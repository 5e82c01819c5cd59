package io.ringkernel.benchmarks;

import java.util.concurrent.TimeUnit;

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

import io.ringkernel.Frame;
import io.ringkernel.FrameStream;
import io.ringkernel.RequestStream;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.ring.WaitStrategy;

/**
 * Messages of 64 bytes a microsecond on streams: one thread sends
 * {@value StreamBenchmark#BURST} and then takes the responses to those before them, so up
 * to {@value Payloads#COUNT} are in flight. A sender that is further ahead would wait for
 * its receiver. The Disruptor publishes and takes them singly or in batches.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@OperationsPerInvocation(StreamBenchmark.BURST)
@Fork(value = 3, jvmArgsAppend = { "-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch" })
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class StreamBenchmark {

	/** How many messages are sent in a row. */
	static final int BURST = Payloads.COUNT / 2;

	@Benchmark
	public void singly(StreamState state) {
		int first = state.next();
		for (int i = first; i < first + BURST; i++) {
			state.stream.send(state.payloads[i]);
		}
		int responses = state.responses();
		for (int i = 0; i < responses; i++) {
			state.check(state.stream.receive());
		}
	}

	@Benchmark
	public void inRuns(StreamState state) {
		int first = state.next();
		state.stream.sendAll(state.payloads, first, first + BURST);
		int responses = state.responses();
		for (int taken = 0; taken < responses;) {
			taken += state.stream.drain(state::check, responses - taken);
		}
	}

	@Benchmark
	public void inFrames(FrameState state) {
		int first = state.next();
		state.fill(state.stream.request(), first);
		state.stream.send(BURST);
		if (state.responses() > 0) {
			state.check(state.stream.receive(), first ^ BURST);
		}
	}

	@Benchmark
	public void disruptorSingly(DisruptorState state) {
		int first = state.next();
		for (int i = first; i < first + BURST; i++) {
			state.echo.send(state.payloads[i]);
		}
		int responses = state.responses();
		for (int i = 0; i < responses; i++) {
			state.echo.receive(state.payloads[(first ^ BURST) + i]);
		}
	}

	@Benchmark
	public void disruptorInBatches(DisruptorState state) {
		int first = state.next();
		state.echo.sendBatch(state.payloads, first, BURST);
		state.echo.receiveBatch(state.payloads, first ^ BURST, state.responses());
	}

	/** What is sent, one half after the other. */
	@State(Scope.Thread)
	public abstract static class Traffic {

		final Payload[] payloads = Payload.distinct(Payloads.COUNT);

		private int bursts;

		/** Returns the index of the first message to send. */
		final int next() {
			return (this.bursts++ & 1) * BURST;
		}

		/** Returns how many responses to take: those to the burst before, if any. */
		final int responses() {
			return (this.bursts == 1) ? 0 : BURST;
		}

	}

	/** A stream of the CPU backend. */
	@SuppressWarnings("NullAway.Init")
	public static class StreamState extends Traffic {

		RingKernelEcho<Payload> echo;

		RequestStream<Payload, Payload> stream;

		private int taken;

		@Setup
		public void open() {
			this.echo = RingKernelEcho.payloads(WaitStrategy.BUSY_SPIN);
			this.stream = this.echo.client().openStream();
		}

		final void check(Payload response) {
			this.payloads[this.taken++ & (Payloads.COUNT - 1)].verify(response);
		}

		@TearDown
		public void close() {
			this.stream.close();
			this.echo.close();
		}

	}

	/** Frames of the CPU backend, each as large as a batch. */
	@SuppressWarnings("NullAway.Init")
	public static class FrameState extends Traffic {

		private static final int A = offset("a");

		private static final int B = offset("b");

		private static final int C = offset("c");

		private static final int D = offset("d");

		private static final int E = offset("e");

		private static final int F = offset("f");

		private static final int G = offset("g");

		private static final int H = offset("h");

		RingKernelEcho<PayloadFrame> echo;

		FrameStream stream;

		private static int offset(String component) {
			return MessageLayout.of(Payload.class).offset(component, long.class);
		}

		@Setup
		public void open() {
			this.echo = RingKernelEcho.frames(WaitStrategy.BUSY_SPIN);
			this.stream = this.echo.client().openFrames();
		}

		final void fill(Frame frame, int first) {
			for (int i = 0; i < BURST; i++) {
				Payload payload = this.payloads[first + i];
				frame.putLong(i, A, payload.a());
				frame.putLong(i, B, payload.b());
				frame.putLong(i, C, payload.c());
				frame.putLong(i, D, payload.d());
				frame.putLong(i, E, payload.e());
				frame.putLong(i, F, payload.f());
				frame.putLong(i, G, payload.g());
				frame.putLong(i, H, payload.h());
			}
		}

		final void check(Frame frame, int first) {
			for (int i = 0; i < BURST; i++) {
				this.payloads[first + i].verify(frame.getLong(i, A), frame.getLong(i, B), frame.getLong(i, C),
						frame.getLong(i, D), frame.getLong(i, E), frame.getLong(i, F), frame.getLong(i, G),
						frame.getLong(i, H));
			}
		}

		@TearDown
		public void close() {
			this.stream.close();
			this.echo.close();
		}

	}

	/** The Disruptor. */
	@SuppressWarnings("NullAway.Init")
	public static class DisruptorState extends Traffic {

		DisruptorEcho echo;

		@Setup
		public void open() {
			this.echo = new DisruptorEcho(DisruptorWait.BUSY_SPIN);
		}

		@TearDown
		public void close() throws InterruptedException {
			this.echo.close();
		}

	}

}
