package io.ringkernel.spring.ai.graph;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ByteProducts}: plain loops and the Vector API compute the same.
 */
class ByteProductsTests {

	private static final int OFFSETS = 20;

	private final ByteProducts plain = new ByteProducts();

	private final ByteProducts vectorized = new VectorByteProducts();

	private final Random random = new Random(17);

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 383, 384, 385, 1024 })
	void areThoseOfAllElements(int length) {
		byte[] some = new byte[length + OFFSETS];
		byte[] others = new byte[length + OFFSETS];
		this.random.nextBytes(some);
		this.random.nextBytes(others);
		for (int offset = 0; offset <= OFFSETS; offset++) {
			int sum = 0;
			for (int i = 0; i < length; i++) {
				sum += some[offset + i] * others[OFFSETS - offset + i];
			}
			assertThat(this.plain.dotProduct(some, offset, others, OFFSETS - offset, length)).isEqualTo(sum);
			assertThat(this.vectorized.dotProduct(some, offset, others, OFFSETS - offset, length)).isEqualTo(sum);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 8, 15, 16, 17, 33, 383, 384, 385, 1024 })
	void areThoseOfSeveralVectors(int length) {
		byte[] some = new byte[length + OFFSETS];
		this.random.nextBytes(some);
		byte[][] others = new byte[ByteProducts.AT_ONCE][length + OFFSETS];
		int[] offsets = new int[ByteProducts.AT_ONCE];
		int[] sums = new int[ByteProducts.AT_ONCE];
		for (int i = 0; i < ByteProducts.AT_ONCE; i++) {
			this.random.nextBytes(others[i]);
			offsets[i] = this.random.nextInt(OFFSETS + 1);
			sums[i] = this.plain.dotProduct(some, 3, others[i], offsets[i], length);
		}
		for (ByteProducts products : new ByteProducts[] { this.plain, this.vectorized }) {
			int[] computed = new int[ByteProducts.AT_ONCE];
			products.dotProducts(some, 3, others, offsets, length, computed);
			assertThat(computed).isEqualTo(sums);
		}
	}

	@Test
	void doNotOverflowWithAsManyElementsAsAVectorMayHave() {
		byte[] largest = new byte[16_384];
		Arrays.fill(largest, (byte) -127);
		int sum = 127 * 127 * largest.length;
		assertThat(this.plain.dotProduct(largest, 0, largest, 0, largest.length)).isEqualTo(sum);
		assertThat(this.vectorized.dotProduct(largest, 0, largest, 0, largest.length)).isEqualTo(sum);
	}

}
