package io.ringkernel.message.buffer;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Length;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(30)
class DeferredArraysTests {

	private static final MessageLayout<Mixed> MIXED = MessageLayout.of(Mixed.class);

	private static final int LEAST = DeferredArrays.LEAST_BYTES;

	private final MessageBuffer memory = MessageBuffer.allocate(MIXED.maxSize() + 64);

	private final DeferredArrays arrays = new DeferredArrays(this.memory);

	record Mixed(int number, @Capacity(4 << 20) byte[] bytes, @Capacity(100) float[] few,
			@Capacity(1 << 20) double[] doubles, @Length(LEAST / 4) int[] fixed, @Capacity(50) String text) {

		static Mixed of(int bytes, int doubles) {
			Mixed mixed = new Mixed(7, new byte[bytes], new float[] { 1, 2, 3 }, new double[doubles],
					new int[LEAST / 4], "text");
			for (int i = 0; i < bytes; i++) {
				mixed.bytes[i] = (byte) (i * 31 + 1);
			}
			for (int i = 0; i < doubles; i++) {
				mixed.doubles[i] = i + 0.5;
			}
			for (int i = 0; i < mixed.fixed.length; i++) {
				mixed.fixed[i] = ~i;
			}
			return mixed;
		}

	}

	record Grudging(@Capacity(4 << 20) byte[] bytes, @Capacity(10) int[] refused) {

		@Override
		public int[] refused() {
			throw new IllegalArgumentException("refused");
		}

	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, LEAST - 1, LEAST, LEAST + 1, LEAST + 17, 3 * LEAST + 5, 1 << 20 })
	void aMessageIsTheSameAsOneThatIsWrittenAtOnce(int size) {
		Mixed message = Mixed.of(size, size / 4);
		MessageBuffer expected = MessageBuffer.allocate(this.memory.capacity());
		int length = MIXED.write(message, expected, 16);
		assertThat(MIXED.write(message, this.arrays.buffer(), 16)).isEqualTo(length);
		this.arrays.copy((end) -> {
		});
		assertThat(bytes(this.memory, 0, 16 + length)).isEqualTo(bytes(expected, 0, 16 + length));
	}

	@Test
	void nothingIsMissingBeforeThePlaceThatIsReported() {
		Mixed message = Mixed.of(5 * LEAST + 3, LEAST);
		MessageBuffer expected = MessageBuffer.allocate(this.memory.capacity());
		int length = MIXED.write(message, expected, 0);
		for (int round = 0; round < 20; round++) {
			this.memory.zero(0, length);
			MIXED.write(message, this.arrays.buffer(), 0);
			assertThat(bytes(this.memory, 0, this.arrays.begin())).isEqualTo(bytes(expected, 0, this.arrays.begin()));
			List<Integer> ends = new ArrayList<>();
			this.arrays.copy((end) -> {
				assertThat(bytes(this.memory, 0, end)).isEqualTo(bytes(expected, 0, end));
				ends.add(end);
			});
			this.arrays.clear();
			assertThat(ends).isSorted().doesNotHaveDuplicates();
			assertThat(bytes(this.memory, 0, length)).isEqualTo(bytes(expected, 0, length));
		}
	}

	@Test
	void smallArraysAreNotDeferred() {
		MessageLayout<Grudging> layout = MessageLayout.of(Grudging.class);
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> layout.write(new Grudging(new byte[LEAST - 1], new int[1]), this.arrays.buffer(), 0));
		assertThat(this.arrays.isEmpty()).isTrue();
	}

	@Test
	void anAccessorThatFailsHasFailedBeforeAnythingIsCopied() {
		MessageLayout<Grudging> layout = MessageLayout.of(Grudging.class);
		byte[] bytes = new byte[LEAST];
		bytes[0] = 1;
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> layout.write(new Grudging(bytes, new int[1]), this.arrays.buffer(), 0));
		assertThat(this.memory.getByte(this.arrays.begin())).isZero();
		this.arrays.clear();
		assertThat(this.arrays.isEmpty()).isTrue();
	}

	private static byte[] bytes(MessageBuffer buffer, int from, int to) {
		byte[] bytes = new byte[to - from];
		buffer.get(bytes, 0, bytes.length, from);
		return bytes;
	}

}
