package io.ringkernel.compiler.parallel;

import java.util.function.BinaryOperator;
import java.util.function.Function;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.translation.Lane;
import io.ringkernel.compiler.translation.LaneLoop;
import io.ringkernel.compiler.translation.Translation;
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

	/** Combines two values, of which the first may lie where the result goes. */
	void combine(Code code, Register to, Operand left, Value right) {
		code.move(to, this.operator.apply(Value.of(left), right).scalar());
	}

	/**
	 * Adds the values of a partial result, which do not depend on each other but for
	 * their order.
	 * @param failed where a thread remembers that it failed
	 * @return whether it may fail
	 */
	boolean addValues(Translation translation, Register result, Register partial, Lane.Failed failed) {
		LaneLoop loop = new LaneLoop(translation.code(), partial, this.count, Constant.of(FoldOrder.PARTIALS));
		Lane work = new Lane(loop.index(), loop.behind(), failed);
		Value[] value = new Value[1];
		loop.add(() -> value[0] = translation.inParallel(work, () -> this.value.apply(loop.index())),
				() -> translation.inParallel(work, () -> {
					combine(translation.code(), result, result, value[0]);
					return value[0];
				}));
		return work.fails();
	}

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
