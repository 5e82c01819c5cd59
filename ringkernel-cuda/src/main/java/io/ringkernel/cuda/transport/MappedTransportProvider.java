package io.ringkernel.cuda.transport;

import java.util.List;

import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.cuda.probe.Behaviour;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.Transport;
import org.jspecify.annotations.Nullable;

/**
 * The ring lies in host memory that the device reads and writes over the bus.
 */
final class MappedTransportProvider implements TransportProvider {

	@Override
	public Transport transport() {
		return Transport.MAPPED;
	}

	@Override
	public List<ExecutionMode> modes() {
		return List.of(ExecutionMode.PERSISTENT, ExecutionMode.EVENT_DRIVEN);
	}

	@Override
	public @Nullable Obstacle obstacle(DeviceProperties device, Behaviour behaviour) {
		boolean able = device.mapsHostMemory() && device.registersHostMemory() && behaviour.maps();
		return able ? null : new Obstacle("host memory cannot be mapped", Obstacle.AUTO_TRANSPORT);
	}

	/**
	 * Memory that cannot be mapped, this one or any more, stands against the plan and not
	 * against the kernel.
	 */
	@Override
	public RingTransport open(Session session) {
		try {
			DevicePointer memory = session.resources().registrations().register(session.ring().pages());
			return new MappedTransport(memory);
		}
		catch (CudaException ex) {
			if (ex.status().isFatal()) {
				throw ex;
			}
			throw new PlanFailedException(session.id(),
					"its ring of %d B cannot be locked for the device (%s): %s failed with %s".formatted(
							session.ring().pages().capacity(), cause(ex.status()), ex.attempted(), ex.status().name()),
					ex);
		}
	}

	private static String cause(CudaStatus status) {
		return status.isAlreadyRegistered()
				? "some of its memory is locked already, by something else in this process; a new process has no such lock"
				: "ulimit -l, or --ulimit memlock=-1 of a container, may raise the limit";
	}

}
