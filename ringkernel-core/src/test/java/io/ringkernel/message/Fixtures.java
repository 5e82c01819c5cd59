package io.ringkernel.message;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import io.ringkernel.Capacity;
import io.ringkernel.Length;

/**
 * Records that together use every type a message can have.
 */
final class Fixtures {

	static final List<Class<? extends Record>> ALL = List.of(Primitives.class, FixedArrays.class, VariableArrays.class,
			Text.class, Painted.class, Outer.class, Optionals.class, Nullables.class, Samples.class, Wide.class,
			Mixed.class, Deep.class);

	private Fixtures() {
	}

	enum Colour {

		RED, GREEN, BLUE

	}

	record Point(int x, double y) {
	}

	record Primitives(byte b, short s, char c, int i, long l, float f, double d, boolean z) {
	}

	record FixedArrays(@Length(3) byte[] b, @Length(1) short[] s, @Length(2) char[] c, @Length(2) int[] i,
			@Length(1) long[] l, @Length(2) float[] f, @Length(2) double[] d, @Length(2) boolean[] z,
			@Length(2) Point[] p) {
	}

	record VariableArrays(@Capacity(3) byte[] b, @Capacity(3) short[] s, @Capacity(3) char[] c, @Capacity(3) int[] i,
			@Capacity(3) long[] l, @Capacity(3) float[] f, @Capacity(3) double[] d, @Capacity(3) boolean[] z,
			@Capacity(3) Point[] p) {
	}

	record Floats(@Capacity(100_000) float[] values) {
	}

	record Text(@Capacity(16) String text) {
	}

	record Painted(Colour colour) {
	}

	record Inner(@Capacity(8) String name, @Capacity(4) int[] values) {
	}

	record Outer(byte tag, Inner left, Inner right, @Capacity(4) double[] rest) {
	}

	record Optionals(Optional<Point> point, Optional<Colour> colour, @Capacity(8) Optional<String> text,
			Optional<Long> boxed, OptionalInt i, OptionalLong l, OptionalDouble d) {
	}

	record Nullables(@Nullable Point point, @Nullable Colour colour, @Capacity(8) @Nullable String text,
			@Nullable Integer i, @Nullable Boolean z, @Nullable Character c, @Capacity(2) float @Nullable [] variable,
			@Length(2) int @Nullable [] fixed, @Nullable Inner inner) {
	}

	record Sample(int at, @Nullable Double value) {
	}

	record Samples(@Capacity(4) Sample[] samples) {
	}

	record Wide(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l, long m,
			long n, long o, long p, long a2, long b2, long c2, long d2, long e2, long f2, long g2, long h2, long i2,
			long j2, long k2, long l2, long m2, long n2, long o2, long p2) {
	}

	/** Padding in every place: before members, inside optionals, at the ends. */
	record Mixed(byte a, long b, boolean c, @Length(3) short[] d, byte e, OptionalLong f, @Nullable Byte g, Point h,
			char i) {
	}

	record Deep(byte a, Middle middle, @Capacity(5) Pixel[] pixels, byte z) {
	}

	record Middle(boolean a, @Nullable Outer outer, @Length(2) Pixel[] pixels, @Capacity(9) String last) {
	}

	/** Three bytes, aligned to one. */
	record Pixel(byte red, byte green, byte blue) {
	}

}
