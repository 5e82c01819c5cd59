package io.ringkernel.cuda.driver;

/**
 * An address in the device's address space.
 *
 * @param address the address
 * @since 0.1.0
 */
public record DevicePointer(long address) {

	/**
	 * {@return the address some bytes further on}
	 * @param bytes how many
	 */
	public DevicePointer plus(long bytes) {
		return new DevicePointer(this.address + bytes);
	}

	@Override
	public String toString() {
		return "0x" + Long.toHexString(this.address);
	}

}
