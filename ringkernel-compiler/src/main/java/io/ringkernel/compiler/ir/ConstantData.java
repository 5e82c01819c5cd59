package io.ringkernel.compiler.ir;

import java.util.Arrays;

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

	/**
	 * Creates the data.
	 * @param address the register that holds where it begins
	 * @param bytes what it is
	 */
	public ConstantData {
		bytes = bytes.clone();
	}

	/**
	 * What it is.
	 * @return the bytes
	 */
	@Override
	public byte[] bytes() {
		return this.bytes.clone();
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof ConstantData data && this.address.equals(data.address)
				&& Arrays.equals(this.bytes, data.bytes);
	}

	@Override
	public int hashCode() {
		return Arrays.hashCode(this.bytes);
	}

}
