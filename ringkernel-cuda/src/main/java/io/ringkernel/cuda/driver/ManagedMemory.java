package io.ringkernel.cuda.driver;

import java.nio.ByteBuffer;

/**
 * Memory that host and device access by turns or at the same time, and that the driver
 * moves between them, unless it is advised not to.
 *
 * @param address its address on the device
 * @param buffer the same memory on the host. It does not own it: once it is
 * {@linkplain CudaContext#free freed}, a look at it ends the process
 * @since 0.1.0
 */
public record ManagedMemory(DevicePointer address, ByteBuffer buffer) {
}
