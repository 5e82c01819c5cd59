package io.ringkernel.message.buffer;

import java.lang.management.ManagementFactory;

import com.sun.management.ThreadMXBean;
import io.ringkernel.Capacity;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ArraysAheadTests {

	private static final MessageLayout<Arrays> LAYOUT = MessageLayout.of(Arrays.class);

	private static final int LEAST = ArraysAhead.LEAST_BYTES;

	private final MessageBuffer memory = MessageBuffer.allocate(LAYOUT.maxSize());

	record Arrays(@Capacity(1 << 16) byte[] bytes, @Capacity(1 << 14) double[] doubles, @Capacity(50) String text,
			@Capacity(1 << 14) float[] floats) {

		static Arrays of(int bytes, int doubles, int floats) {
			Arrays arrays = new Arrays(new byte[bytes], new double[doubles], "text", new float[floats]);
			for (int i = 0; i < bytes; i++) {
				arrays.bytes[i] = (byte) (i * 31 + 1);
			}
			for (int i = 0; i < doubles; i++) {
				arrays.doubles[i] = i + 0.5;
			}
			for (int i = 0; i < floats; i++) {
				arrays.floats[i] = ~i;
			}
			return arrays;
		}

	}

	@Test
	void whatIsReadIsTheMessageWhateverWasExpected() {
		Arrays[] messages = { Arrays.of(LEAST, LEAST / 8, 9), Arrays.of(LEAST, LEAST / 8, LEAST),
				Arrays.of(LEAST - 1, LEAST / 8, LEAST), Arrays.of(0, 0, 0), Arrays.of(LEAST + 1, LEAST, LEAST / 4) };
		for (Arrays expected : messages) {
			for (Arrays message : messages) {
				ArraysAhead ahead = new ArraysAhead(this.memory);
				ahead.make(shape(expected));
				assertThat(read(ahead, message)).usingRecursiveComparison().isEqualTo(message);
			}
		}
	}

	@Test
	void messagesAreAlikeIfTheirLargeArraysAre() {
		assertThat(shape(Arrays.of(LEAST, LEAST, 3)).isLike(shape(Arrays.of(LEAST, LEAST, 17)))).isTrue();
		assertThat(shape(Arrays.of(LEAST, LEAST, 3)).isLike(shape(Arrays.of(LEAST + 1, LEAST, 3)))).isFalse();
		assertThat(shape(Arrays.of(LEAST, 0, LEAST)).isLike(shape(Arrays.of(LEAST, LEAST, 0)))).isFalse();
		assertThat(shape(Arrays.of(LEAST, 0, 0)).isLike(null)).isFalse();
	}

	@Test
	void anArrayIsHandedOutOnce() {
		ArraysAhead ahead = new ArraysAhead(this.memory);
		ahead.make(shape(Arrays.of(LEAST, LEAST, LEAST)));
		Arrays message = Arrays.of(LEAST, LEAST, LEAST);
		Arrays first = read(ahead, message);
		Arrays second = read(ahead, message);
		assertThat(second.bytes()).isNotSameAs(first.bytes()).isEqualTo(first.bytes());
		assertThat(second.floats()).isNotSameAs(first.floats()).isEqualTo(first.floats());
	}

	@Test
	void anArrayThatFitsIsNotMadeAgain() {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		ArraysAhead ahead = new ArraysAhead(this.memory);
		ahead.make(shape(Arrays.of(1 << 16, 1 << 14, 0)));
		int length = LAYOUT.write(Arrays.of(1 << 16, 1 << 14, 0), this.memory, 0);
		long before = threads.getCurrentThreadAllocatedBytes();
		Arrays read = LAYOUT.read(ahead.buffer(), 0, length);
		long allocated = threads.getCurrentThreadAllocatedBytes() - before;
		assertThat(read.doubles()).hasSize(1 << 14);
		assertThat(allocated).isLessThan(1 << 16);
	}

	private ArraysAhead.Shape shape(Arrays message) {
		ArraysAhead ahead = new ArraysAhead(this.memory);
		read(ahead, message);
		return ahead.shape();
	}

	private Arrays read(ArraysAhead ahead, Arrays message) {
		int length = LAYOUT.write(message, this.memory, 0);
		return LAYOUT.read(ahead.buffer(), 0, length);
	}

}
