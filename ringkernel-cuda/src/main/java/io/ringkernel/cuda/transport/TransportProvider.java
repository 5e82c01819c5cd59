package io.ringkernel.cuda.transport;

import java.util.Arrays;
import java.util.List;

import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.cuda.memory.CudaRingMemory;
import io.ringkernel.cuda.memory.DeviceResources;
import io.ringkernel.cuda.probe.Behaviour;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.Transport;
import org.jspecify.annotations.Nullable;

/**
 * The transports of this backend, best first, with all that is particular about each: on
 * which platforms it works, how kernels are launched over it, and how it is opened for a
 * ring.
 *
 * @since 0.2.0
 */
public enum TransportProvider {

	/**
	 * The ring lies in host memory that the device reads and writes over the bus. That
	 * memory lives as long as the ring, so nothing is given back with a session.
	 */
	MAPPED(Transport.MAPPED, false) {

		@Override
		public List<ExecutionMode> modes() {
			return List.of(ExecutionMode.PERSISTENT, ExecutionMode.EVENT_DRIVEN);
		}

		@Override
		public @Nullable Obstacle obstacle(DeviceProperties device, Behaviour behaviour) {
			boolean able = device.mapsHostMemory() && device.registersHostMemory() && behaviour.maps();
			return able ? null : new Obstacle("host memory cannot be mapped", Obstacle.AUTO_TRANSPORT);
		}

		// Memory that cannot be mapped, this one or any more, stands against the plan
		// and not against the kernel.
		@Override
		public RingTransport open(Session session) {
			try {
				DevicePointer memory = session.resources().registrations().register(session.ring().pages());
				return () -> memory;
			}
			catch (CudaException ex) {
				if (ex.status().isFatal()) {
					throw ex;
				}
				throw new PlanFailedException(session.id(),
						"its ring of %d B cannot be locked for the device (%s): %s failed with %s".formatted(
								session.ring().pages().capacity(), cause(ex.status()), ex.attempted(),
								ex.status().name()),
						ex);
			}
		}

	},

	/**
	 * The ring lies in device memory, and copies around the launches of the kernel keep
	 * it in step with the host's. It works everywhere.
	 */
	BRIDGED(Transport.BRIDGED, true) {

		@Override
		public RingTransport open(Session session) {
			return new EventDrivenBridge(DeviceRegion.open(session), session.isHeard());
		}

	};

	private final Transport transport;

	private final boolean answersAtTheEnd;

	TransportProvider(Transport transport, boolean answersAtTheEnd) {
		this.transport = transport;
		this.answersAtTheEnd = answersAtTheEnd;
	}

	/**
	 * The provider of a transport.
	 * @throws IllegalArgumentException if it is none of this backend's
	 */
	public static TransportProvider of(Transport transport) {
		return Arrays.stream(values())
			.filter((provider) -> provider.transport == transport)
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("no ring of a CUDA kernel is " + transport));
	}

	private static String cause(CudaStatus status) {
		return status.isAlreadyRegistered()
				? "some of its memory is locked already, by something else in this process; a new process has no such lock"
				: "ulimit -l, or --ulimit memlock=-1 of a container, may raise the limit";
	}

	/** What it is called in plans and in the configuration. */
	public Transport transport() {
		return this.transport;
	}

	/** The modes that it serves, best first. */
	public List<ExecutionMode> modes() {
		return List.of(ExecutionMode.EVENT_DRIVEN);
	}

	/**
	 * Whether what a kernel has answered comes back only once it has ended, so that it is
	 * to end as soon as it finds nothing.
	 */
	public boolean answersAtTheEnd() {
		return this.answersAtTheEnd;
	}

	/** What stands against it on a platform; {@code null} if nothing does. */
	public @Nullable Obstacle obstacle(DeviceProperties device, Behaviour behaviour) {
		return null;
	}

	/** Opens it for one session. Only called while no kernel runs. */
	public abstract RingTransport open(Session session);

	/**
	 * What stands against a transport, or against a kernel that stays over it.
	 *
	 * @param reason a clause
	 * @param remedy a sentence
	 */
	public record Obstacle(String reason, String remedy) {

		/** What helps against an obstacle to a transport. */
		public static final String AUTO_TRANSPORT = "Set ringkernel.transport to auto.";

		/** What helps against an obstacle to a kernel that stays. */
		public static final String AUTO_MODE = "Set ringkernel.mode to auto or event-driven.";

	}

	/**
	 * What a transport is opened for.
	 *
	 * @param stream the kernel's stream
	 * @param isHeard whether anything can reach the kernel while it runs
	 */
	public record Session(String id, KernelRegion region, CudaRingMemory ring, CudaStream stream,
			DeviceResources resources, boolean isHeard) {
	}

}
