package io.ringkernel.test.ptx.text;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An instruction as it is written.
 *
 * @param line its line, from 1
 * @param guard the predicate of the lanes that execute it, or {@code null} if all do
 * @param negated whether it is executed where the predicate is false
 * @param opcode the parts between the dots of {@code ld.param.u64}
 * @param operands the operands, destinations first
 * @param scope the names that it knows
 * @since 0.2.0
 */
public record Statement(int line, @Nullable String guard, boolean negated, List<String> opcode, List<Operand> operands,
		Scope scope) {

	/** The first part of the opcode: what the instruction does. */
	public String operation() {
		return this.opcode.get(0);
	}

	/** Whether the opcode has a modifier, which is named without its dot. */
	public boolean has(String modifier) {
		return this.opcode.indexOf(modifier) > 0;
	}

	/** The opcode as it is written. */
	public String mnemonic() {
		return String.join(".", this.opcode);
	}

	/** The opcode and the line. */
	public String describe() {
		return "%s in line %d".formatted(mnemonic(), this.line);
	}

	/**
	 * The last type that the opcode names: that of its operands.
	 * @throws PtxSyntaxException if it names none
	 */
	public ScalarType type() {
		for (int i = this.opcode.size() - 1; i > 0; i--) {
			ScalarType type = ScalarType.named(this.opcode.get(i));
			if (type != null) {
				return type;
			}
		}
		throw refused("has no type");
	}

	/** Refuses the statement. */
	public PtxSyntaxException refused(String problem) {
		return new PtxSyntaxException(this.line, mnemonic() + " " + problem);
	}

}
