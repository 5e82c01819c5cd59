package io.ringkernel.spring.boot.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.Compile;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.Replay;
import io.ringkernel.backend.Snapshots;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.runtime.OnLoss;
import io.ringkernel.runtime.Replication;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Configuration of ring kernels.
 *
 * @param enabled Whether ring kernels are run at all.
 * @param backend What runs the kernels: 'auto' takes a CUDA device where there is one
 * that works, and the CPU otherwise.
 * @param mode How a kernel is kept running: 'persistent' launches it once, 'event-driven'
 * launches it when there is something to do, 'auto' takes the better one of those that
 * work on the platform.
 * @param transport How bytes get to the device: 'mapped' has it read and write host
 * memory, 'bridged' copies, 'auto' takes the best one of those that work on the platform.
 * @param device CUDA device that runs the kernels which name none, from 0, as CUDA counts
 * the devices that the process sees. Without effect on the CPU.
 * @param isolation Which process uses the CUDA devices: 'process' is one of its own, so
 * that a fault does not end the application's use of CUDA, 'none' is the application
 * itself, 'auto' takes a process of its own where there can be one. Without effect on the
 * CPU.
 * @param host The process that uses the CUDA devices if 'ringkernel.isolation' is
 * 'process', or 'auto' and there can be one.
 * @param timingInterval One request in so many is timed, for the metrics and the
 * percentiles of the endpoint; from 1, for every request, to 1048576.
 * @param failOnUnusableImage Whether the application fails to start if no device can run
 * the CUDA image of a kernel. If not, such a kernel runs on the CPU with a warning,
 * unless 'ringkernel.backend' is 'cuda'.
 * @param functions Whether each kernel is a Function bean as well, named by its id with
 * '-function' behind it, and one of batches, with '-batch-function' behind it. Spring
 * Cloud Function and Spring Cloud Stream find them by these names.
 * @param defaults Settings of every kernel that does not have its own.
 * @param kernels Settings of single kernels, by kernel id; the same as under
 * 'ringkernel.defaults', which is where unset ones are looked up.
 * @since 0.1.0
 */
