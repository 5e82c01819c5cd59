package io.ringkernel.test.ptx.machine;

import java.util.concurrent.locks.LockSupport;

/**
 * The time that kernels see.
 *
 * @since 0.2.0
 */
public interface Clock {

	/** Nanoseconds since some moment. */
	long nanos();

	/**
	 * Lets time pass while no thread of a grid has anything to do.
	 * @param nanos how long, about
	 */
	void rest(long nanos);

	/** The time of this machine: for kernels that talk with the host. */
	static Clock real() {
		return new Clock() {

			@Override
			public long nanos() {
				return System.nanoTime();
			}

			@Override
			public void rest(long nanos) {
				LockSupport.parkNanos(nanos);
			}

		};
	}

	/**
	 * A time that passes by being looked at and by resting alone: each run of a kernel
	 * sees the same.
	 * @return a clock that begins at 0, for one grid
	 */
	static Clock virtual() {
		return new Clock() {

			private long now;

			@Override
			public long nanos() {
				return this.now++;
			}

			@Override
			public void rest(long nanos) {
				this.now += nanos;
			}

		};
	}

}
