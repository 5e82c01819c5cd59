package io.ringkernel.compiler.strict;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import io.ringkernel.compiler.corpus.HalfReference;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Conversions of numbers of binary16 have the bits of their definition, and of the JDK
 * where it has them.
 */
class StrictHalfTests {

	private static final int HALVES = 1 << Short.SIZE;

	private static final int JDK = 20;

	@Test
	void eachHalfIsTheNumberThatIsDefined() {
		for (int half = 0; half < HALVES; half++) {
			assertThat(Float.floatToRawIntBits(StrictHalf.float16ToFloat((short) half))).as(Integer.toHexString(half))
				.isEqualTo(Float.floatToRawIntBits(HalfReference.float16ToFloat((short) half)));
		}
	}

	@Test
	void eachNumberIsTheHalfThatIsNearest() {
		numbers().forEach((bits) -> assertThat(StrictHalf.floatToFloat16(Float.intBitsToFloat(bits)))
			.as(Integer.toHexString(bits))
			.isEqualTo(HalfReference.floatToFloat16(Float.intBitsToFloat(bits))));
	}

	@Test
	void halvesAreThoseOfTheJdk() throws Throwable {
		assumeTrue(Runtime.version().feature() >= JDK, "Float.float16ToFloat is there since JDK 20");
		MethodHandle decode = MethodHandles.lookup()
			.findStatic(Float.class, "float16ToFloat", MethodType.methodType(float.class, short.class));
		MethodHandle encode = MethodHandles.lookup()
			.findStatic(Float.class, "floatToFloat16", MethodType.methodType(short.class, float.class));
		for (int half = 0; half < HALVES; half++) {
			assertThat(Float.floatToIntBits(StrictHalf.float16ToFloat((short) half)))
				.isEqualTo(Float.floatToIntBits((float) decode.invokeExact((short) half)));
		}
		for (int bits : numbers().toArray()) {
			float number = Float.intBitsToFloat(bits);
			assertThat(StrictHalf.floatToFloat16(number)).as(Integer.toHexString(bits))
				.isEqualTo((short) encode.invokeExact(number));
		}
	}

	/** Around each half and each middle of two, and at random; one NaN alone. */
	private static IntStream numbers() {
		IntStream dense = IntStream.rangeClosed(0, HalfReference.INFINITY)
			.mapToDouble((half) -> HalfReference.float16ToFloat((short) half))
			.flatMap((number) -> DoubleStream.of(number, number + Math.ulp((float) number)))
			.mapToInt((number) -> Float.floatToIntBits((float) number));
		IntStream middles = IntStream.range(0, HalfReference.INFINITY).flatMap((half) -> {
			float lower = HalfReference.float16ToFloat((short) half);
			float upper = (half + 1 < HalfReference.INFINITY) ? HalfReference.float16ToFloat((short) (half + 1))
					: 65536;
			int middle = Float.floatToIntBits((lower + upper) / 2);
			return IntStream.rangeClosed(middle - 2, middle + 2);
		});
		IntStream random = new Random(1).ints(1_000_000)
			.map((bits) -> Float.floatToIntBits(Float.intBitsToFloat(bits)));
		return IntStream.concat(IntStream.concat(dense, middles), random)
			.flatMap((bits) -> IntStream.of(bits, Float.floatToIntBits(-Float.intBitsToFloat(bits))));
	}

}
