package io.ringkernel.backend;

import java.time.Duration;

import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.ring.WaitStrategy;

/**
 * How a kernel is run. {@link #DEFAULTS} is right for most kernels; a builder changes
 * single settings: <pre>{@code
 * KernelOptions options = KernelOptions.builder().workers(8).requestTimeout(Duration.ofSeconds(2)).build();
 * }</pre>
 *
 * @param workers how many workers take requests side by side; 1 to 1024
 * @param threadsPerWorker how many CUDA threads make up a worker; 32 to 1024, a multiple
 * of 32, or {@link #THREADS_BY_MESSAGES} for as many as the largest message of the kernel
 * wants. Without effect on the CPU
 * @param ringMemory the most memory of the ring, in bytes; 0 for the default: 4 MiB, and
 * at least 16 slots, or as many as fit into 2 GiB
 * @param stateMemory the device memory of the handler's state, in bytes; 0 for as much as
 * the image asks for. Without effect on the CPU, and for an image without state
 * @param requestTimeout how long a request may take if the caller does not say
 * @param backpressure what to do when the ring is full
 * @param waitStrategy how a caller waits for a response
 * @param idleBudget how long a worker looks for requests after its last one before it
 * rests
 * @param stopTimeout how long a stop may take before it is enforced
 * @param drainTimeout how long a termination waits for requests in flight; zero for not
 * at all
 * @param interruptOnTimeout whether the handler of a request that timed out or was
 * cancelled is interrupted. On the CPU alone: a kernel on a device runs on
 * @param device the device that runs the kernel, from 0, as CUDA counts those that the
 * process sees; -1 for that of the runtime. Without effect on the CPU
 * @param compile whether the handler is compiled for a device if there is no image
 * @param replay what becomes of a request that may have been begun on a device that has
 * ended by force
 * @param snapshots when the state is saved, and where
 * @since 0.1.0
 */
