package io.ringkernel.benchmarks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.ringkernel.benchmarks.CodecBenchmark.Vectors;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

import static org.assertj.core.api.Assertions.assertThat;

class BenchmarksTests {

	@ParameterizedTest
	@ValueSource(classes = { RoundTripBenchmark.class, PipelinedBenchmark.class, RingBenchmark.class,
			StreamBenchmark.class, CodecBenchmark.class, MetricsBenchmark.class, RoutingBenchmark.class })
	void everyBenchmarkOfAClassRunsOnce(Class<?> benchmarks) throws RunnerException {
		System.setProperty("jmh.ignoreLock", "true");
		Options once = new OptionsBuilder().include(benchmarks.getName() + "\\.")
			.forks(0)
			.mode(Mode.SingleShotTime)
			.warmupIterations(0)
			.measurementIterations(1)
			.shouldFailOnError(true)
			.verbosity(VerboseMode.SILENT)
			.build();
		assertThat(new Runner(once).run()).isNotEmpty();
	}

	@Test
	void payloadWrittenByHandHasTheBytesOfTheLayout() {
		Payload payload = new Payload(1, 2, 3, 4, 5, 6, 7, 8);
		ByteBuffer bytes = littleEndian(Payload.BYTES);
		assertThat(HandWritten.write(payload, bytes, 0)).isEqualTo(Payload.BYTES);
		assertThat(bytes).isEqualTo(encoded(payload, MessageLayout.of(Payload.class)));
		assertThat(HandWritten.readPayload(bytes, 0, Payload.BYTES)).isEqualTo(payload);
	}

	@Test
	void vectorsWrittenByHandHaveTheBytesOfTheLayout() {
		Vectors vectors = new Vectors(new float[] { 1, 2, 3 }, new float[] { 4, 5 });
		ByteBuffer expected = encoded(vectors, MessageLayout.of(Vectors.class));
		ByteBuffer bytes = littleEndian(expected.capacity());
		assertThat(HandWritten.write(vectors, bytes, 0)).isEqualTo(expected.capacity());
		assertThat(bytes).isEqualTo(expected);
		assertThat(HandWritten.readVectors(bytes, 0, bytes.capacity())).usingRecursiveComparison().isEqualTo(vectors);
	}

	private static <T extends Record> ByteBuffer encoded(T message, MessageLayout<T> layout) {
		ByteBuffer bytes = littleEndian(layout.measure(message));
		layout.write(message, MessageBuffer.wrap(bytes), 0);
		return bytes;
	}

	private static ByteBuffer littleEndian(int capacity) {
		return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
	}

}
