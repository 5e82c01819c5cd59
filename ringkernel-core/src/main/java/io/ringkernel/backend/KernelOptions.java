package io.ringkernel.backend;

import java.time.Duration;

import io.ringkernel.InvalidConfigurationException;
import io.ringkernel.ring.WaitStrategy;

/**
 * How a kernel is run. {@link #DEFAULTS} is right for most; each {@code with} method
 * returns a copy with one setting changed.
 *
 * @param workers how many workers take requests side by side; 1 to 1024
 * @param threadsPerWorker how many CUDA threads make up a worker; 32 to 1024, a multiple
 * of 32
 * @param ringMemory how much memory the ring may take, in bytes, or 0 for the default: 4
 * MiB, and at least 16 slots
 * @param stateMemory how much device memory the state of the handler has, in bytes, or 0
 * for as much as the image asks for; without effect on the CPU, and for an image without
 * state
 * @param requestTimeout how long a request may take where the caller does not say
 * @param backpressure what to do when the ring is full
 * @param waitStrategy how a caller waits for a response
 * @param processing how many requests a worker takes per iteration
 * @param maxPerIteration the most requests of one iteration; 1 to 65536
 * @param idleBudget how long a worker looks for requests before it rests
 * @param iterationLimit how many requests an event-driven launch handles before it ends;
 * at least 1
 * @param stopTimeout how long a stop may take before it is enforced
 * @param drainTimeout how long a termination waits for requests in flight; zero for not
 * at all
 */
