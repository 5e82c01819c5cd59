package io.ringkernel.compiler.parallel;

import java.util.function.BinaryOperator;
import java.util.function.Function;

import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.value.Value;

/**
 * What a reduction of {@code Parallel} combines.
 *
 * @param count the number of values; not negative
 * @param identity what each partial result begins with
 * @param value translates the value of an index
 * @param operator translates a combination of two values
 * @param order which orders give the same
 */
record ParallelReduction(Operand count, Operand identity, Function<Operand, Value> value,
		BinaryOperator<Value> operator, Order order) {

	/** How much of the order that {@code Parallel} specifies shows in the result. */
	enum Order {

		/** Nothing: every order gives the same. */
		NONE,
		/** All but partial results without a value, which change nothing. */
		OF_VALUES,
		/** Each combination. */
		OF_ALL

	}

}
