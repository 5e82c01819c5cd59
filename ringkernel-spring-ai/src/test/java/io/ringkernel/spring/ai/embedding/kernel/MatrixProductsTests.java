package io.ringkernel.spring.ai.embedding.kernel;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ringkernel.spring.ai.embedding.RandomWeights;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link MatrixProducts}: plain loops and the Vector API compute the same
 * products, to the last digits.
 */
class MatrixProductsTests {

	private static final EncoderWeights WEIGHTS = RandomWeights.of(RandomWeights.TINY);

	private final MatrixProducts plain = new MatrixProducts();

	private final MatrixProducts vectorized = new VectorMatrixProducts();

	private final Random random = new Random(23);

	@ParameterizedTest
	@CsvSource({ "1, 1, 64", "2, 3, 64", "3, 4, 128", "4, 5, 192", "5, 32, 64", "6, 383, 64", "7, 385, 128",
			"17, 1536, 384" })
	void areThoseOfAllElements(int rows, int depth, int columns) {
		float[][] factors = matrix(rows, depth);
		float[][] matrix = matrix(depth, columns);
		float[] bias = matrix(1, columns)[0];
		float[][] plain = multiply(this.plain, factors, matrix, bias);
		float[][] vectorized = multiply(this.vectorized, factors, matrix, bias);
		for (int row = 0; row < rows; row++) {
			for (int column = 0; column < columns; column++) {
				double sum = bias[column];
				double magnitude = Math.abs(sum);
				for (int k = 0; k < depth; k++) {
					sum += (double) factors[row][k] * matrix[k][column];
					magnitude += Math.abs((double) factors[row][k] * matrix[k][column]);
				}
				assertThat((double) plain[row][column]).isCloseTo(sum, within(1e-5 * magnitude));
				assertThat((double) vectorized[row][column]).isCloseTo(sum, within(1e-5 * magnitude));
			}
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 16, 17 })
	void doNotDependOnOtherRows(int rows) {
		float[][] factors = matrix(rows, 9);
		float[][] matrix = matrix(9, 64);
		float[] bias = matrix(1, 64)[0];
		for (MatrixProducts products : List.of(this.plain, this.vectorized)) {
			float[][] all = multiply(products, factors, matrix, bias);
			for (int row = 0; row < rows; row++) {
				assertThat(all[row]).isEqualTo(multiply(products, new float[][] { factors[row] }, matrix, bias)[0]);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 17, 64, 65, 80 })
	void giveTextsTheSameVectors(int tokens) {
		int[] text = this.random.ints(tokens, 0, WEIGHTS.shape().vocabulary()).toArray();
		float[] plain = new HeapEncoder(WEIGHTS, this.plain).encode(text);
		float[] vectorized = new HeapEncoder(WEIGHTS, this.vectorized).encode(text);
		double cosine = IntStream.range(0, plain.length).mapToDouble((i) -> (double) plain[i] * vectorized[i]).sum();
		assertThat(cosine).isCloseTo(1, within(1e-6));
	}

	private static float[][] multiply(MatrixProducts products, float[][] factors, float[][] matrix, float[] bias) {
		float[][] results = new float[factors.length][bias.length];
		float[][] rows = Stream.of(matrix).map(float[]::clone).toArray(float[][]::new);
		new HeapMatrix(products, rows, bias).multiply(factors, results);
		return results;
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
