package io.ringkernel.compiler.ir;

/**
 * A constant.
 *
 * @param type what it is
 * @param bits the value of an integer, the bits of a floating-point number
 * @since 0.2.0
 */
public record Constant(RegisterType type, long bits) implements Operand {

	public static final Constant ZERO = of(0);

	public static Constant of(int value) {
		return new Constant(RegisterType.INT, value);
	}

	public static Constant of(long value) {
		return new Constant(RegisterType.LONG, value);
	}

	public static Constant of(float value) {
		return new Constant(RegisterType.FLOAT, Float.floatToRawIntBits(value));
	}

	public static Constant of(double value) {
		return new Constant(RegisterType.DOUBLE, Double.doubleToRawLongBits(value));
	}

}
