package io.ringkernel.spring.ai.embedding.kernel;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

import io.ringkernel.spring.ai.embedding.RandomWeights;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link MatrixProducts}: plain loops and the Vector API compute the same bits.
 */
class MatrixProductsTests {

	private static final EncoderWeights WEIGHTS = RandomWeights.of(RandomWeights.TINY);

	private final MatrixProducts plain = new PlainMatrixProducts();

	private final MatrixProducts vectorized = new VectorMatrixProducts();

	private final Random random = new Random(23);

	@ParameterizedTest
	@CsvSource({ "1, 1, 64", "2, 3, 64", "3, 4, 128", "4, 5, 192", "5, 32, 64", "7, 383, 64", "9, 385, 128",
			"17, 1536, 384" })
	void areEqualToTheBit(int rows, int depth, int columns) {
		float[][] factors = matrix(rows, depth);
		float[][] matrix = matrix(depth, columns);
		float[] bias = matrix(1, columns)[0];
		float[][] products = multiply(this.plain, factors, matrix, bias);
		assertThat(bits(multiply(this.vectorized, factors, matrix, bias))).isEqualTo(bits(products));
		for (int row = 0; row < rows; row++) {
			for (int column = 0; column < columns; column++) {
				double sum = bias[column];
				for (int k = 0; k < depth; k++) {
					sum += (double) factors[row][k] * matrix[k][column];
				}
				assertThat((double) products[row][column]).isCloseTo(sum, within(1e-4 * depth));
			}
		}
	}

	@ParameterizedTest
	@ValueSource(floats = { Float.MAX_VALUE, Float.MIN_VALUE, -0.0f, Float.POSITIVE_INFINITY })
	void areEqualForExtremeElements(float extreme) {
		float[][] factors = matrix(5, 9);
		float[][] matrix = matrix(9, 64);
		factors[4][8] = extreme;
		matrix[3][63] = extreme;
		assertThat(bits(multiply(this.vectorized, factors, matrix, new float[64])))
			.isEqualTo(bits(multiply(this.plain, factors, matrix, new float[64])));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 17, 64, 65, 80 })
	void giveTextsTheSameVectors(int tokens) {
		int[] text = this.random.ints(tokens, 0, WEIGHTS.shape().vocabulary()).toArray();
		assertThat(new HeapEncoder(WEIGHTS, this.vectorized).encode(text))
			.isEqualTo(new HeapEncoder(WEIGHTS, this.plain).encode(text));
	}

	private static float[][] multiply(MatrixProducts products, float[][] factors, float[][] matrix, float[] bias) {
		float[][] results = new float[factors.length][bias.length];
		float[][] rows = Stream.of(matrix).map(float[]::clone).toArray(float[][]::new);
		new HeapMatrix(products, rows, bias).multiply(factors, results);
		return results;
	}

	private static int[] bits(float[][] rows) {
		return Stream.of(rows).flatMapToInt((row) -> Arrays.stream(bits(row))).toArray();
	}

	private static int[] bits(float[] row) {
		int[] bits = new int[row.length];
		Arrays.setAll(bits, (i) -> Float.floatToIntBits(row[i]));
		return bits;
	}

	private float[][] matrix(int rows, int columns) {
		float[][] matrix = new float[rows][columns];
		for (float[] row : matrix) {
			for (int i = 0; i < columns; i++) {
				row[i] = (this.random.nextFloat() - 0.5f) * (1 << this.random.nextInt(4));
			}
		}
		return matrix;
	}

}
