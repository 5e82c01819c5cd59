package io.ringkernel.compiler.ir;

/**
 * What code reads and nothing writes: it lies beside the code.
 *
 * @param address the register that holds where it begins
 * @param bytes what it is
 * @since 0.2.0
 */
public record ConstantData(Register address, byte[] bytes) {

	/** What its address is a multiple of. */
	public static final int ALIGNMENT = 16;

}
