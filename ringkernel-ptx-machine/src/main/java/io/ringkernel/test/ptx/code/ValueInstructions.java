package io.ringkernel.test.ptx.code;

import java.util.Objects;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

import io.ringkernel.test.ptx.arithmetic.BitMath;
import io.ringkernel.test.ptx.arithmetic.Comparisons;
import io.ringkernel.test.ptx.arithmetic.Conversions;
import io.ringkernel.test.ptx.arithmetic.Floats;
import io.ringkernel.test.ptx.arithmetic.Integers;
import io.ringkernel.test.ptx.arithmetic.TernaryOperator;
import io.ringkernel.test.ptx.code.Flags.Source;
import io.ringkernel.test.ptx.machine.Program;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.Operand;
import io.ringkernel.test.ptx.text.Operand.Literal;
import io.ringkernel.test.ptx.text.Operand.Name;
import io.ringkernel.test.ptx.text.Operand.Pair;
import io.ringkernel.test.ptx.text.Operand.Vector;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;
import org.jspecify.annotations.Nullable;

/** Decodes what makes values and predicates of values and predicates. */
record ValueInstructions(Names names) {

	private static final int BYTE_MASK = 0xff;

	private static final int UPPER_HALF_SHIFT = 32;

	@Nullable LaneInstruction decode(Statement statement) {
		return switch (statement.operation()) {
			case "mov" -> move(statement);
			case "setp" -> comparison(statement);
			case "set" -> throw statement.refused("is not supported: use setp and selp");
			case "selp" -> selection(statement);
			case "slct" -> selectionBySign(statement);
			case "cvt" -> conversion(statement);
			case "bfi" -> insertion(statement);
			case "lop3" -> logic(statement);
			case "shl", "shr" -> shift(statement);
			case "and", "or", "xor", "not" ->
				(statement.type() == ScalarType.PRED) ? predicateLogic(statement) : arithmetic(statement);
			default -> arithmetic(statement);
		};
	}

	private @Nullable LaneInstruction arithmetic(Statement statement) {
		int operands = statement.operands().size();
		if (operands < 2 || operands > 4 || !namesType(statement)) {
			return null;
		}
		boolean real = statement.type().isFloat();
		int destination = this.names.destination(statement);
		int[] sources = new int[operands - 1];
		for (int i = 1; i < operands; i++) {
			boolean isPosition = i > 1 && statement.operation().equals("bfe");
			sources[i - 1] = this.names.source(statement, i, isPosition ? ScalarType.U32 : statement.type());
		}
		switch (operands) {
			case 2 -> {
				LongUnaryOperator operator = real ? Floats.unary(statement) : Integers.unary(statement);
				return (operator == null) ? null : new Compute.Unary(statement, destination, sources[0], operator);
			}
			case 3 -> {
				LongBinaryOperator operator = real ? Floats.binary(statement) : Integers.binary(statement);
				return (operator == null) ? null
						: new Compute.Binary(statement, destination, sources[0], sources[1], operator);
			}
			default -> {
				TernaryOperator operator = real ? Floats.ternary(statement) : Integers.ternary(statement);
				return (operator == null) ? null
						: new Compute.Ternary(statement, destination, sources[0], sources[1], sources[2], operator);
			}
		}
	}

	private static boolean namesType(Statement statement) {
		return statement.opcode().stream().skip(1).anyMatch((part) -> ScalarType.named(part) != null);
	}

	private LaneInstruction shift(Statement statement) {
		LongBinaryOperator operator = Integers.binary(statement);
		if (operator == null) {
			throw statement.refused("is not supported");
		}
		return new Compute.Binary(statement, this.names.destination(statement), this.names.source(statement, 1),
				this.names.source(statement, 2, ScalarType.U32), operator);
	}

	private LaneInstruction move(Statement statement) {
		ScalarType type = statement.type();
		Operand to = Names.operand(statement, 0);
		Operand from = Names.operand(statement, 1);
		if (type == ScalarType.PRED) {
			Source source = this.names.flag(statement, from);
			return new Flags.Logic(statement, this.names.flag(statement, to).flag(), source, source, (a, b) -> a);
		}
		if (type == ScalarType.B128) {
			return new Moves(statement, halves(statement, from), halves(statement, to), ScalarType.B64);
		}
		if (from instanceof Vector vector) {
			int bits = type.bits() / vector.elements().size();
			ScalarType part = Objects.requireNonNull(ScalarType.named("b" + bits));
			return new Pack.Join(statement, this.names.sources(statement, from, part),
					this.names.destination(statement), bits);
		}
		if (to instanceof Vector vector) {
			return new Pack.Part(statement, this.names.source(statement, 1), this.names.destinations(statement, to),
					type.bits() / vector.elements().size());
		}
		int shift = (from instanceof Name name) ? clockShift(name.text()) : -1;
		if (shift >= 0) {
			return new Vote.Now(statement, this.names.destination(statement), shift);
		}
		return new Compute.Unary(statement, this.names.destination(statement), this.names.source(statement, 1),
				(value) -> value);
	}

