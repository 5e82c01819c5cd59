package io.ringkernel.compiler.pass;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Conversion;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.ir.RegisterUse;
import org.jspecify.annotations.Nullable;

/**
 * An array that is set to zero, and of which a parallel loop then stores each element:
 * only what is behind its last element needs to be zero, and no thread has to wait for
 * that. Nothing may look at the array in between, and every way from it that does not
 * fail the request has to go through the loop.
 *
 * @since 0.2.0
 */
public final class OverwrittenArray {

	/** Arrays begin and end at multiples of this. */
	private static final int ALIGNMENT = 16;

	private final List<Instruction> code;

	private final List<Instruction> body;

	private final Register index;

	private final Operand count;

	/** What each register that is written once is written by. */
	private final Map<Register, Instruction> definitions = new HashMap<>();

	private OverwrittenArray(List<Instruction> code, List<Instruction> body, Register index, Operand count) {
		this.code = code;
		this.body = body;
		this.index = index;
		this.count = count;
		Set<Register> several = new HashSet<>();
		Stream.concat(code.stream(), body.stream()).forEach((instruction) -> {
			Register to = RegisterUse.written(instruction);
			if (to != null && this.definitions.put(to, instruction) != null) {
				several.add(to);
			}
		});
		this.definitions.keySet().removeAll(several);
		// What it begins with is not all that it is.
		this.definitions.remove(index);
	}

	/**
	 * Leaves arrays as they are that a loop overwrites.
	 * @param code all in front of the loop
	 * @param body what each index does, which goes through all from 0
	 * @param count what the indices are below: the greater of 0 and a length
	 * @param fails whether a label is where the request fails
	 */
	public static void leave(Code code, List<Instruction> body, Register index, Operand count, Predicate<Label> fails) {
		for (int i = code.instructions().size() - 1; i >= 0; i--) {
			if (code.instructions().get(i) instanceof Instruction.Clear clear) {
				Instruction.Store store = new OverwrittenArray(code.instructions(), body, index, count)
					.overwriting(clear, i, fails);
				if (store != null) {
					List<Instruction> behind = code.cut(i);
					padding(code, clear, store.as());
					// The barrier goes as well.
					behind.subList(2, behind.size()).forEach(code::add);
				}
			}
		}
	}

	/** Sets to zero what is behind the last element. */
	private static void padding(Code code, Instruction.Clear clear, MemoryType element) {
		Constant shift = Constant.of(Integer.numberOfTrailingZeros(element.bytes()));
		Register rest = code.binary(Operator.AND, code.unary(Operator.NEG, clear.bytes()), Constant.of(ALIGNMENT - 1));
		Register elements = code.binary(Operator.SHR, rest, shift);
		Register isBehind = code.compare(Comparison.BELOW, clear.worker().lane(), elements);
		Register at = code.binary(Operator.ADD, clear.bytes(), code.binary(Operator.SHL, clear.worker().lane(), shift));
		Register place = code.binary(Operator.ADD, clear.base(),
				code.convert(Conversion.OFFSET, RegisterType.ADDRESS, at));
		code.add(new Instruction.Store(element, place, 0, new Constant(element.type(), 0), false, isBehind));
	}

	/** The store of each element; {@code null} if the array has to be zero. */
	private Instruction.@Nullable Store overwriting(Instruction.Clear clear, int at, Predicate<Label> fails) {
		List<Instruction> between = this.code.subList(at + 2, this.code.size());
		Set<Register> addresses = addresses(clear.base(), between);
		if (!isReached(between, fails) || isRead(between, addresses) || isStored(between, addresses)
				|| isRead(this.body, addresses) || !isLength(clear)) {
			return null;
		}
		for (int i = 0; i < this.body.size(); i++) {
			if (this.body.get(i) instanceof Instruction.Store store && isElement(store, clear.base()) && isAlways(i)) {
				return store;
			}
		}
		return null;
	}

	/** All that may point into the array. */
	private Set<Register> addresses(Register base, List<Instruction> between) {
		Set<Register> addresses = new HashSet<>(Set.of(base));
		List<Instruction> all = new ArrayList<>(between);
		all.addAll(this.body);
		boolean grows = true;
		while (grows) {
			grows = false;
			for (Instruction instruction : all) {
				Register to = RegisterUse.written(instruction);
				if (to != null && to.type() == RegisterType.ADDRESS && !(instruction instanceof Instruction.Load)
						&& RegisterUse.read(instruction).stream().anyMatch(addresses::contains)) {
					grows |= addresses.add(to);
				}
			}
		}
		return addresses;
	}

	/** Whether all ways lead to the end, but for those that fail. */
	private static boolean isReached(List<Instruction> between, Predicate<Label> fails) {
		Set<Label> marks = marks(between);
		return between.stream().map(Code::target).allMatch((to) -> to == null || marks.contains(to) || fails.test(to));
	}

	private static Set<Label> marks(List<Instruction> instructions) {
		Set<Label> marks = new HashSet<>();
		for (Instruction instruction : instructions) {
			if (instruction instanceof Instruction.Mark mark) {
				marks.add(mark.label());
			}
		}
		return marks;
	}

	private static boolean isRead(List<Instruction> instructions, Set<Register> addresses) {
		return instructions.stream()
			.anyMatch((instruction) -> (instruction instanceof Instruction.Load load && addresses.contains(load.base()))
					|| (instruction instanceof Instruction.Atomic atomic && addresses.contains(atomic.base())));
	}

	private static boolean isStored(List<Instruction> instructions, Set<Register> addresses) {
		return instructions.stream()
			.anyMatch((instruction) -> instruction instanceof Instruction.Store store
					&& addresses.contains(store.base()));
	}

	/** Whether the loop goes through as many indices as the array has elements. */
	private boolean isLength(Instruction.Clear clear) {
		return definition(clear.bytes()) instanceof Instruction.Binary bytes && bytes.operator() == Operator.MUL
				&& definition(this.count) instanceof Instruction.Binary greater && greater.operator() == Operator.MAX
				&& origin(greater.left()).equals(origin(bytes.left()));
	}

	/** Whether a store is one to the element of the index. */
	private boolean isElement(Instruction.Store store, Register base) {
		if (store.guard() != null || store.offset() != 0
				|| !(definition(store.base()) instanceof Instruction.Binary address)
				|| address.operator() != Operator.ADD || !origin(address.left()).equals(base)) {
			return false;
		}
		Operand offset = address.right();
		int shift = 0;
		if (definition(offset) instanceof Instruction.Binary scaled && scaled.operator() == Operator.SHL
				&& scaled.right() instanceof Constant distance) {
			shift = (int) distance.bits();
			offset = scaled.left();
		}
		return 1 << shift == store.as().bytes() && definition(offset) instanceof Instruction.Convert convert
				&& convert.conversion() == Conversion.OFFSET && origin(convert.from()).equals(this.index);
	}

	/** Whether every way through the body comes to an instruction, or leaves it. */
	private boolean isAlways(int at) {
		Set<Label> behind = marks(this.body.subList(at, this.body.size()));
		return this.body.subList(0, at).stream().map(Code::target).noneMatch(behind::contains);
	}

	/** What a register is a copy of. */
	private Operand origin(Operand operand) {
		Operand origin = operand;
		while (definition(origin) instanceof Instruction.Move move) {
			origin = move.from();
		}
		return origin;
	}

	private @Nullable Instruction definition(Operand operand) {
		return (operand instanceof Register register) ? this.definitions.get(register) : null;
	}

}
