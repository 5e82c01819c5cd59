package io.ringkernel.compiler.call;

import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.ringkernel.compiler.classfile.Called;
import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.translation.ArrayElements;
import io.ringkernel.compiler.translation.Compilation;
import io.ringkernel.compiler.translation.LaneLoop;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import io.ringkernel.message.Field;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Methods of the JDK that copy arrays of a primitive type, and that fill them. Outside of
 * parallel parts, the threads of the worker share the elements.
 */
final class ArrayMethods {

	private static final String CLONE = "clone";

	private static final Set<String> OF_ARRAYS = Set.of("fill", "copyOf", "copyOfRange");

	private static final String ILLEGAL = "java.lang.IllegalArgumentException";

	private static final String OUT_OF_BOUNDS = "java.lang.ArrayIndexOutOfBoundsException";

	private final Compilation compilation;

	private final Translation translation;

	private final Code code;

	ArrayMethods(Compilation compilation) {
		this.compilation = compilation;
		this.translation = compilation.translation();
		this.code = this.translation.code();
	}

	static boolean isOne(String owner, String name) {
		return switch (owner) {
			case "java/util/Arrays" -> OF_ARRAYS.contains(name);
			case "java/lang/System" -> name.equals("arraycopy");
			default -> owner.startsWith("[") && name.equals(CLONE);
		};
	}

	/** Whether an instruction calls one of those that make an array of numbers. */
	static boolean isMaking(AbstractInsnNode instruction) {
		return instruction instanceof MethodInsnNode call && isOne(call.owner, call.name)
				&& (call.name.equals(CLONE) ? call.owner.length() == 2
						: Type.getReturnType(call.desc).getSort() == Type.ARRAY
								&& Type.getReturnType(call.desc).getDescriptor().length() == 2);
	}

	/** Calls a method: what it returns; {@code null} if nothing. */
	@Nullable Value call(Called called, List<Value> arguments, @Nullable Field inResponse) {
		Value array = primitive(called, arguments.get(0));
		Operand length = array.scalars().get(1);
		switch (called.name()) {
			case "fill" -> fill(array, arguments);
			case "arraycopy" -> {
				Value to = primitive(called, arguments.get(2));
				if (ArrayElements.type(array) != ArrayElements.type(to)) {
					throw this.translation.refuse("%s is called with arrays of two types".formatted(called.inWords()),
							"Copy the elements in a loop.");
				}
				ArrayElements.requireChanging(this.translation, to);
				copy(array, arguments.get(1).scalar(), to, arguments.get(3).scalar(), arguments.get(4).scalar());
			}
			case CLONE -> {
				return made(array, Constant.ZERO, length, length, inResponse);
			}
			case "copyOf" -> {
				Operand copied = arguments.get(1).scalar();
				return made(array, Constant.ZERO, copied, this.code.binary(Operator.MIN, length, copied), inResponse);
			}
			default -> {
				return copyOfRange(array, arguments.get(1).scalar(), arguments.get(2).scalar(), inResponse);
			}
		}
		return null;
	}

	private Value primitive(Called called, Value array) {
		if (!(array.shape() instanceof Shape.ArrayOf)) {
			throw this.translation.refuse("%s is called with an array of objects".formatted(called.inWords()),
					"Use an array of a primitive type.");
		}
		return array;
	}

	private void fill(Value array, List<Value> arguments) {
		ArrayElements.requireChanging(this.translation, array);
		Operand length = array.scalars().get(1);
		boolean isWhole = arguments.size() == 2;
		Operand from = isWhole ? Constant.ZERO : arguments.get(1).scalar();
		Operand to = isWhole ? length : arguments.get(2).scalar();
		Operand value = arguments.get(arguments.size() - 1).scalar();
		if (!isWhole) {
			this.translation.failures().throwIf(this.code.compare(Comparison.GT, from, to), ILLEGAL, null);
			fail(either(isNegative(from), this.code.compare(Comparison.GT, to, length)));
		}
		Operand count = isWhole ? length : this.code.binary(Operator.SUB, to, from);
		LaneLoop.over(this.translation, count, (index) -> store(array, from, index, value, null));
	}

	private Value copyOfRange(Value array, Operand from, Operand to, @Nullable Field inResponse) {
		Operand rest = this.code.binary(Operator.SUB, array.scalars().get(1), from);
		Operand length = this.code.binary(Operator.SUB, to, from);
		this.translation.failures().throwIf(isNegative(length), ILLEGAL, null);
		fail(either(isNegative(from), isNegative(rest)));
		return made(array, from, length, this.code.binary(Operator.MIN, rest, length), inResponse);
	}