	/** How far the clock is shifted for a register that shows it; -1 if it shows none. */
	private static int clockShift(String name) {
		return switch (name) {
			case "%clock", "%clock64", "%globaltimer", "%globaltimer_lo" -> 0;
			case "%clock_hi", "%globaltimer_hi" -> UPPER_HALF_SHIFT;
			default -> -1;
		};
	}

	/** Two registers of 64 bits, or one of 128. */
	private int[] halves(Statement statement, Operand operand) {
		if (operand instanceof Vector) {
			return this.names.sources(statement, operand, ScalarType.B64);
		}
		int low = this.names.source(statement, operand, ScalarType.B128);
		return new int[] { low, low + Warp.LANES };
	}

	/**
	 * The predicate behind is joined by the operator between the comparison and the type.
	 */
	private LaneInstruction comparison(Statement statement) {
		Operand to = Names.operand(statement, 0);
		String first = (to instanceof Pair pair) ? pair.first() : ((Name) to).text();
		int opposite = (to instanceof Pair pair) ? this.names.flag(statement, pair.second())
				: this.names.registers().scrapFlag();
		boolean joins = statement.operands().size() > 3;
		Source other = joins ? this.names.flag(statement, Names.operand(statement, 3))
				: new Source(Program.TRUE, false);
		return new Flags.Compare(statement, this.names.flag(statement, first), opposite,
				this.names.source(statement, 1), this.names.source(statement, 2), Comparisons.of(statement), other,
				joins ? join(statement, statement.opcode().get(2)) : join(statement, "and"));
	}

	private static IntBinaryOperator join(Statement statement, String operator) {
		return switch (operator) {
			case "and" -> (a, b) -> a & b;
			case "or" -> (a, b) -> a | b;
			case "xor" -> (a, b) -> a ^ b;
			default -> throw statement.refused("joins predicates by ." + operator);
		};
	}

	private LaneInstruction predicateLogic(Statement statement) {
		int destination = this.names.flag(statement, Names.operand(statement, 0)).flag();
		Source first = this.names.flag(statement, Names.operand(statement, 1));
		if (statement.operation().equals("not")) {
			return new Flags.Logic(statement, destination, first, first, (a, b) -> ~a);
		}
		return new Flags.Logic(statement, destination, first, this.names.flag(statement, Names.operand(statement, 2)),
				join(statement, statement.operation()));
	}

	private LaneInstruction selection(Statement statement) {
		return new Flags.Select(statement, this.names.destination(statement), this.names.source(statement, 1),
				this.names.source(statement, 2), this.names.flag(statement, Names.operand(statement, 3)));
	}

	private LaneInstruction selectionBySign(Statement statement) {
		if (statement.type() != ScalarType.S32) {
			throw statement.refused("is supported by the sign of an s32 alone");
		}
		ScalarType type = ScalarType.named(statement.opcode().get(1));
		ScalarType values = (type == null) ? ScalarType.B32 : type;
		return new Compute.Ternary(statement, this.names.destination(statement),
				this.names.source(statement, 1, values), this.names.source(statement, 2, values),
				this.names.source(statement, 3), (a, b, sign) -> ((int) sign >= 0) ? a : b);
	}

	private LaneInstruction conversion(Statement statement) {
		return new Compute.Unary(statement, this.names.destination(statement), this.names.source(statement, 1),
				Conversions.of(statement));
	}

	private LaneInstruction insertion(Statement statement) {
		int[] sources = { this.names.source(statement, 1), this.names.source(statement, 2),
				this.names.source(statement, 3, ScalarType.U32), this.names.source(statement, 4, ScalarType.U32) };
		return new Compute.Insert(statement, this.names.destination(statement), sources, statement.type());
	}

	private LaneInstruction logic(Statement statement) {
		if (!(Names.operand(statement, 4) instanceof Literal table)) {
			throw statement.refused("has no table");
		}
		return new Compute.Ternary(statement, this.names.destination(statement), this.names.source(statement, 1),
				this.names.source(statement, 2), this.names.source(statement, 3),
				BitMath.logic((int) table.bits() & BYTE_MASK));
	}

}
