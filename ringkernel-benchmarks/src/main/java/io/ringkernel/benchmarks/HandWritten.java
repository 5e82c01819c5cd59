package io.ringkernel.benchmarks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.ringkernel.benchmarks.CodecBenchmark.Vectors;

/**
 * The codecs of the benchmarked messages as one would write them by hand: the bytes are
 * those that {@link io.ringkernel.message.MessageLayout} writes, and what is read is
 * checked as it checks it.
 */
final class HandWritten {

	private static final int VECTORS_FIXED_SIZE = 16;

	private HandWritten() {
	}

	static int write(Payload payload, ByteBuffer target, int at) {
		target.putLong(at, payload.a());
		target.putLong(at + 8, payload.b());
		target.putLong(at + 16, payload.c());
		target.putLong(at + 24, payload.d());
		target.putLong(at + 32, payload.e());
		target.putLong(at + 40, payload.f());
		target.putLong(at + 48, payload.g());
		target.putLong(at + 56, payload.h());
		return Payload.BYTES;
	}

	static Payload readPayload(ByteBuffer source, int at, int length) {
		require(length == Payload.BYTES, "length", length);
		return new Payload(source.getLong(at), source.getLong(at + 8), source.getLong(at + 16), source.getLong(at + 24),
				source.getLong(at + 32), source.getLong(at + 40), source.getLong(at + 48), source.getLong(at + 56));
	}

	static int write(Vectors vectors, ByteBuffer target, int at) {
		int end = write(vectors.a(), VECTORS_FIXED_SIZE, target, at, 0);
		return write(vectors.b(), end, target, at, 8);
	}

	private static int write(float[] values, int end, ByteBuffer target, int at, int member) {
		require(values.length <= Vectors.CAPACITY, "length", values.length);
		int begin = (end + 15) & -16;
		target.putInt(at + member, begin);
		target.putInt(at + member + 4, values.length);
		for (int i = end; i < begin; i++) {
			target.put(at + i, (byte) 0);
		}
		target.slice(at + begin, values.length * Float.BYTES)
			.order(ByteOrder.LITTLE_ENDIAN)
			.asFloatBuffer()
			.put(values);
		return begin + values.length * Float.BYTES;
	}

	static Vectors readVectors(ByteBuffer source, int at, int length) {
		return new Vectors(read(source, at, 0, length), read(source, at, 8, length));
	}

	private static float[] read(ByteBuffer source, int at, int member, int length) {
		int begin = source.getInt(at + member);
		int count = source.getInt(at + member + 4);
		require(count >= 0 && count <= Vectors.CAPACITY, "count", count);
		require(begin >= VECTORS_FIXED_SIZE && begin % 16 == 0 && count * Float.BYTES <= length - begin, "offset",
				begin);
		float[] values = new float[count];
		source.slice(at + begin, count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
		return values;
	}

	private static void require(boolean valid, String what, int value) {
		if (!valid) {
			throw new IllegalArgumentException("The " + what + " " + value + " is out of range");
		}
	}

}
