package io.ringkernel.compiler.corpus;

import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Length;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;

/**
 * What messages are made of.
 */
final class Messages {

	private Messages() {
	}

	static List<Sample<?, ?>> samples() {
		List<Everything> everything = List.of(
				new Everything(true, (byte) -3, (short) -300, 'é', 7, -8L, 1.5f, -2.5, new Point(1, -1),
						new float[] { 1, 2, 3 }, new byte[] { 1, -1 }, new boolean[] { true, false, true }),
				new Everything(false, (byte) 127, Short.MIN_VALUE, '\uffff', -7, Long.MIN_VALUE, -0f, Double.MIN_VALUE,
						new Point(3, 4), new float[] { 4, 5, 6 }, new byte[0], new boolean[64]));
		return List.of(new Sample<>(new Same(), Everything.class, Everything.class, everything),
				new Sample<>(new Changed(), Everything.class, Everything.class, everything),
				new Sample<>(new TooLong(), Everything.class, Everything.class, everything));
	}

	record Point(double x, double y) {

		Point plus(Point other) {
			return new Point(this.x + other.x, this.y + other.y);
		}

	}

	record Everything(boolean flag, byte small, short medium, char character, int number, long large, float real,
			double exact, Point point, @Length(3) float[] three, @Capacity(100) byte[] bytes,
			@Capacity(64) boolean[] flags) {
	}

	static final class Same implements RingKernelHandler<Everything, Everything> {

		@Override
		public Everything handle(Everything request) {
			return request;
		}

	}

	static final class Changed implements RingKernelHandler<Everything, Everything> {

		@Override
		public Everything handle(Everything request) {
			float[] three = { request.three()[2], request.three()[1], request.real() };
			Point point = request.point().plus(new Point(request.number(), request.exact()));
			return new Everything(!request.flag(), (byte) (request.small() + 1), (short) (request.medium() - 1),
					(char) (request.character() + 1), request.number() + 1, request.large() + 1, request.real() + 1,
					request.exact() + 1, point, three, doubled(request.bytes()), request.flags());
		}

		private static byte[] doubled(byte[] bytes) {
			byte[] doubled = new byte[bytes.length * 2];
			Parallel.range(bytes.length, (i) -> {
				doubled[2 * i] = bytes[i];
				doubled[2 * i + 1] = (byte) ~bytes[i];
			});
			return doubled;
		}

	}

	/** An array beyond its capacity makes the response invalid. */
	static final class TooLong implements RingKernelHandler<Everything, Everything> {

		@Override
		public Everything handle(Everything request) {
			boolean[] flags = new boolean[64 + request.bytes().length];
			return new Everything(request.flag(), request.small(), request.medium(), request.character(),
					request.number(), request.large(), request.real(), request.exact(), request.point(),
					request.three(), request.bytes(), flags);
		}

	}

}
