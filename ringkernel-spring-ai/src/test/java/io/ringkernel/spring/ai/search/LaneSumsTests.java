package io.ringkernel.spring.ai.search;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link LaneSums}: plain loops and the Vector API compute the same bits.
 */
class LaneSumsTests {

	private static final int OFFSETS = 20;

	private final LaneSums plain = new LaneSums();

	private final LaneSums vectorized = new VectorLaneSums();

	private final Random random = new Random(17);

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 383, 384, 385, 1024 })
	void areEqualToTheBit(int length) {
		float[] all = elements(length + OFFSETS);
		float[] vector = elements(length);
		for (int offset = 0; offset <= OFFSETS; offset++) {
			assertThat(bits(this.vectorized.dotProduct(all, offset, vector)))
				.isEqualTo(bits(this.plain.dotProduct(all, offset, vector)));
			assertThat(bits(this.vectorized.squaredDistance(all, offset, vector)))
				.isEqualTo(bits(this.plain.squaredDistance(all, offset, vector)));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 8, 9, 17, 384 })
	void areThoseOfAllElements(int length) {
		float[] all = elements(length + 1);
		float[] vector = elements(length);
		double product = 0;
		double squares = 0;
		for (int i = 0; i < length; i++) {
			product += (double) all[i + 1] * vector[i];
			squares += Math.pow((double) all[i + 1] - vector[i], 2);
		}
		assertThat((double) this.plain.dotProduct(all, 1, vector)).isCloseTo(product, within(1e-4));
		assertThat((double) this.plain.squaredDistance(all, 1, vector)).isCloseTo(squares, within(1e-3));
	}

	@ParameterizedTest
	@ValueSource(floats = { Float.MAX_VALUE, Float.MIN_VALUE, -0.0f, Float.POSITIVE_INFINITY })
	void areEqualForExtremeElements(float extreme) {
		float[] all = elements(24);
		float[] vector = elements(17);
		all[3] = extreme;
		vector[16] = extreme;
		assertThat(bits(this.vectorized.dotProduct(all, 0, vector)))
			.isEqualTo(bits(this.plain.dotProduct(all, 0, vector)));
		assertThat(bits(this.vectorized.squaredDistance(all, 0, vector)))
			.isEqualTo(bits(this.plain.squaredDistance(all, 0, vector)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "-XX:TieredStopAtLevel=1", "-Xint" })
	void arePlainWithoutAnOptimizingCompiler(String option) throws Exception {
		assertThat(chosenBy("--add-modules=jdk.incubator.vector", option)).isEqualTo("LaneSums");
	}

	@Test
	void arePlainWithoutTheModule() throws Exception {
		assertThat(chosenBy()).isEqualTo("LaneSums");
	}

	private static String chosenBy(String... options) throws Exception {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of(options));
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), LaneSumsTests.class.getName()));
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		try (BufferedReader output = process.inputReader()) {
			String last = output.lines().reduce("", (before, line) -> line);
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
			return last;
		}
		finally {
			process.destroyForcibly();
		}
	}

	public static void main(String[] arguments) {
		System.out.println(LaneSums.QUICKEST.getClass().getSimpleName());
	}

	private float[] elements(int length) {
		float[] elements = new float[length];
		for (int i = 0; i < length; i++) {
			elements[i] = (this.random.nextFloat() - 0.5f) * (1 << this.random.nextInt(4));
		}
		return elements;
	}

	private static int bits(float value) {
		return Float.floatToIntBits(value);
	}

}
