package io.ringkernel.compiler.bytecode;

import java.util.List;
import java.util.Locale;
import java.util.function.BinaryOperator;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.Type;
import io.ringkernel.compiler.ir.WorkerCall;
import org.jspecify.annotations.Nullable;

/**
 * A reduction in the order that {@code Parallel} specifies: each thread computes partial
 * results, of which the lanes of a warp hold those of a group. They fold the group by
 * shuffles, and its first lane hands the result to all threads, each of which folds the
 * results of the groups.
 */
final class ReductionLoop {

	private static final int PARTIALS = 256;

	private static final int GROUP = 32;

	private final Translation translation;

	private final Code code;

	private final Invocations invocations;

	/** Whether anything that was translated may fail. */
	private boolean fails;

	ReductionLoop(Translation translation, Invocations invocations) {
		this.translation = translation;
		this.code = translation.code;
		this.invocations = invocations;
	}

	/** Calls one of sum, min, max and reduce, whose name ends with a type. */
	Value call(String name, Operand count, List<Value> arguments) {
		String kind = name.substring(0, 3);
		Type type = Type.valueOf(name.replaceFirst("^(sum|min|max|reduce)", "").toUpperCase(Locale.ROOT));
		return switch (kind) {
			case "sum" -> reduce(count, zero(type), arguments.get(1), (left, right) -> sum(left, right));
			case "min", "max" ->
				reduce(count, extreme(kind, type), arguments.get(1), (left, right) -> extreme(kind, left, right));
			default -> reduce(count, arguments.get(1).scalar(), arguments.get(2),
					(left, right) -> result(this.invocations.lambda(arguments.get(3), List.of(left, right))));
		};
	}

	private Value result(@Nullable Value value) {
		if (value == null) {
			throw this.translation.refuse("a function of a reduction throws in any case", "Throw in front of it.");
		}
		return value;
	}

	private static Operand zero(Type type) {
		return new Constant(type, 0);
	}

	private Value sum(Value left, Value right) {
		return Value.of(this.code.binary(Operator.ADD, left.scalar(), right.scalar()));
	}

	/** What all numbers are at most, or at least. */
	private static Constant extreme(String kind, Type type) {
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
		return result(Intrinsics.call(this.code, "java/lang/Math", "%s(%2$s%2$s)%2$s".formatted(kind, type),
				List.of(left, right)));
	}

	private Value reduce(Operand count, Operand identity, Value map, BinaryOperator<Value> operator) {
		MemoryType memory = MemoryType.of(identity.type());
		this.code.add(new Instruction.Parallel(true));
		Register exchange = this.code.binary(Operator.ADD, this.translation.worker.call(),
				Constant.of((long) WorkerCall.EXCHANGE));
		LaneLoop partials = LaneLoop.ofThreads(this.translation, Constant.of(PARTIALS));
		partials.add(() -> group(partials.index(), count, identity, map, operator, exchange, memory));
		this.code.add(new Instruction.Parallel(false));
		if (this.fails) {
			this.translation.failures.meet();
		}
		return foldGroups(exchange, memory, operator);
	}

	/** Computes a partial result in each lane, and that of the group in the first one. */
	private void group(Register partial, Operand count, Operand identity, Value map, BinaryOperator<Value> operator,
			Register exchange, MemoryType memory) {
		Register result = this.code.copy(identity);
		values(result, partial, count, map, operator);
		for (int distance = GROUP / 2; distance > 0; distance /= 2) {
			foldLanes(result, distance, count, operator);
		}
		Register inGroup = this.code.binary(Operator.AND, partial, Constant.of(GROUP - 1));
		Register isFirst = this.code.compare(Comparison.EQ, inGroup, Constant.ZERO);
		Register group = this.code.binary(Operator.USHR, partial, Constant.of(Integer.numberOfTrailingZeros(GROUP)));
		Register place = ArrayAccess.element(this.code, exchange, group, MemoryType.LONG);
		this.code.add(new Instruction.Store(memory, place, 0, result, true, isFirst));
	}

	/**
	 * The values of a partial result do not depend on each other, but for their order.
	 */
	private void values(Register result, Register partial, Operand count, Value map, BinaryOperator<Value> operator) {
		LaneLoop loop = new LaneLoop(this.code, partial, count, Constant.of(PARTIALS));
		Lane work = new Lane(loop.index(), loop.behind());
		Value[] value = new Value[1];
		loop.add(
				() -> value[0] = this.translation.inParallel(work,
						() -> result(this.invocations.lambda(map, List.of(Value.of(loop.index()))))),
				() -> this.translation.inParallel(work, () -> {
					this.code.move(result, operator.apply(Value.of(result), value[0]).scalar());
					return value[0];
				}));
		this.fails |= work.fails();
	}

	/** A lane that fails here still takes part in the shuffles that follow. */
	private void foldLanes(Register result, int distance, Operand count, BinaryOperator<Value> operator) {
		Register other = this.code.register(result.type());
		this.code.add(new Instruction.Shuffle(other, result, distance));
		Label folded = new Label();
		Lane work = new Lane(count, folded);
		this.translation.inParallel(work, () -> {
			Value value = operator.apply(Value.of(result), Value.of(other));
			this.code.move(result, value.scalar());
			return value;
		});
		this.code.add(new Instruction.Mark(folded));
		this.fails |= work.fails();
	}

	private Value foldGroups(Register exchange, MemoryType memory, BinaryOperator<Value> operator) {
		Value[] groups = new Value[PARTIALS / GROUP];
		for (int i = 0; i < groups.length; i++) {
			Register group = this.code.register(memory.type());
			this.code.add(new Instruction.Load(memory, group, exchange, i * Long.BYTES, true));
			groups[i] = Value.of(group);
		}
		for (int distance = groups.length / 2; distance > 0; distance /= 2) {
			for (int i = 0; i < distance; i++) {
				groups[i] = operator.apply(groups[i], groups[i + distance]);
			}
		}
		return groups[0];
	}

}
