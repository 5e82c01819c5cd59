package io.ringkernel.compiler.ir;

/**
 * What an atomic step does with a word of memory.
 *
 * @since 0.2.0
 */
public enum AtomicOperation {

	ADD,
	/** Takes the operand if that is more. */
	MAX,
	/** Takes the replacement if the word is the operand. */
	COMPARE_AND_SET

}
