package io.ringkernel.benchmarks;

import java.util.concurrent.TimeUnit;

import io.ringkernel.Capacity;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * A message to bytes and back: the layout that is derived from the record beside code
 * written by hand for the same layout, with the same checks.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class CodecBenchmark {

	@Benchmark
	public int writePayload(PayloadState state) {
		int length = state.layout.measure(state.payload);
		state.layout.write(state.payload, state.buffer, 0);
		return length;
	}

	@Benchmark
	public int writePayloadByHand(PayloadState state) {
		return HandWritten.write(state.payload, state.buffer.bytes(), 0);
	}

	@Benchmark
	public Payload readPayload(PayloadState state) {
		return state.layout.read(state.buffer, 0, state.length);
	}

	@Benchmark
	public Payload readPayloadByHand(PayloadState state) {
		return HandWritten.readPayload(state.buffer.bytes(), 0, state.length);
	}

	@Benchmark
	public int writeVectors(VectorsState state) {
		int length = state.layout.measure(state.vectors);
		state.layout.write(state.vectors, state.buffer, 0);
		return length;
	}

	@Benchmark
	public int writeVectorsByHand(VectorsState state) {
		return HandWritten.write(state.vectors, state.buffer.bytes(), 0);
	}

	@Benchmark
	public Vectors readVectors(VectorsState state) {
		return state.layout.read(state.buffer, 0, state.length);
	}

	@Benchmark
	public Vectors readVectorsByHand(VectorsState state) {
		return HandWritten.readVectors(state.buffer.bytes(), 0, state.length);
	}

	/** The request of a vector addition. */
	public record Vectors(@Capacity(Vectors.CAPACITY) float[] a, @Capacity(Vectors.CAPACITY) float[] b) {

		static final int CAPACITY = 4096;

	}

	/** 64 bytes in 8 members. */
	@State(Scope.Thread)
	public static class PayloadState {

		final MessageLayout<Payload> layout = MessageLayout.of(Payload.class);

		final Payload payload = new Payload(1, 2, 3, 4, 5, 6, 7, 8);

		final MessageBuffer buffer = MessageBuffer.allocate(this.layout.maxSize());

		int length;

		@Setup
		public void write() {
			this.length = this.layout.measure(this.payload);
			this.layout.write(this.payload, this.buffer, 0);
		}

	}

	/** Two arrays of some length. */
	@State(Scope.Thread)
	@SuppressWarnings("NullAway.Init")
	public static class VectorsState {

		@Param({ "10", "100", "4096" })
		int floats;

		final MessageLayout<Vectors> layout = MessageLayout.of(Vectors.class);

		final MessageBuffer buffer = MessageBuffer.allocate(this.layout.maxSize());

		Vectors vectors;

		int length;

		@Setup
		public void write() {
			this.vectors = new Vectors(new float[this.floats], new float[this.floats]);
			for (int i = 0; i < this.floats; i++) {
				this.vectors.a()[i] = i;
				this.vectors.b()[i] = -i;
			}
			this.length = this.layout.measure(this.vectors);
			this.layout.write(this.vectors, this.buffer, 0);
		}

	}

}
