package io.ringkernel.cuda.load;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.image.MessageShape;
import org.jspecify.annotations.Nullable;

/**
 * The one parameter of every kernel entry. <pre>
 *     0  memory, with the control block at its start   u64
 *     8  state of workers and blocks                   u64
 *    16  staging                                       u64
 *    24  state of the handler                          u64
 *    32  iteration limit; 0 for none                   u64
 *    40  idle budget, ns; 0 for never ending           u64
 *    48  workers   52  workers per block   56  threads per worker               3 × u32
 *    60  size of the state of the handler, in pages of 4096 B                   u32
 *    64  time limit, ns; 0 for none                    u64
 *    72  shortest request that all threads of a worker handle; 0 for any        u32
 *    76  positions to be served before the others     u32
 *    80  where they lie; 0 for none                    u64
 *    88  shape of the messages, of workers that were compiled without
 * </pre>
 *
 * @since 0.2.0
 */
public final class LaunchParameter {

	public static final int BYTES = 88;

	private LaunchParameter() {
	}

	static ByteBuffer of(DevicePointer memory, SessionMemory session, WorkerGrid grid, LaunchPolicy policy,
			@Nullable MessageShape shape) {
		ByteBuffer parameter = ByteBuffer.allocateDirect(BYTES + ((shape != null) ? MessageShape.BYTES : 0))
			.order(ByteOrder.LITTLE_ENDIAN);
		parameter.putLong(0, memory.address());
		parameter.putLong(8, session.base().address());
		parameter.putLong(16, session.staging().address());
		parameter.putLong(24, session.user().address());
		bound(parameter, policy);
		parameter.putInt(48, grid.workers());
		parameter.putInt(52, grid.workersPerBlock());
		parameter.putInt(56, grid.threads().perWorker());
		parameter.putInt(60, session.statePages());
		parameter.putInt(72, grid.threads().allFrom());
		parameter.putInt(76, session.takenOver());
		parameter.putLong(80, session.order().address());
		if (shape != null) {
			shape.write(parameter, BYTES);
		}
		return parameter;
	}

	/** The same parameter with other memory and the bounds of another policy. */
	static ByteBuffer with(ByteBuffer parameter, DevicePointer memory, LaunchPolicy policy) {
		ByteBuffer copy = ByteBuffer.allocateDirect(parameter.capacity()).order(ByteOrder.LITTLE_ENDIAN);
		copy.put(0, parameter, 0, parameter.capacity());
		copy.putLong(0, memory.address());
		bound(copy, policy);
		return copy;
	}

	/** How long a launch finds nothing before it ends. */
	static long idleBudget(ByteBuffer parameter) {
		return parameter.getLong(40);
	}

	static void idleBudget(ByteBuffer parameter, long nanos) {
		parameter.putLong(40, nanos);
	}

	private static void bound(ByteBuffer parameter, LaunchPolicy policy) {
		parameter.putLong(40, policy.idleBudgetNanos());
		parameter.putLong(64, policy.timeLimitNanos());
	}

}
