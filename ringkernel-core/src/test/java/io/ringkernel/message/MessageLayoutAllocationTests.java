package io.ringkernel.message;

import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import com.sun.management.ThreadMXBean;
import io.ringkernel.message.Fixtures.Colour;
import io.ringkernel.message.Fixtures.FixedArrays;
import io.ringkernel.message.Fixtures.Inner;
import io.ringkernel.message.Fixtures.Outer;
import io.ringkernel.message.Fixtures.Painted;
import io.ringkernel.message.Fixtures.Point;
import io.ringkernel.message.Fixtures.Primitives;
import io.ringkernel.message.Fixtures.Text;
import io.ringkernel.message.Fixtures.VariableArrays;
import io.ringkernel.message.buffer.MessageBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Encoding leaves nothing to the garbage collector, decoding only the message.
 */
class MessageLayoutAllocationTests {

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private static final int ITERATIONS = 20_000;

	private static final int ROUNDS = 10;

	private @Nullable Object result;

	@Test
	void measuringAndWritingAllocateNothing() {
		assertEncodesWithoutAllocation(new Primitives((byte) 1, (short) 2, '3', 4, 5, 6, 7, true));
		assertEncodesWithoutAllocation(new VariableArrays(new byte[1], new short[2], new char[3], new int[1],
				new long[2], new float[3], new double[1], new boolean[2], new Point[] { new Point(1, 2) }));
		assertEncodesWithoutAllocation(new FixedArrays(new byte[3], new short[1], new char[2], new int[2], new long[1],
				new float[2], new double[2], new boolean[2], new Point[] { new Point(1, 2), new Point(3, 4) }));
		assertEncodesWithoutAllocation(new Text("grün 漢字"));
		assertEncodesWithoutAllocation(
				new Outer((byte) 1, new Inner("left", new int[] { 1 }), new Inner("right", new int[4]), new double[3]));
		RandomMessages messages = new RandomMessages(1);
		Fixtures.ALL.forEach((type) -> assertEncodesWithoutAllocation(messages.next(type)));
	}

	@Test
	void readingPrimitivesAllocatesTheRecord() {
		assertReadAllocates(new Primitives((byte) 1, (short) 2, '3', 4, 5, 6, 7, true),
				() -> new Primitives((byte) 1, (short) 2, '3', 4, 5, 6, 7, true));
	}

	@Test
	void readingAnEnumAllocatesTheRecord() {
		assertReadAllocates(new Painted(Colour.BLUE), () -> new Painted(Colour.BLUE));
	}

	@Test
	void readingArraysAllocatesTheRecordAndTheArrays() {
		assertReadAllocates(new Fixtures.Floats(new float[100]), () -> new Fixtures.Floats(new float[100]));
	}

	@SuppressWarnings("unchecked")
	private void assertEncodesWithoutAllocation(Record message) {
		MessageLayout<Record> layout = MessageLayout.of((Class<Record>) message.getClass());
		MessageBuffer buffer = MessageBuffer.allocate(layout.maxSize());
		long[] total = new long[1];
		assertThat(bytesPerCall(() -> total[0] += layout.measure(message))).as("measure %s", message).isZero();
		assertThat(bytesPerCall(() -> layout.write(message, buffer, 0))).as("write %s", message).isZero();
	}

	@SuppressWarnings("unchecked")
	private void assertReadAllocates(Record message, Supplier<Record> equal) {
		MessageLayout<Record> layout = MessageLayout.of((Class<Record>) message.getClass());
		int size = layout.measure(message);
		MessageBuffer buffer = MessageBuffer.allocate(size);
		layout.write(message, buffer, 0);
		long bytes = bytesPerCall(() -> this.result = equal.get());
		assertThat(bytesPerCall(() -> this.result = layout.read(buffer, 0, size))).isEqualTo(bytes).isPositive();
	}

	/**
	 * The least of several rounds: the first ones also pay for linking and compilation.
	 */
	private static long bytesPerCall(Runnable call) {
		return LongStream.range(0, ROUNDS).map((round) -> {
			long before = THREADS.getCurrentThreadAllocatedBytes();
			for (int i = 0; i < ITERATIONS; i++) {
				call.run();
			}
			return (THREADS.getCurrentThreadAllocatedBytes() - before) / ITERATIONS;
		}).min().orElseThrow();
	}

}
