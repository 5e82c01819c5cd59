package io.ringkernel.test.ptx.code;

import java.util.Map;

import io.ringkernel.test.ptx.code.Flags.Source;
import io.ringkernel.test.ptx.machine.Program;
import io.ringkernel.test.ptx.text.Operand;
import io.ringkernel.test.ptx.text.Operand.Address;
import io.ringkernel.test.ptx.text.Operand.Literal;
import io.ringkernel.test.ptx.text.Operand.Name;
import io.ringkernel.test.ptx.text.Operand.Not;
import io.ringkernel.test.ptx.text.Operand.Vector;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Space;
import io.ringkernel.test.ptx.text.Statement;
import io.ringkernel.test.ptx.text.Variable;
import org.jspecify.annotations.Nullable;

/**
 * Finds the registers that operands are.
 *
 * @param registers the registers
 * @param addresses where variables lie in their space
 */
record Names(Registers registers, Map<Variable, Long> addresses) {

	private static final String NOWHERE = "_";

	/** The register of an operand that is read; at least as wide as the type. */
	int source(Statement statement, Operand operand, ScalarType type) {
		if (operand instanceof Literal literal) {
			return this.registers.number(number(literal, type));
		}
		if (!(operand instanceof Name name)) {
			throw statement.refused("has an operand that is not supported: " + operand);
		}
		Integer special = this.registers.special(name.text());
		if (special != null) {
			return special;
		}
		Variable variable = variable(statement, name.text());
		if (variable.space() != Space.REG) {
			return this.registers.number(address(statement, variable) + name.offset());
		}
		if (variable.type().bits() < type.bits()) {
			throw statement
				.refused("reads '%s' of %d bits as one of %d".formatted(variable, variable.type().bits(), type.bits()));
		}
		return this.registers.value(variable);
	}

	/** Numbers with a point are doubles, whatever they become. */
	private static long number(Literal literal, ScalarType type) {
		return (type == ScalarType.F32 && literal.type() == ScalarType.F64)
				? Float.floatToRawIntBits((float) Double.longBitsToDouble(literal.bits())) : literal.bits();
	}

	int source(Statement statement, int index, ScalarType type) {
		return source(statement, operand(statement, index), type);
	}

	int source(Statement statement, int index) {
		return source(statement, index, statement.type());
	}

	/** The register of an operand that is written. */
	int destination(Statement statement, Operand operand) {
		if (!(operand instanceof Name name)) {
			throw statement.refused("writes what is not supported: " + operand);
		}
		return name.text().equals(NOWHERE) ? this.registers.scrap()
				: this.registers.value(variable(statement, name.text()));
	}

	int destination(Statement statement) {
		return destination(statement, operand(statement, 0));
	}

	/** The registers of an operand in braces, or of one alone. */
	int[] destinations(Statement statement, Operand operand) {
		if (operand instanceof Vector vector) {
			return vector.elements().stream().mapToInt((element) -> destination(statement, element)).toArray();
		}
		return new int[] { destination(statement, operand) };
	}

	int[] sources(Statement statement, Operand operand, ScalarType type) {
		if (operand instanceof Vector vector) {
			return vector.elements().stream().mapToInt((element) -> source(statement, element, type)).toArray();
		}
		return new int[] { source(statement, operand, type) };
	}

	Source flag(Statement statement, Operand operand) {
		if (operand instanceof Not not) {
			return new Source(flag(statement, not.text()), true);
		}
		if (operand instanceof Literal literal) {
			return new Source((literal.bits() != 0) ? Program.TRUE : Program.FALSE, false);
		}
		if (operand instanceof Name name) {
			return new Source(flag(statement, name.text()), false);
		}
		throw statement.refused("has an operand that is no predicate: " + operand);
	}

	int flag(Statement statement, String name) {
		return name.equals(NOWHERE) ? this.registers.scrapFlag() : this.registers.flag(variable(statement, name));
	}

	/** The predicate that guards a statement; always true if none does. */
	Source guard(Statement statement) {
		return (statement.guard() == null) ? new Source(Program.TRUE, false)
				: new Source(flag(statement, statement.guard()), statement.negated());
	}

	/** Where a statement accesses memory. */
	Place place(Statement statement, Operand operand, int base) {
		if (!(operand instanceof Address address)) {
			throw statement.refused("has no address");
		}
		if (address.base() == null) {
			return new Place(base, this.registers.number(0), false, address.offset());
		}
		Variable variable = variable(statement, address.base());
		if (variable.space() == Space.REG) {
			return new Place(base, this.registers.value(variable), variable.type().bytes() == Integer.BYTES,
					address.offset());
		}
		return new Place(base, this.registers.number(address(statement, variable)), false, address.offset());
	}

	Variable variable(Statement statement, String name) {
		Variable variable = statement.scope().variable(name);
		if (variable == null) {
			throw statement.refused("names '%s', which is not declared".formatted(name));
		}
		return variable;
	}

	private long address(Statement statement, Variable variable) {
		Long address = this.addresses.get(variable);
		if (address == null) {
			throw statement.refused("takes the address of '%s', which has none".formatted(variable));
		}
		return address;
	}

	static Operand operand(Statement statement, int index) {
		if (index >= statement.operands().size()) {
			throw statement.refused("lacks an operand");
		}
		return statement.operands().get(index);
	}

	/** The variable of an address, if it is one of a function's parameters. */
	@Nullable Variable parameter(Statement statement, Operand operand) {
		String name = (operand instanceof Address address) ? address.base() : null;
		Variable variable = (name == null) ? null : statement.scope().variable(name);
		boolean isParameter = variable != null && variable.space() == Space.PARAM
				&& !this.addresses.containsKey(variable);
		return isParameter ? variable : null;
	}

}