@ConfigurationProperties("ringkernel")
public record RingKernelProperties(@DefaultValue("true") boolean enabled, @DefaultValue("auto") Backend backend,
		@DefaultValue("auto") Mode mode, @DefaultValue("auto") Transport transport, @DefaultValue("0") int device,
		@DefaultValue("auto") Isolation isolation, @DefaultValue Host host, @DefaultValue("16") int timingInterval,
		@DefaultValue("false") boolean failOnUnusableImage, @DefaultValue("false") boolean functions,
		@DefaultValue KernelProperties defaults, @DefaultValue Map<String, KernelProperties> kernels) {

	/** As of the options of a kernel. */
	private static final int MAX_DEVICE = 1023;

	/**
	 * What is asked of the platform.
	 * @throws InvalidConfigurationException if there can be no such device
	 */
	PlanRequest planRequest() {
		if (this.device < 0 || this.device > MAX_DEVICE) {
			throw new InvalidConfigurationException("ringkernel.device", this.device, "is out of range",
					"Set it to a value from 0 to %d.".formatted(MAX_DEVICE));
		}
		return new PlanRequest(this.backend.kind, this.mode.mode, this.transport.transport, this.device);
	}

	/** What runs the kernels. */
	public enum Backend {

		/** A CUDA device where there is one that works, the CPU otherwise. */
		AUTO(null),

		/** A CUDA device. */
		CUDA(BackendKind.CUDA),

		/** Java threads. */
		CPU(BackendKind.CPU);

		private final @Nullable BackendKind kind;

		Backend(@Nullable BackendKind kind) {
			this.kind = kind;
		}

	}

	/** How a kernel is kept running. */
	public enum Mode {

		/** The better one of those that work on the platform. */
		AUTO(null),

		/** Launched once. */
		PERSISTENT(ExecutionMode.PERSISTENT),

		/** Launched when there is something to do. */
		EVENT_DRIVEN(ExecutionMode.EVENT_DRIVEN);

		private final @Nullable ExecutionMode mode;

		Mode(@Nullable ExecutionMode mode) {
			this.mode = mode;
		}

	}

	/** How bytes get to the device. */
	public enum Transport {

		/** The best one of those that work on the platform. */
		AUTO(null),

		/** The device reads and writes host memory. */
		MAPPED(io.ringkernel.platform.Transport.MAPPED),

		/** A bridge copies between host and device memory. */
		BRIDGED(io.ringkernel.platform.Transport.BRIDGED);

		private final io.ringkernel.platform.@Nullable Transport transport;

		Transport(io.ringkernel.platform.@Nullable Transport transport) {
			this.transport = transport;
		}

	}

	/** Which process uses the CUDA devices. */
	public enum Isolation {

		/** One of its own if there can be one, otherwise that of the application. */
		AUTO,

		/** That of the application. */
		NONE,

		/** A process of its own, which the application starts and supervises. */
		PROCESS

	}

	/**
	 * The process that uses the CUDA devices.
	 *
	 * @param directory Directory of the files that both processes map, in memory and with
	 * room for all rings. Each file is deleted as soon as it is mapped. If not set,
	 * '/dev/shm' where there is one, and the temporary directory otherwise.
	 * @param startTimeout How long the process may take to start. If a duration suffix is
	 * not specified, milliseconds are used.
	 * @param silenceTimeout How long the process may give no sign of life before it is
	 * ended, at least 500ms. If a duration suffix is not specified, milliseconds are
	 * used.
	 * @param onStuck What happens to the process if a kernel does not get done with a
	 * request: 'restart' ends it and starts another one, 'ignore' leaves the worker to
	 * the request.
	 * @param stuckAfter How many times the request timeout of its kernel a request may be
	 * handled for, but at least for the silence timeout, before a kernel is stuck; at
	 * least 1.
	 * @since 0.2.0
	 */
	public record Host(@Nullable Path directory, @DefaultValue("20s") Duration startTimeout,
			@DefaultValue("3s") Duration silenceTimeout, @DefaultValue("restart") OnStuck onStuck,
			@DefaultValue("4") int stuckAfter) {

		/**
		 * After how many request timeouts the process is ended; 0 for never.
		 * @throws InvalidConfigurationException if the number is less than 1
		 */
		int endedAfter() {
			if (this.onStuck == OnStuck.IGNORE) {
				return 0;
			}
			if (this.stuckAfter < 1) {
				throw new InvalidConfigurationException("ringkernel.host.stuck-after", this.stuckAfter,
						"is less than 1",
						"Set it to a number of request timeouts such as 4, or ringkernel.host.on-stuck to ignore.");
			}
			return this.stuckAfter;
		}

	}

	/** What happens if a kernel does not get done with a request. */
	public enum OnStuck {

		/** The process that uses the device is ended, and another one is started. */
		RESTART,

		/** The request keeps its worker. */
		IGNORE

	}

	/**
	 * How one kernel, or each of them, is run. What is not set is {@code null}.
	 *
	 * @param image Resource location of the CUDA image, which goes before that of the
	 * annotation; empty for no image. Under 'ringkernel.defaults', the image of kernels
	 * that name none themselves.
	 * @param workers Number of workers that take requests side by side, from 1 to 1024.
	 * @param threadsPerWorker Number of CUDA threads that make up a worker, from 32 to
	 * 1024 and a multiple of 32; 0 for as many as the largest message of the kernel
	 * wants. Without effect on the CPU.
	 * @param ringMemory Most memory that the ring may take, up to 1GB; 0 for 4MB, or as
	 * much as 16 messages need. If a data size suffix is not specified, bytes are used.
	 * @param stateMemory Device memory of the handler's state, up to 1TB; 0 for as much
	 * as the image asks for. Without effect on the CPU. If a data size suffix is not
	 * specified, bytes are used.
	 * @param requestTimeout How long a request may take where the caller does not say. If
	 * a duration suffix is not specified, milliseconds are used.
	 * @param backpressure What happens to a request when the ring is full: 'block' has
	 * the caller wait within the request's timeout, 'reject' has it fail at once.
	 * @param waitStrategy How a caller waits for a response: 'busy-spin' keeps its core,
	 * 'yield' offers it to others, 'back-off' parks after some tens of microseconds.
	 * @param idleBudget How long a worker looks for requests before it rests. If a
	 * duration suffix is not specified, milliseconds are used.
	 * @param stopTimeout How long a kernel may take to stop before it is stopped by
	 * force. If a duration suffix is not specified, milliseconds are used.
	 * @param drainTimeout How long a termination waits for the requests in flight; 0 for
	 * not at all. If a duration suffix is not specified, milliseconds are used.
	 * @param interruptOnTimeout Whether the handler of a request that timed out or was
	 * cancelled is interrupted. Without effect on a device.
	 * @param replicas Number of replicas that serve the kernel's requests side by side,
	 * up to 1024, each with a ring and workers of its own; 0 for one on each of
	 * 'devices'.
	 * @param devices CUDA devices that run the kernel: 'all', or their numbers, from 0,
	 * as CUDA counts the devices that the process sees. Replicas are placed on them in
	 * turn. If not set, that of 'ringkernel.device'. Without effect on the CPU.
	 * @param routing How requests find a replica: 'least-loaded' takes one with few
	 * requests in flight, 'key' the one that serves the component with @RingKernelKey,
	 * and the name of a KeyExtractor bean the one that serves the key that it reads.
	 * @param onLoss What becomes of a replica whose device is lost: with 'move', it goes
	 * on on another one of 'devices', with the state that was saved last, until its own
	 * is back. With 'fail', it goes on on the CPU if 'ringkernel.backend' admits that,
	 * and otherwise takes no requests.
	 * @param consumers Consumers of messages that are paused while the kernel takes no
	 * requests: names of input bindings of Spring Cloud Stream, and ids of Kafka
	 * listeners. The bindings of the kernel's functions are paused anyway.
	 * @param compile Whether the handler of a kernel without an image is compiled for a
	 * device. With 'required', a handler that cannot be compiled fails start-up.
	 * @param replay What becomes of a request that may have been begun on a device that
	 * has ended by force: 'never' fails it, 'idempotent' handles it again.
	 * @param snapshotDirectory Directory in which the state of the kernel is saved, in a
	 * file with its id. The kernel begins with what was saved last whenever it would
	 * begin anew: when the application is restarted, and after a fault. If not set, the
	 * state is not saved.
	 * @param snapshotEvery How long the kernel runs between two snapshots of its state; 0
	 * for none while it runs. If a duration suffix is not specified, milliseconds are
	 * used.
	 * @param snapshotOnShutdown Whether the state is saved when the kernel is terminated.
	 */
	public record KernelProperties(@Nullable String image, @Nullable Integer workers,
			@Nullable Integer threadsPerWorker, @Nullable DataSize ringMemory, @Nullable DataSize stateMemory,
			@Nullable Duration requestTimeout, @Nullable Backpressure backpressure, @Nullable WaitStrategy waitStrategy,
			@Nullable Duration idleBudget, @Nullable Duration stopTimeout, @Nullable Duration drainTimeout,
			@Nullable Boolean interruptOnTimeout, @Nullable Integer replicas, @Nullable List<String> devices,
			@Nullable String routing, @Nullable OnLoss onLoss, @Nullable List<String> consumers,
			@Nullable Compile compile, @Nullable Replay replay, @Nullable Path snapshotDirectory,
			@Nullable Duration snapshotEvery, @Nullable Boolean snapshotOnShutdown) {

		/**
		 * These settings, and those of some options where they are not set.
		 * @throws io.ringkernel.exception.InvalidConfigurationException if a value is out
		 * of its range
		 */
		KernelOptions over(KernelOptions base) {
			return new KernelOptions(first(this.workers, base.workers()),
					first(this.threadsPerWorker, base.threadsPerWorker()),
					(this.ringMemory != null) ? this.ringMemory.toBytes() : base.ringMemory(),
					(this.stateMemory != null) ? this.stateMemory.toBytes() : base.stateMemory(),
					first(this.requestTimeout, base.requestTimeout()), first(this.backpressure, base.backpressure()),
					first(this.waitStrategy, base.waitStrategy()), first(this.idleBudget, base.idleBudget()),
					first(this.stopTimeout, base.stopTimeout()), first(this.drainTimeout, base.drainTimeout()),
					first(this.interruptOnTimeout, base.interruptOnTimeout()), base.device(),
					first(this.compile, base.compile()), first(this.replay, base.replay()), over(base.snapshots()));
		}

		private Snapshots over(Snapshots base) {
			return new Snapshots((this.snapshotDirectory != null) ? this.snapshotDirectory : base.directory(),
					first(this.snapshotEvery, base.every()), first(this.snapshotOnShutdown, base.onShutdown()));
		}

		/**
		 * The replicas, and those of a base where they are not set.
		 * @throws InvalidConfigurationException if a value is out of its range
		 */
		Replication over(Replication base) {
			return new Replication(first(this.replicas, base.replicas()),
					(this.devices != null) ? numbers(this.devices) : base.devices(), first(this.onLoss, base.onLoss()));
		}

		private static List<Integer> numbers(List<String> devices) {
			if (devices.equals(List.of("all"))) {
				return Replication.ALL;
			}
			if (!devices.stream().allMatch((device) -> device.matches("[0-9]{1,4}"))) {
				throw new InvalidConfigurationException("devices", String.join(",", devices), "is no list of devices",
						"Set it to 'all', or to numbers of devices, such as 0,1.");
			}
			return devices.stream().map(Integer::valueOf).toList();
		}

		private static <T> T first(@Nullable T own, T base) {
			return (own != null) ? own : base;
		}

	}

}
