package io.ringkernel.compiler.parallel;

import java.util.List;
import java.util.Locale;
import java.util.function.BinaryOperator;

import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.parallel.ParallelReduction.Order;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Intrinsics;
import io.ringkernel.compiler.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The reductions of {@code Parallel}. The threads of the worker share one; in a parallel
 * part, each thread has its own.
 */
record Reductions(Translation translation, Lambdas lambdas) {

	/** Calls one of sum, min, max and reduce, whose name ends with a type. */
	Value call(String name, Operand count, List<Value> arguments) {
		String kind = name.substring(0, 3);
		RegisterType type = RegisterType
			.valueOf(name.replaceFirst("^(sum|min|max|reduce)", "").toUpperCase(Locale.ROOT));
		ParallelReduction reduction = switch (kind) {
			case "sum" -> reduction(count, new Constant(type, 0), arguments.get(1), this::sum,
					type.isFloating() ? Order.OF_VALUES : Order.NONE);
			case "min", "max" -> reduction(count, extreme(kind, type), arguments.get(1),
					(left, right) -> extreme(kind, left, right), Order.NONE);
			default -> reduction(count, arguments.get(1).scalar(), arguments.get(2),
					(left, right) -> result(this.lambdas.run(arguments.get(3), List.of(left, right))), Order.OF_ALL);
		};
		return this.translation.isParallel() ? new ThreadReduction(this.translation, reduction).reduce()
				: new ReductionLoop(this.translation, reduction).reduce();
	}

	private ParallelReduction reduction(Operand count, Operand identity, Value map, BinaryOperator<Value> operator,
			Order order) {
		return new ParallelReduction(count, identity,
				(index) -> result(this.lambdas.run(map, List.of(Value.of(index)))), operator, order);
	}

	private Value result(@Nullable Value value) {
		if (value == null) {
			throw this.translation.refuse("a function of a reduction throws in any case", "Throw in front of it.");
		}
		return value;
	}

	private Value sum(Value left, Value right) {
		return Value.of(this.translation.code().binary(Operator.ADD, left.scalar(), right.scalar()));
	}

	/** What all numbers are at most, or at least. */
	private static Constant extreme(String kind, RegisterType type) {
		boolean min = kind.equals("min");
		return switch (type) {
			case INT -> Constant.of(min ? Integer.MAX_VALUE : Integer.MIN_VALUE);
			case LONG -> Constant.of(min ? Long.MAX_VALUE : Long.MIN_VALUE);
			case FLOAT -> Constant.of(min ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY);
			default -> Constant.of(min ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY);
		};
	}

	private Value extreme(String kind, Value left, Value right) {
		String type = switch (left.scalar().type()) {
			case INT -> "I";
			case LONG -> "J";
			case FLOAT -> "F";
			default -> "D";
		};
		return result(Intrinsics.call(this.translation.code(), "java/lang/Math",
				"%s(%2$s%2$s)%2$s".formatted(kind, type), List.of(left, right)));
	}

}
