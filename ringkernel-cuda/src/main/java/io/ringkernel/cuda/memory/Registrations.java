package io.ringkernel.cuda.memory;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.DevicePointer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The host's memory that a device may reach, by its threads or by its copies. What may be
 * reached from there must stay reachable here as well.
 *
 * @since 0.2.0
 */
public final class Registrations {

	private static final Logger logger = LoggerFactory.getLogger(Registrations.class);

	private final DeviceResources resources;

	private final Set<ByteBuffer> registered = Collections
		.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

	Registrations(DeviceResources resources) {
		this.resources = resources;
	}

	/**
	 * Makes memory accessible to the device. It is kept from then on until it is seen to
	 * be unregistered: a registration that failed or is late may still be in effect.
	 * Memory that was registered or pinned before, by an earlier load of its kernel, is
	 * unregistered first. To be called while no kernel reaches it.
	 */
	public DevicePointer register(ByteBuffer pages) {
		if (!this.registered.add(pages)) {
			unregister(pages);
		}
		return this.resources.context().register(pages);
	}

	/** Pins memory, where the platform lets it; memory that was registered is pinned. */
	public boolean pin(ByteBuffer pages) {
		boolean isNew = this.registered.add(pages);
		try {
			this.resources.context().pin(pages);
			return true;
		}
		catch (CudaException ex) {
			if (ex.status().isFatal()) {
				throw ex;
			}
			if (ex.status().isAlreadyRegistered()) {
				return true;
			}
			if (isNew) {
				this.registered.remove(pages);
			}
			logger.debug("Host memory cannot be pinned: {}", ex.getMessage());
			return false;
		}
	}

	void unregisterLater(ByteBuffer pages) {
		if (this.registered.contains(pages)) {
			this.resources.releaseLater(() -> {
				unregister(pages);
				this.registered.remove(pages);
			});
		}
	}

	private void unregister(ByteBuffer pages) {
		try {
			this.resources.context().unregister(pages);
		}
		catch (CudaException ex) {
			if (!ex.status().isNotRegistered()) {
				throw ex;
			}
		}
	}

}