public record KernelOptions(int workers, int threadsPerWorker, long ringMemory, long stateMemory,
		Duration requestTimeout, Backpressure backpressure, WaitStrategy waitStrategy, Duration idleBudget,
		Duration stopTimeout, Duration drainTimeout, boolean interruptOnTimeout, int device, Compile compile,
		Replay replay, Snapshots snapshots) {

	/**
	 * Has the device's backend choose the threads of a worker by the largest message.
	 * @since 0.2.0
	 */
	public static final int THREADS_BY_MESSAGES = 0;

	/** Stands for the device that the runtime was opened for. */
	public static final int DEVICE_OF_RUNTIME = -1;

	private static final int MAX_DEVICE = 1023;

	private static final long MAX_RING_MEMORY = 1L << 30;

	/** Far more than any device has. */
	private static final long MAX_STATE_MEMORY = 1L << 40;

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final Duration IDLE_BUDGET = Duration.ofNanos(200_000);

	/** What is right for most kernels. */
	public static final KernelOptions DEFAULTS = new KernelOptions(32, THREADS_BY_MESSAGES, 0, 0, PATIENCE,
			Backpressure.BLOCK, WaitStrategy.BACK_OFF, IDLE_BUDGET, PATIENCE, PATIENCE, true, DEVICE_OF_RUNTIME,
			Compile.AUTO, Replay.NEVER, Snapshots.NONE);

	/**
	 * Creates the options; a {@linkplain #builder() builder} reads better.
	 * @param workers how many workers take requests side by side
	 * @param threadsPerWorker how many CUDA threads make up a worker
	 * @param ringMemory the most memory of the ring, in bytes
	 * @param stateMemory the device memory of the handler's state, in bytes
	 * @param requestTimeout how long a request may take if the caller does not say
	 * @param backpressure what to do when the ring is full
	 * @param waitStrategy how a caller waits for a response
	 * @param idleBudget how long a worker looks for requests before it rests
	 * @param stopTimeout how long a stop may take before it is enforced
	 * @param drainTimeout how long a termination waits for requests in flight
	 * @param interruptOnTimeout whether a handler without a caller is interrupted
	 * @param device the device that runs the kernel
	 * @param compile whether the handler is compiled for a device
	 * @param replay what becomes of a request that may have been begun
	 * @param snapshots when the state is saved, and where
	 * @throws InvalidConfigurationException if a value is out of its range
	 */
	public KernelOptions {
		SettingRange.number("workers", workers, 1, 1024);
		if (threadsPerWorker != THREADS_BY_MESSAGES) {
			SettingRange.number("threads-per-worker", threadsPerWorker, 32, 1024);
		}
		if (threadsPerWorker % 32 != 0) {
			int lower = threadsPerWorker / 32 * 32;
			throw new InvalidConfigurationException("threads-per-worker", threadsPerWorker, "is no multiple of 32",
					"Set it to %d or %d: a worker is made of whole warps.".formatted(lower, lower + 32));
		}
		SettingRange.size("ring-memory", ringMemory, MAX_RING_MEMORY, "1GB");
		SettingRange.size("state-memory", stateMemory, MAX_STATE_MEMORY, "1TB");
		SettingRange.number("device", device, DEVICE_OF_RUNTIME, MAX_DEVICE);
		SettingRange.positive("request-timeout", requestTimeout, PATIENCE);
		SettingRange.positive("stop-timeout", stopTimeout, PATIENCE);
		SettingRange.notNegative("idle-budget", idleBudget, IDLE_BUDGET);
		SettingRange.notNegative("drain-timeout", drainTimeout, PATIENCE);
		SettingRange.notNegative("snapshot-every", snapshots.every(), PATIENCE);
	}

	/**
	 * Begins with the {@link #DEFAULTS}.
	 * @return a builder
	 * @since 0.2.0
	 */
	public static Builder builder() {
		return DEFAULTS.toBuilder();
	}

	/**
	 * Begins with these options.
	 * @return a builder
	 * @since 0.2.0
	 */
	public Builder toBuilder() {
		return new Builder(this);
	}

	/**
	 * Changes single settings. Values are checked by {@link #build()}.
	 *
	 * @since 0.2.0
	 */
	public static final class Builder {

		private int workers;

		private int threadsPerWorker;

		private long ringMemory;

		private long stateMemory;

		private Duration requestTimeout;

		private Backpressure backpressure;

		private WaitStrategy waitStrategy;

		private Duration idleBudget;

		private Duration stopTimeout;

		private Duration drainTimeout;

		private boolean interruptOnTimeout;

		private int device;

		private Compile compile;

		private Replay replay;

		private Snapshots snapshots;

		private Builder(KernelOptions options) {
			this.workers = options.workers;
			this.threadsPerWorker = options.threadsPerWorker;
			this.ringMemory = options.ringMemory;
			this.stateMemory = options.stateMemory;
			this.requestTimeout = options.requestTimeout;
			this.backpressure = options.backpressure;
			this.waitStrategy = options.waitStrategy;
			this.idleBudget = options.idleBudget;
			this.stopTimeout = options.stopTimeout;
			this.drainTimeout = options.drainTimeout;
			this.interruptOnTimeout = options.interruptOnTimeout;
			this.device = options.device;
			this.compile = options.compile;
			this.replay = options.replay;
			this.snapshots = options.snapshots;
		}

		/**
		 * Sets how many workers take requests side by side; 1 to 1024.
		 * @param workers the value
		 * @return this builder
		 */
		public Builder workers(int workers) {
			this.workers = workers;
			return this;
		}

		/**
		 * Sets how many CUDA threads make up a worker; 32 to 1024, a multiple of 32, or
		 * {@link KernelOptions#THREADS_BY_MESSAGES}.
		 * @param threadsPerWorker the value
		 * @return this builder
		 */
		public Builder threadsPerWorker(int threadsPerWorker) {
			this.threadsPerWorker = threadsPerWorker;
			return this;
		}

		/**
		 * Sets the most memory of the ring, in bytes; 0 for the default: 4 MiB, and at
		 * least 16 slots, or as many as fit into 2 GiB.
		 * @param ringMemory the value
		 * @return this builder
		 */
		public Builder ringMemory(long ringMemory) {
			this.ringMemory = ringMemory;
			return this;
		}

		/**
		 * Sets the device memory of the handler's state, in bytes; 0 for as much as the
		 * image asks for. Without effect on the CPU, and for an image without state.
		 * @param stateMemory the value
		 * @return this builder
		 */
		public Builder stateMemory(long stateMemory) {
			this.stateMemory = stateMemory;
			return this;
		}

		/**
		 * Sets how long a request may take if the caller does not say.
		 * @param requestTimeout the value
		 * @return this builder
		 */
		public Builder requestTimeout(Duration requestTimeout) {
			this.requestTimeout = requestTimeout;
			return this;
		}

		/**
		 * Sets what to do when the ring is full.
		 * @param backpressure the value
		 * @return this builder
		 */
		public Builder backpressure(Backpressure backpressure) {
			this.backpressure = backpressure;
			return this;
		}

		/**
		 * Sets how a caller waits for a response.
		 * @param waitStrategy the value
		 * @return this builder
		 */
		public Builder waitStrategy(WaitStrategy waitStrategy) {
			this.waitStrategy = waitStrategy;
			return this;
		}

		/**
		 * Sets how long a worker looks for requests after its last one before it rests.
		 * @param idleBudget the value
		 * @return this builder
		 */
		public Builder idleBudget(Duration idleBudget) {
			this.idleBudget = idleBudget;
			return this;
		}

		/**
		 * Sets how long a stop may take before it is enforced.
		 * @param stopTimeout the value
		 * @return this builder
		 */
		public Builder stopTimeout(Duration stopTimeout) {
			this.stopTimeout = stopTimeout;
			return this;
		}

		/**
		 * Sets how long a termination waits for requests in flight; zero for not at all.
		 * @param drainTimeout the value
		 * @return this builder
		 */
		public Builder drainTimeout(Duration drainTimeout) {
			this.drainTimeout = drainTimeout;
			return this;
		}

		/**
		 * Sets whether a handler is interrupted whose request timed out or was cancelled.
		 * On the CPU alone: a kernel on a device runs on.
		 * @param interruptOnTimeout the value
		 * @return this builder
		 */
		public Builder interruptOnTimeout(boolean interruptOnTimeout) {
			this.interruptOnTimeout = interruptOnTimeout;
			return this;
		}

		/**
		 * Sets the device that runs the kernel, from 0, as CUDA counts those that the
		 * process sees; -1 for that of the runtime. Without effect on the CPU.
		 * @param device the value
		 * @return this builder
		 */
		public Builder device(int device) {
			this.device = device;
			return this;
		}

		/**
		 * Sets whether the handler is compiled for a device if there is no image.
		 * @param compile the value
		 * @return this builder
		 */
		public Builder compile(Compile compile) {
			this.compile = compile;
			return this;
		}

		/**
		 * Sets what becomes of a request that may have been begun on a device that has
		 * ended by force.
		 * @param replay the value
		 * @return this builder
		 */
		public Builder replay(Replay replay) {
			this.replay = replay;
			return this;
		}

		/**
		 * Sets when the state is saved, and where.
		 * @param snapshots the value
		 * @return this builder
		 */
		public Builder snapshots(Snapshots snapshots) {
			this.snapshots = snapshots;
			return this;
		}

		/**
		 * Builds the options.
		 * @return the options
		 * @throws InvalidConfigurationException if a value is out of its range: names the
		 * setting, the value, the range and what to set instead
		 */
		public KernelOptions build() {
			return new KernelOptions(this.workers, this.threadsPerWorker, this.ringMemory, this.stateMemory,
					this.requestTimeout, this.backpressure, this.waitStrategy, this.idleBudget, this.stopTimeout,
					this.drainTimeout, this.interruptOnTimeout, this.device, this.compile, this.replay, this.snapshots);
		}

	}

}
