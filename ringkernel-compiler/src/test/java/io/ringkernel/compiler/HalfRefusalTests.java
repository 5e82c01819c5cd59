package io.ringkernel.compiler;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.compiler.corpus.HalfReference;
import io.ringkernel.compiler.corpus.Later;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A number becomes a half only if no NaN but {@link Float#NaN} may: half of its bits show
 * the sign of another one.
 */
class HalfRefusalTests {

	@ParameterizedTest
	@ValueSource(classes = { Computed.class, Perhaps.class, Negative.class })
	void aNanOfAnySign(Class<? extends RingKernelHandler<Number, Number>> type) {
		MessageLayout<Number> layout = MessageLayout.of(Number.class);
		RingKernelHandler<Number, Number> handler = Later.of(type, HalfReference.class, Float.class);
		assertThatExceptionOfType(HandlerRefusedException.class)
			.isThrownBy(() -> HandlerCompiler.compile(handler, layout, layout))
			.withMessageContaining(
					"Float.floatToFloat16 shows the sign of a NaN, which differs from machine to machine. Call it of Float.intBitsToFloat(Float.floatToIntBits(x)).");
	}

	public record Number(float value) {
	}

	public static final class Computed implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			return new Number(HalfReference.floatToFloat16(request.value() * 2));
		}

	}

	/** A parameter that gets another value on one way, and keeps its own on another. */
	public static final class Perhaps implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			return new Number(half(request.value() * 2));
		}

		private static short half(float number) {
			if (number > 1) {
				number = Float.intBitsToFloat(Float.floatToIntBits(number));
			}
			return HalfReference.floatToFloat16(number);
		}

	}

	public static final class Negative implements RingKernelHandler<Number, Number> {

		private static final float NEGATIVE = Float.intBitsToFloat(0xffc00000);

		@Override
		public Number handle(Number request) {
			return new Number(HalfReference.floatToFloat16(NEGATIVE));
		}

	}

}
