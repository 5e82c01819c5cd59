package io.ringkernel.test.ptx.text;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An operand as it is written.
 *
 * @since 0.2.0
 */
public sealed interface Operand {

	/**
	 * A register, a variable, a function or a label, and what is added to its address.
	 *
	 * @param text the name
	 * @param offset what is added
	 */
	record Name(String text, long offset) implements Operand {
	}

	/**
	 * A number.
	 *
	 * @param bits an integer, or the bits of a {@code float} or {@code double}
	 * @param type {@link ScalarType#S64}, {@link ScalarType#F32} or
	 * {@link ScalarType#F64}
	 */
	record Literal(long bits, ScalarType type) implements Operand {
	}

	/**
	 * What lies at an address.
	 *
	 * @param base what the address begins with, or {@code null} if it is a number
	 * @param offset what is added
	 */
	record Address(@Nullable String base, long offset) implements Operand {
	}

	/**
	 * Several operands in braces or parentheses.
	 *
	 * @param elements the operands
	 */
	record Vector(List<Operand> elements) implements Operand {
	}

	/**
	 * Two destinations.
	 *
	 * @param first the register before the bar
	 * @param second the register behind it
	 */
	record Pair(String first, String second) implements Operand {
	}

	/**
	 * A predicate that is negated.
	 *
	 * @param text its name
	 */
	record Not(String text) implements Operand {
	}

}
