package io.ringkernel.cuda.load;

import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.image.KernelInfo;
import io.ringkernel.ring.order.ServingOrder;
import org.jspecify.annotations.Nullable;

/**
 * The device memory of one session, in one piece: what workers and blocks keep between
 * launches, what the handler keeps, and where messages are made contiguous.
 *
 * @param stateBytes of workers and blocks; at the base
 * @param userBytes of the handler
 * @param stagingBytes of messages
 * @param orderBytes of the positions that are served first, and of the one from which on
 * every position is; behind the messages. 0 for a fresh ring
 * @since 0.2.0
 */
public record SessionMemory(DevicePointer base, long stateBytes, long userBytes, long stagingBytes, long orderBytes) {

	/** The unit in which a launch states the size of the handler's state. */
	static final long STATE_PAGE_BYTES = 4096;

	private static final long ALIGNMENT = 256;

	/**
	 * Lays the memory out.
	 * @param stateMemory how much memory the handler's state has, if that is more than
	 * its image asks for; without effect for one without state
	 * @param order where a ring is taken up that another loop has served; {@code null}
	 * for a fresh one
	 */
	static SessionMemory layout(KernelInfo info, WorkerGrid grid, long stateMemory, @Nullable ServingOrder order) {
		long state = (long) grid.blocks() * info.stateBytesPerBlock()
				+ (long) grid.workers() * info.stateBytesPerWorker();
		long staging = (long) grid.workers() * info.stagingBytesPerWorker();
		long user = (info.userStateBytes() > 0) ? Math.max(info.userStateBytes(), stateMemory) : 0;
		return new SessionMemory(new DevicePointer(0), aligned(state, ALIGNMENT), aligned(user, STATE_PAGE_BYTES),
				aligned(staging, ALIGNMENT), (order != null) ? (order.unanswered().length + 1L) * Long.BYTES : 0);
	}

	private static long aligned(long bytes, long alignment) {
		return (bytes + alignment - 1) / alignment * alignment;
	}

	SessionMemory at(DevicePointer address) {
		return new SessionMemory(address, this.stateBytes, this.userBytes, this.stagingBytes, this.orderBytes);
	}

	public long bytes() {
		return Math.max(ALIGNMENT, this.stateBytes + this.userBytes + this.stagingBytes + this.orderBytes);
	}

	int statePages() {
		return Math.toIntExact(this.userBytes / STATE_PAGE_BYTES);
	}

	public DevicePointer user() {
		return (this.userBytes > 0) ? this.base.plus(this.stateBytes) : new DevicePointer(0);
	}

	DevicePointer staging() {
		return this.base.plus(this.stateBytes + this.userBytes);
	}

	/**
	 * Where the positions lie that are served first, and behind them the head of the
	 * ring; 0 for a fresh one.
	 */
	DevicePointer order() {
		return (this.orderBytes > 0) ? this.base.plus(this.stateBytes + this.userBytes + this.stagingBytes)
				: new DevicePointer(0);
	}

	/** How many positions are served first. */
	int takenOver() {
		return (this.orderBytes > 0) ? Math.toIntExact(this.orderBytes / Long.BYTES - 1) : 0;
	}

}