	/**
	 * Makes an array that begins with elements of another one; the others are zero.
	 * @param count how many elements of the other one
	 */
	private Value made(Value array, Operand from, Operand length, Operand count, @Nullable Field inResponse) {
		Value made = this.compilation.messages().make(inResponse, ArrayElements.type(array), length);
		LaneLoop.over(this.translation, count,
				(index) -> store(made, Constant.ZERO, index, load(array, from, index), null));
		return made;
	}

	/** Copies elements, and if the arrays are one, as if all were loaded first. */
	private void copy(Value from, Operand fromAt, Value to, Operand toAt, Operand count) {
		Register isOutside = isNegative(count);
		isOutside = either(isOutside, isOutside(from, fromAt, count));
		fail(either(isOutside, isOutside(to, toAt, count)));
		Register isSame = this.code.compare(Comparison.EQ, from.scalar(), to.scalar());
		Register descends = this.code.binary(Operator.AND, isSame, this.code.compare(Comparison.LT, fromAt, toAt));
		Operand last = this.code.binary(Operator.ADD, count, Constant.of(-1));
		UnaryOperator<Operand> place = (index) -> this.code.select(descends,
				this.code.binary(Operator.SUB, last, index), index);
		if (this.translation.isParallel()) {
			LaneLoop.over(this.translation, count, (index) -> {
				Operand at = place.apply(index);
				store(to, toAt, at, load(from, fromAt, at), null);
			});
			return;
		}
		Label overlap = new Label();
		Label end = new Label();
		this.code.branch(isSame, true, overlap);
		LaneLoop.over(this.translation, count, (index) -> store(to, toAt, index, load(from, fromAt, index), null));
		this.code.jump(end);
		this.code.mark(overlap);
		move(from, fromAt, toAt, count, place);
		this.code.mark(end);
	}

	/**
	 * Moves elements within an array. Each thread loads one before any of them stores;
	 * what they store is loaded already, since they go on against the direction of the
	 * move.
	 */
	private void move(Value array, Operand from, Operand to, Operand count, UnaryOperator<Operand> place) {
		Label next = new Label();
		Label loaded = new Label();
		Label end = new Label();
		this.code.add(new Instruction.Parallel(true));
		Register first = this.code.copy(Constant.ZERO);
		Register value = this.code.copy(new Constant(ArrayElements.type(array).type(), 0));
		this.code.mark(next);
		this.code.branch(Comparison.GE, first, count, end);
		Register index = this.code.binary(Operator.ADD, first, this.translation.worker().lane());
		Register isOne = this.code.compare(Comparison.LT, index, count);
		Operand at = place.apply(index);
		this.code.branch(isOne, false, loaded);
		this.code.move(value, load(array, from, at));
		this.code.mark(loaded);
		this.code.add(new Instruction.Sync(this.translation.worker()));
		store(array, to, at, value, isOne);
		this.code.add(new Instruction.Binary(Operator.ADD, first, first, this.translation.worker().lanes()));
		this.code.jump(next);
		this.code.mark(end);
		this.code.add(new Instruction.Parallel(false));
	}

	private Register load(Value array, Operand from, Operand index) {
		Register value = this.code.register(ArrayElements.type(array).type());
		this.code.add(new Instruction.Load(ArrayElements.type(array), value, address(array, from, index), 0, true));
		return value;
	}

	private void store(Value array, Operand from, Operand index, Operand value, @Nullable Register guard) {
		this.code
			.add(new Instruction.Store(ArrayElements.type(array), address(array, from, index), 0, value, true, guard));
	}

	private Register address(Value array, Operand from, Operand index) {
		Operand at = from.equals(Constant.ZERO) ? index : this.code.binary(Operator.ADD, from, index);
		return ArrayElements.address(this.code, (Register) array.scalar(), at, ArrayElements.type(array));
	}

	/** Whether some elements are not all of an array; their number is not negative. */
	private Register isOutside(Value array, Operand at, Operand count) {
		Register greatest = this.code.binary(Operator.SUB, array.scalars().get(1), count);
		return either(isNegative(at), this.code.compare(Comparison.GT, at, greatest));
	}

	private Register isNegative(Operand number) {
		return this.code.compare(Comparison.LT, number, Constant.ZERO);
	}

	private Register either(Register one, Register other) {
		return this.code.binary(Operator.OR, one, other);
	}

	private void fail(Register isOutside) {
		this.translation.failures().throwIf(isOutside, OUT_OF_BOUNDS, null);
	}

}
