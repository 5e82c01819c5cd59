package io.ringkernel.compiler.pass;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterUse;
import io.ringkernel.compiler.ir.Renaming;
import org.jspecify.annotations.Nullable;

/**
 * Computes once what code computes several times on a way without a label, tests a
 * condition once, and takes a remainder from its quotient if that is computed as well.
 *
 * @since 0.2.0
 */
public final class CommonValues {

	private final Code code;

	/** The number of the value that a register has, by which values are known. */
	private final Map<Operand, Integer> numbers = new HashMap<>();

	/** Values by how they are computed. */
	private final Map<List<Object>, Integer> computed = new HashMap<>();

	/** A register that has had a value. */
	private final Map<Integer, Register> holders = new HashMap<>();

	/** Conditions that are known not to be as stated. */
	private final Set<List<Object>> passed = new HashSet<>();

	private int next;

	private CommonValues(Code code) {
		this.code = code;
	}

	public static void share(Code code) {
		List<Instruction> all = code.cut(0);
		int begin = 0;
		for (int i = 0; i <= all.size(); i++) {
			if (i == all.size() || all.get(i) instanceof Instruction.Mark) {
				List<Instruction> block = all.subList(begin, i);
				Set<Integer> divided = new CommonValues(code).divided(block);
				new CommonValues(code).rewrite(block, divided);
				begin = i;
			}
		}
	}

	/** Where a block computes remainders whose quotients it computes as well. */
	private Set<Integer> divided(List<Instruction> block) {
		Set<List<Integer>> quotients = new HashSet<>();
		Map<Integer, List<Integer>> remainders = new HashMap<>();
		for (int i = 0; i < block.size(); i++) {
			List<Object> key = key(block.get(i));
			if (block.get(i) instanceof Instruction.Binary binary && !binary.left().type().isFloating()) {
				List<Integer> operands = List.of(number(binary.left()), number(binary.right()));
				if (binary.operator() == Operator.DIV) {
					quotients.add(operands);
				}
				else if (binary.operator() == Operator.REM) {
					remainders.put(i, operands);
				}
			}
			note(block.get(i), key);
		}
		remainders.values().retainAll(quotients);
		return remainders.keySet();
	}

	private void rewrite(List<Instruction> block, Set<Integer> divided) {
		for (int i = 0; i < block.size(); i++) {
			if (divided.contains(i) && block.get(i) instanceof Instruction.Binary remainder) {
				Register quotient = this.code.register(remainder.to().type());
				Register product = this.code.register(remainder.to().type());
				add(new Instruction.Binary(Operator.DIV, quotient, remainder.left(), remainder.right()));
				add(new Instruction.Binary(Operator.MUL, product, quotient, remainder.right()));
				add(new Instruction.Binary(Operator.SUB, remainder.to(), remainder.left(), product));
			}
			else {
				add(block.get(i));
			}
		}
	}

	private void add(Instruction original) {
		Instruction instruction = withHolders(original);
		if (instruction instanceof Instruction.Branch branch
				&& !this.passed.add(List.of(number(branch.predicate()), branch.when()))) {
			return;
		}
		List<Object> key = key(instruction);
		Register holder = (key != null) ? holder(this.computed.get(key)) : null;
		Register to = RegisterUse.written(instruction);
		if (to != null && holder != null) {
			this.code.move(to, holder);
		}
		else {
			this.code.add(instruction);
		}
		note(instruction, key);
	}

	/** The same, which reads each value from the register that had it first. */
	private Instruction withHolders(Instruction instruction) {
		Renaming holding = new Renaming();
		Register to = written(instruction);
		for (Register read : RegisterUse.read(instruction)) {
			Register holder = holder(number(read));
			if (holder != null && !read.equals(holder)) {
				if (read.equals(to)) {
					return instruction;
				}
				holding.with(read, holder);
			}
		}
		return holding.copy(instruction);
	}

	/** A register that has a value; {@code null} if none is known to. */
	private @Nullable Register holder(@Nullable Integer number) {
		Register holder = (number != null) ? this.holders.get(number) : null;
		return (holder != null && number != null && number.equals(this.numbers.get(holder))) ? holder : null;
	}

	/** Remembers what a register has behind an instruction. */
	private void note(Instruction instruction, @Nullable List<Object> key) {
		Register to = written(instruction);
		if (to == null) {
			return;
		}
		int number = (instruction instanceof Instruction.Move move) ? number(move.from())
				: (key != null) ? this.computed.computeIfAbsent(key, (any) -> this.next++) : this.next++;
		this.numbers.put(to, number);
		if (holder(number) == null) {
			this.holders.put(number, to);
		}
	}

	/** The register that an instruction writes. */
	static @Nullable Register written(Instruction instruction) {
		if (instruction instanceof Instruction.Vote vote) {
			return vote.any();
		}
		return (instruction instanceof Instruction.Shuffle shuffle) ? shuffle.to() : RegisterUse.written(instruction);
	}

	private int number(Operand operand) {
		Integer known = this.numbers.get(operand);
		if (known != null) {
			return known;
		}
		int number = this.next++;
		this.numbers.put(operand, number);
		if (operand instanceof Register register) {
			this.holders.put(number, register);
		}
		return number;
	}

	/** How a value is computed; {@code null} if it is not from others alone. */
	private @Nullable List<Object> key(Instruction instruction) {
		// @formatter:off
		if (instruction instanceof Instruction.Binary binary) {
			return List.of(binary.operator(), binary.to().type(), number(binary.left()), number(binary.right()));
		}
		if (instruction instanceof Instruction.Unary unary) {
			return List.of(unary.operator(), unary.to().type(), number(unary.from()));
		}
		if (instruction instanceof Instruction.Convert convert) {
			return List.of(convert.conversion(), convert.to().type(), number(convert.from()));
		}
		if (instruction instanceof Instruction.Compare compare) {
			return List.of(compare.comparison(), compare.unordered(), number(compare.left()), number(compare.right()));
		}
		if (instruction instanceof Instruction.Select select) {
			return List.of("select", number(select.predicate()), number(select.yes()), number(select.no()));
		}
		if (instruction instanceof Instruction.Call call) {
			return List.of(call.function(), call.arguments().stream().map(this::number).toList());
		}
		// @formatter:on
		return (instruction instanceof Instruction.Load load && !load.shared())
				? List.of(load.as(), load.offset(), number(load.base())) : null;
	}

}
