package io.ringkernel.cuda.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.DeviceProperties;
import org.jspecify.annotations.Nullable;

/**
 * A driver whose devices, one unless it is told otherwise, are made of Java threads.
 */
public final class SimulatedDriver implements CudaDriver {

	static final DeviceProperties DEVICE = new DeviceProperties("Simulated", 9, 0, 8, 1L << 34, 1024, 200_000, false,
			false, true, true, true, true, true, 1_000_000_000);

	private final List<SimulatedContext> contexts = new ArrayList<>(List.of(new SimulatedContext()));

	/** The devices that were opened, in that order. */
	private final List<Integer> opened = new CopyOnWriteArrayList<>();

	private int version = 13_000;

	private int devices = 1;

	private DeviceProperties properties = DEVICE;

	private @Nullable RuntimeException failure;

	private int initializations;

	public SimulatedDriver version(int version) {
		this.version = version;
		return this;
	}

	public SimulatedDriver devices(int devices) {
		this.devices = devices;
		while (this.contexts.size() < devices) {
			this.contexts.add(new SimulatedContext());
		}
		return this;
	}

	public SimulatedDriver properties(DeviceProperties properties) {
		this.properties = properties;
		return this;
	}

	public SimulatedDriver withoutMemoryPools() {
		return properties(new DeviceProperties("Simulated", 9, 0, 8, 1L << 34, 1024, 200_000, false, false, true, true,
				true, true, false, 1_000_000_000));
	}

	public SimulatedDriver failing(RuntimeException failure) {
		this.failure = failure;
		return this;
	}

	public SimulatedContext context() {
		return context(0);
	}

	public SimulatedContext context(int device) {
		return this.contexts.get(device);
	}

	public List<Integer> opened() {
		return this.opened;
	}

	public int initializations() {
		return this.initializations;
	}

	@Override
	public int initialize() {
		this.initializations++;
		if (this.failure != null) {
			throw this.failure;
		}
		return this.version;
	}

	@Override
	public int deviceCount() {
		return this.devices;
	}

	@Override
	public DeviceProperties properties(int ordinal) {
		return this.properties;
	}

	@Override
	public CudaContext open(int ordinal) {
		this.opened.add(ordinal);
		return context(ordinal);
	}

}
