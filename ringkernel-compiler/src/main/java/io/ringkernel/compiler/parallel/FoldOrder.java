package io.ringkernel.compiler.parallel;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;

/**
 * The order in which {@code Parallel} combines partial results: first those of each
 * group, then those of the groups, in both with half the distance from level to level.
 */
final class FoldOrder {

	static final int PARTIALS = 256;

	/** The partial results that are combined first: the lanes of a warp hold them. */
	static final int GROUP = 32;

	static final int GROUPS = PARTIALS / GROUP;

	/** How often the results of a group are combined until there is one. */
	static final int LEVELS_OF_GROUP = Integer.numberOfTrailingZeros(GROUP);

	static final int LEVELS = Integer.numberOfTrailingZeros(PARTIALS);

	private FoldOrder() {
	}

	/** The distance of what is combined, in partial results or in groups. */
	static int distance(int level) {
		return (level < LEVELS_OF_GROUP) ? GROUP >> (level + 1) : GROUPS >> (level - LEVELS_OF_GROUP + 1);
	}

	/**
	 * The index behind the values that a combination has: it fails after all that have a
	 * lower one.
	 * @param count the number of values
	 * @param partial one of the partial results that are in it
	 */
	static Register index(Code code, Operand count, int level, Register partial) {
		Register group = code.binary(Operator.USHR, partial, Constant.of(LEVELS_OF_GROUP));
		boolean isInGroup = level < LEVELS_OF_GROUP;
		int distance = distance(level);
		Operand before = isInGroup ? code.binary(Operator.MUL, group, Constant.of(GROUP - 1))
				: Constant.of(GROUPS * (GROUP - 1));
		Register at = code.binary(Operator.AND, isInGroup ? partial : group, Constant.of(distance - 1));
		Register inLevel = code.binary(Operator.ADD, at, Constant.of((isInGroup ? GROUP : GROUPS) - 2 * distance));
		return code.binary(Operator.ADD, code.binary(Operator.ADD, inLevel, before), count);
	}

}
