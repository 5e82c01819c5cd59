package io.ringkernel.runtime;

import java.util.List;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.exception.InvalidConfigurationException;

/**
 * How many replicas a kernel has, and where they are.
 *
 * @param replicas how many; 1 to {@value #MAX_REPLICAS}, or {@link #ONE_PER_DEVICE}
 * @param devices the devices that run them, in turn: replica 0 the first of them, and so
 * on, and from the first again if there are more replicas than devices; {@link #ALL} for
 * all that the process sees, and none for {@link KernelOptions#device}
 * @param onLoss what becomes of a replica whose device is lost
 * @since 0.2.0
 */
public record Replication(int replicas, List<Integer> devices, OnLoss onLoss) {

	/** As many replicas as there are devices. */
	public static final int ONE_PER_DEVICE = 0;

	/** All devices that the process sees. */
	public static final List<Integer> ALL = List.of(-1);

	/** No replicas: one session, on the device that the options of the kernel name. */
	public static final Replication NONE = new Replication(ONE_PER_DEVICE, List.of());

	private static final int MAX_REPLICAS = 1024;

	/**
	 * Creates the replication of replicas that stay with their devices.
	 * @param replicas how many; 1 to {@value #MAX_REPLICAS}, or {@link #ONE_PER_DEVICE}
	 * @param devices the devices that run them, in turn
	 * @throws InvalidConfigurationException if a value is out of its range
	 */
	public Replication(int replicas, List<Integer> devices) {
		this(replicas, devices, OnLoss.FAIL);
	}

	/**
	 * Creates the replication.
	 * @param replicas how many; 1 to {@value #MAX_REPLICAS}, or {@link #ONE_PER_DEVICE}
	 * @param devices the devices that run them, in turn
	 * @param onLoss what becomes of a replica whose device is lost
	 * @throws InvalidConfigurationException if a value is out of its range
	 */
	public Replication {
		if (replicas != ONE_PER_DEVICE) {
			check(replicas, ", or to 0 for one on each device");
		}
		devices = List.copyOf(devices);
	}

	/** Refuses a number of replicas that is out of range. */
	static void check(int replicas) {
		check(replicas, "");
	}

	private static void check(int replicas, String orElse) {
		if (replicas < 1 || replicas > MAX_REPLICAS) {
			throw new InvalidConfigurationException("replicas", replicas, "is out of range",
					"Set it to a value from 1 to %d%s.".formatted(MAX_REPLICAS, orElse));
		}
	}

}
