package io.ringkernel.compiler;

import java.util.Arrays;

import io.ringkernel.Capacity;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.MessageLayout;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a device cannot do with arrays is refused with its place and a remedy.
 */
class ArrayRefusalTests {

	@Test
	void copiesBetweenArraysOfTwoTypes() {
		refused(new Mixing())
			.withMessageContaining("java.lang.System.arraycopy is called with arrays of two types. Copy the elements");
	}

	@Test
	void copiesOfArraysOfObjects() {
		refused(new Extending())
			.withMessageContaining("java.util.Arrays.copyOf is called with an array of objects. Use an array of a");
	}

	@Test
	void copiesThatALoopMakes() {
		refused(new Cloning()).withMessageContaining("an array is made in a loop. Make it in front of the loop");
	}

	@Test
	void copiesWhoseLengthHasNoBound() {
		refused(new Padding()).withMessageContaining("whose length may be so great");
	}

	@Test
	void otherMethodsOfArrays() {
		refused(new Sorting()).withMessageContaining("java.util.Arrays.sort is called");
	}

	@Test
	void rowsThatAreReplaced() {
		refused(new Swapping()).withMessageContaining("a row of a two-dimensional array is replaced by another one")
			.withMessageContaining("Copy its elements by System.arraycopy.")
			.satisfies((ex) -> assertThat(ex.line()).isPositive());
	}

	@Test
	void rowsThatAreMadeOneByOne() {
		refused(new Ragged())
			.withMessageContaining("an array of arrays is made without them. Make it with two lengths");
	}

	@Test
	void threeDimensions() {
		refused(new Cubic()).withMessageContaining("an array int[][][] is made. Use two dimensions");
	}

	@Test
	void rowsThatMayBeTooMany() {
		refused(new Endless()).withMessageContaining("whose length may be so great");
	}

	private static ThrowableAssertAlternative<HandlerRefusedException> refused(
			RingKernelHandler<Points, Points> handler) {
		MessageLayout<Points> layout = MessageLayout.of(Points.class);
		return assertThatExceptionOfType(HandlerRefusedException.class)
			.isThrownBy(() -> HandlerCompiler.compile(handler, layout, layout));
	}

	record Point(int x, int y) {
	}

	record Points(int number, @Capacity(16) int[] values, @Capacity(4) Point[] points) {
	}

	static final class Mixing implements RingKernelHandler<Points, Points> {

		@Override
		@SuppressWarnings("SuspiciousSystemArraycopy")
		public Points handle(Points request) {
			long[] longs = new long[16];
			System.arraycopy(request.values(), 0, longs, 0, 1);
			return new Points((int) longs[0], request.values(), request.points());
		}

	}

	static final class Extending implements RingKernelHandler<Points, Points> {

		@Override
		public Points handle(Points request) {
			return new Points(1, request.values(), Arrays.copyOf(request.points(), 2));
		}

	}

	static final class Cloning implements RingKernelHandler<Points, Points> {

		@Override
		public Points handle(Points request) {
			int sum = 0;
			for (int i = 0; i < 3; i++) {
				int[] copy = request.values().clone();
				copy[i] = i;
				sum += copy[0];
			}
			return new Points(sum, request.values(), request.points());
		}

	}

	static final class Padding implements RingKernelHandler<Points, Points> {

		@Override
		public Points handle(Points request) {
			int[] padded = Arrays.copyOf(request.values(), request.number());
			return new Points(padded[0], request.values(), request.points());
		}

	}

	static final class Swapping implements RingKernelHandler<Points, Points> {

		@Override
		public Points handle(Points request) {
			int[][] rows = new int[2][3];
			rows[0] = rows[1];
			return new Points(rows[0][1], request.values(), request.points());
		}

	}

	static final class Ragged implements RingKernelHandler<Points, Points> {

		@Override
		public Points handle(Points request) {
			int[][] rows = { { 1 }, { 2, 3 } };
			return new Points(rows[1][1], request.values(), request.points());
		}

	}

	static final class Cubic implements RingKernelHandler<Points, Points> {

		@Override
		public Points handle(Points request) {
			int[][][] cube = new int[2][2][2];
			return new Points(cube[1][1][1], request.values(), request.points());
		}

	}

	static final class Endless implements RingKernelHandler<Points, Points> {

		@Override
		public Points handle(Points request) {
			int[][] rows = new int[request.number()][2];
			return new Points(rows[0][1], request.values(), request.points());
		}

	}

	static final class Sorting implements RingKernelHandler<Points, Points> {

		@Override
		public Points handle(Points request) {
			Arrays.sort(request.values());
			return request;
		}

	}

}
