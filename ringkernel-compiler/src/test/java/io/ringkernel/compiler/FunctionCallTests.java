package io.ringkernel.compiler;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A function of {@link StrictMath} is in the text once, however often a handler calls it.
 */
class FunctionCallTests {

	@Test
	void aFunctionIsWrittenOnceAndCalledWhereItIsUsed() {
		String text = ptx(new ThirtySines());
		assertThat(text.split("\\.func ", -1)).hasSize(3);
		assertThat(text).containsOnlyOnce(") ringkernel_function_sin(");
		assertThat(text.lines().filter((line) -> line.contains("call "))).hasSize(30);
		assertThat(text.length()).isLessThan(100_000);
	}

	@Test
	void theSameValueIsComputedByOneCall() {
		assertThat(ptx(new Twice()).lines().filter((line) -> line.contains("call "))).hasSize(1);
	}

	/** A text must declare a function before it calls it. */
	@Test
	void aFunctionThatAnotherOneCallsComesBeforeIt() {
		assertThat(ptx(new Hyperbolic())).containsSubsequence(") ringkernel_function_expm1(",
				") ringkernel_function_tanh(", "call (outcome), ringkernel_function_expm1", " ringkernel_handle(");
	}

	@Test
	void mathIsComputedAsStrictMath() {
		assertThat(ptx(new OfMath())).contains("call (outcome), ringkernel_function_sin,")
			.contains("call (outcome), ringkernel_function_pow,");
	}

	private static String ptx(RingKernelHandler<Angles, Angles> handler) {
		MessageLayout<Angles> layout = MessageLayout.of(Angles.class);
		return HandlerCompiler.compile(handler, layout, layout).ptx();
	}

	record Angles(@Capacity(64) double[] values) {
	}

	static final class ThirtySines implements RingKernelHandler<Angles, Angles> {

		@Override
		public Angles handle(Angles request) {
			double[] x = request.values();
			double[] out = new double[x.length];
			Parallel.range(x.length, (i) -> {
				double y = x[i];
				y += StrictMath.sin(y) + StrictMath.sin(y * 2) + StrictMath.sin(y * 3) + StrictMath.sin(y * 4);
				y += StrictMath.sin(y) + StrictMath.sin(y * 2) + StrictMath.sin(y * 3) + StrictMath.sin(y * 4);
				y += StrictMath.sin(y) + StrictMath.sin(y * 2) + StrictMath.sin(y * 3) + StrictMath.sin(y * 4);
				y += StrictMath.sin(y) + StrictMath.sin(y * 2) + StrictMath.sin(y * 3) + StrictMath.sin(y * 4);
				y += StrictMath.sin(y) + StrictMath.sin(y * 2) + StrictMath.sin(y * 3) + StrictMath.sin(y * 4);
				y += StrictMath.sin(y) + StrictMath.sin(y * 2) + StrictMath.sin(y * 3) + StrictMath.sin(y * 4);
				y += StrictMath.sin(y) + StrictMath.sin(y * 2) + StrictMath.sin(y * 3) + StrictMath.sin(y * 4);
				out[i] = y + StrictMath.sin(y) + StrictMath.sin(y + 1);
			});
			return new Angles(out);
		}

	}

	static final class Twice implements RingKernelHandler<Angles, Angles> {

		@Override
		public Angles handle(Angles request) {
			double x = request.values()[0];
			return new Angles(new double[] { StrictMath.exp(x) * StrictMath.exp(x) });
		}

	}

	static final class Hyperbolic implements RingKernelHandler<Angles, Angles> {

		@Override
		public Angles handle(Angles request) {
			return new Angles(new double[] { StrictMath.tanh(request.values()[0]) });
		}

	}

	static final class OfMath implements RingKernelHandler<Angles, Angles> {

		@Override
		public Angles handle(Angles request) {
			double x = request.values()[0];
			return new Angles(new double[] { Math.sin(x), Math.pow(x, 2.5) });
		}

	}

}
