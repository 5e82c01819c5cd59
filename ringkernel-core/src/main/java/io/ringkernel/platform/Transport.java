package io.ringkernel.platform;

/**
 * How the bytes of a ring get to the device.
 *
 * @since 0.1.0
 */
public enum Transport {

	/** Host and device loop are threads of one process over the same memory. */
	DIRECT,

	/** The device reads and writes host memory over the bus. */
	MAPPED,

	/** The ring lies in device memory; a bridge copies what is in use both ways. */
	BRIDGED

}