public record KernelOptions(int workers, int threadsPerWorker, long ringMemory, long stateMemory,
		Duration requestTimeout, Backpressure backpressure, WaitStrategy waitStrategy, Processing processing,
		int maxPerIteration, Duration idleBudget, int iterationLimit, Duration stopTimeout, Duration drainTimeout) {

	/** Far more than any device has. */
	private static final long MAX_STATE_MEMORY = 1L << 40;

	/** What is right for most kernels. */
	public static final KernelOptions DEFAULTS = new KernelOptions(32, 32, 0, 0, Duration.ofSeconds(5),
			Backpressure.BLOCK, WaitStrategy.BACK_OFF, Processing.ADAPTIVE, 64, Duration.ofNanos(200_000), 65_536,
			Duration.ofSeconds(5), Duration.ofSeconds(5));

	/**
	 * Creates the options.
	 * @param workers how many workers take requests side by side
	 * @param threadsPerWorker how many CUDA threads make up a worker
	 * @param ringMemory how much memory the ring may take, in bytes, or 0
	 * @param stateMemory how much device memory the state of the handler has, in bytes,
	 * or 0
	 * @param requestTimeout how long a request may take
	 * @param backpressure what to do when the ring is full
	 * @param waitStrategy how a caller waits for a response
	 * @param processing how many requests a worker takes per iteration
	 * @param maxPerIteration the most requests of one iteration
	 * @param idleBudget how long a worker looks for requests before it rests
	 * @param iterationLimit how many requests an event-driven launch handles
	 * @param stopTimeout how long a stop may take before it is enforced
	 * @param drainTimeout how long a termination waits for requests in flight
	 * @throws InvalidConfigurationException if a value is out of its range
	 */
	public KernelOptions {
		range("workers", workers, 1, 1024);
		range("threads-per-worker", threadsPerWorker, 32, 1024);
		if (threadsPerWorker % 32 != 0) {
			throw new InvalidConfigurationException("threads-per-worker", threadsPerWorker, "is no multiple of 32",
					"A worker is made of whole warps.");
		}
		range("ring-memory", ringMemory, 0, 1L << 30);
		range("state-memory", stateMemory, 0, MAX_STATE_MEMORY);
		range("max-per-iteration", maxPerIteration, 1, 65_536);
		range("iteration-limit", iterationLimit, 1, Integer.MAX_VALUE);
		positive("request-timeout", requestTimeout);
		positive("stop-timeout", stopTimeout);
		notNegative("idle-budget", idleBudget);
		notNegative("drain-timeout", drainTimeout);
	}

	/**
	 * A copy with another value for one setting.
	 * @param workers how many workers take requests side by side
	 * @return the copy
	 */
	public KernelOptions withWorkers(int workers) {
		return new KernelOptions(workers, this.threadsPerWorker, this.ringMemory, this.stateMemory, this.requestTimeout,
				this.backpressure, this.waitStrategy, this.processing, this.maxPerIteration, this.idleBudget,
				this.iterationLimit, this.stopTimeout, this.drainTimeout);
	}

	/**
	 * A copy with another value for one setting.
	 * @param threadsPerWorker how many CUDA threads make up a worker
	 * @return the copy
	 */
	public KernelOptions withThreadsPerWorker(int threadsPerWorker) {
		return new KernelOptions(this.workers, threadsPerWorker, this.ringMemory, this.stateMemory, this.requestTimeout,
				this.backpressure, this.waitStrategy, this.processing, this.maxPerIteration, this.idleBudget,
				this.iterationLimit, this.stopTimeout, this.drainTimeout);
	}

	/**
	 * A copy with another value for one setting.
	 * @param ringMemory how much memory the ring may take, in bytes, or 0 for the default
	 * @return the copy
	 */
	public KernelOptions withRingMemory(long ringMemory) {
		return new KernelOptions(this.workers, this.threadsPerWorker, ringMemory, this.stateMemory, this.requestTimeout,
				this.backpressure, this.waitStrategy, this.processing, this.maxPerIteration, this.idleBudget,
				this.iterationLimit, this.stopTimeout, this.drainTimeout);
	}

	/**
	 * A copy with another value for one setting.
	 * @param stateMemory how much device memory the state of the handler has, in bytes,
	 * or 0 for as much as the image asks for
	 * @return the copy
	 */
	public KernelOptions withStateMemory(long stateMemory) {
		return new KernelOptions(this.workers, this.threadsPerWorker, this.ringMemory, stateMemory, this.requestTimeout,
				this.backpressure, this.waitStrategy, this.processing, this.maxPerIteration, this.idleBudget,
				this.iterationLimit, this.stopTimeout, this.drainTimeout);
	}

	/**
	 * A copy with another value for one setting.
	 * @param requestTimeout how long a request may take
	 * @return the copy
	 */
	public KernelOptions withRequestTimeout(Duration requestTimeout) {
		return new KernelOptions(this.workers, this.threadsPerWorker, this.ringMemory, this.stateMemory, requestTimeout,
				this.backpressure, this.waitStrategy, this.processing, this.maxPerIteration, this.idleBudget,
				this.iterationLimit, this.stopTimeout, this.drainTimeout);
	}

	/**
	 * A copy with another value for one setting.
	 * @param backpressure what to do when the ring is full
	 * @return the copy
	 */
	public KernelOptions withBackpressure(Backpressure backpressure) {
		return new KernelOptions(this.workers, this.threadsPerWorker, this.ringMemory, this.stateMemory,
				this.requestTimeout, backpressure, this.waitStrategy, this.processing, this.maxPerIteration,
				this.idleBudget, this.iterationLimit, this.stopTimeout, this.drainTimeout);
	}

	/**
	 * A copy with another value for one setting.
	 * @param waitStrategy how a caller waits for a response
	 * @return the copy
	 */
	public KernelOptions withWaitStrategy(WaitStrategy waitStrategy) {
		return new KernelOptions(this.workers, this.threadsPerWorker, this.ringMemory, this.stateMemory,
				this.requestTimeout, this.backpressure, waitStrategy, this.processing, this.maxPerIteration,
				this.idleBudget, this.iterationLimit, this.stopTimeout, this.drainTimeout);
	}

	/**
	 * A copy with another value for one setting.
	 * @param processing how many requests a worker takes per iteration
	 * @return the copy
	 */
	public KernelOptions withProcessing(Processing processing) {
		return new KernelOptions(this.workers, this.threadsPerWorker, this.ringMemory, this.stateMemory,
				this.requestTimeout, this.backpressure, this.waitStrategy, processing, this.maxPerIteration,
				this.idleBudget, this.iterationLimit, this.stopTimeout, this.drainTimeout);
	}

	/**
	 * A copy with another value for one setting.
	 * @param idleBudget how long a worker looks for requests before it rests
	 * @return the copy
	 */
	public KernelOptions withIdleBudget(Duration idleBudget) {
		return new KernelOptions(this.workers, this.threadsPerWorker, this.ringMemory, this.stateMemory,
				this.requestTimeout, this.backpressure, this.waitStrategy, this.processing, this.maxPerIteration,
				idleBudget, this.iterationLimit, this.stopTimeout, this.drainTimeout);
	}

	/**
	 * A copy with another value for one setting.
	 * @param iterationLimit how many requests an event-driven launch handles
	 * @return the copy
	 */
	public KernelOptions withIterationLimit(int iterationLimit) {
		return new KernelOptions(this.workers, this.threadsPerWorker, this.ringMemory, this.stateMemory,
				this.requestTimeout, this.backpressure, this.waitStrategy, this.processing, this.maxPerIteration,
				this.idleBudget, iterationLimit, this.stopTimeout, this.drainTimeout);
	}

	/**
	 * A copy with another value for one setting.
	 * @param stopTimeout how long a stop may take before it is enforced
	 * @return the copy
	 */
	public KernelOptions withStopTimeout(Duration stopTimeout) {
		return new KernelOptions(this.workers, this.threadsPerWorker, this.ringMemory, this.stateMemory,
				this.requestTimeout, this.backpressure, this.waitStrategy, this.processing, this.maxPerIteration,
				this.idleBudget, this.iterationLimit, stopTimeout, this.drainTimeout);
	}

	/**
	 * A copy with another value for one setting.
	 * @param drainTimeout how long a termination waits for requests in flight
	 * @return the copy
	 */
	public KernelOptions withDrainTimeout(Duration drainTimeout) {
		return new KernelOptions(this.workers, this.threadsPerWorker, this.ringMemory, this.stateMemory,
				this.requestTimeout, this.backpressure, this.waitStrategy, this.processing, this.maxPerIteration,
				this.idleBudget, this.iterationLimit, this.stopTimeout, drainTimeout);
	}

	/**
	 * How many requests a worker takes before it looks for a command.
	 * @return a count from 1 to {@link #maxPerIteration}
	 */
	public int requestsPerIteration() {
		return (this.processing == Processing.CONTINUOUS) ? 1 : this.maxPerIteration;
	}

	private static void range(String setting, long value, long min, long max) {
		if (value < min || value > max) {
			throw new InvalidConfigurationException(setting, value, "is out of range",
					"Set it to a value from %d to %d.".formatted(min, max));
		}
	}

	private static void positive(String setting, Duration value) {
		if (value.isZero()) {
			throw new InvalidConfigurationException(setting, value, "is not positive", "Set it to, say, 5s.");
		}
		notNegative(setting, value);
	}

	/** A year: far below what overflows a count of nanoseconds. */
	private static void notNegative(String setting, Duration value) {
		if (value.isNegative() || value.compareTo(Duration.ofDays(365)) > 0) {
			throw new InvalidConfigurationException(setting, value, "is not from 0 to 365 days", "Set it to, say, 5s.");
		}
	}

}
