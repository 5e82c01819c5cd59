package io.ringkernel.cuda.transport;

import java.util.function.BooleanSupplier;

import io.ringkernel.cuda.driver.DevicePointer;

/**
 * The device reads and writes the host's memory itself: there is nothing to carry. The
 * memory is registered for as long as it lives, so it is not given back with a session.
 *
 * @since 0.2.0
 */
public final class MappedTransport implements RingTransport {

	private final DevicePointer memory;

	public MappedTransport(DevicePointer memory) {
		this.memory = memory;
	}

	@Override
	public DevicePointer memory() {
		return this.memory;
	}

	@Override
	public boolean isCarried() {
		return false;
	}

	@Override
	public boolean launch(Runnable kernel, BooleanSupplier mayStay) {
		kernel.run();
		return false;
	}

	@Override
	public boolean whileRunning() {
		return false;
	}

	@Override
	public boolean isAwaited() {
		return false;
	}

	@Override
	public void afterEnd() {
	}

	@Override
	public void onCommand() {
	}

	@Override
	public void settle() {
	}

	@Override
	public void release() {
	}

}
