package io.ringkernel.benchmarks.picture;

import java.util.function.DoubleUnaryOperator;

/**
 * An axis of a picture.
 *
 * @param first the value at its beginning
 * @param last the value at its end
 * @param length its length in pixels
 * @param scale what grows evenly along it
 */
record Axis(double first, double last, int length, DoubleUnaryOperator scale) {

	static Axis linear(double first, double last, int length) {
		return new Axis(first, last, length, (value) -> value);
	}

	static Axis logarithmic(double first, double last, int length) {
		return new Axis(first, last, length, Math::log);
	}

	/**
	 * The place of a value.
	 * @param value the value
	 * @return pixels from the beginning
	 */
	double at(double value) {
		if (value < this.first || value > this.last) {
			throw new IllegalArgumentException(
					value + " is off the axis from " + this.first + " to " + this.last + "; extend the axis");
		}
		double begin = this.scale.applyAsDouble(this.first);
		return this.length
				* ((this.scale.applyAsDouble(value) - begin) / (this.scale.applyAsDouble(this.last) - begin));
	}

}
