package io.ringkernel.cuda.transport;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.message.buffer.MessageBuffer;

/**
 * Collects the copies of a step, which are then made by one visit to the driver's thread.
 */
final class CopyQueue implements RegionCopies {

	/**
	 * The most bytes of one copy from or to memory that is not pinned: the driver makes
	 * such a copy itself before it returns, at some gigabytes a second.
	 */
	static final int PAGEABLE_PIECE = 4 << 20;

	private final CudaContext context;

	private final DevicePointer region;

	private final int piece;

	private List<Consumer<CudaStream>> copies = new ArrayList<>();

	CopyQueue(CudaContext context, DevicePointer region, boolean pinned) {
		this.context = context;
		this.region = region;
		this.piece = pinned ? Integer.MAX_VALUE : PAGEABLE_PIECE;
	}

	@Override
	public void toDevice(MessageBuffer source, int offset, int bytes) {
		add(source, offset, bytes, this.context::upload);
	}

	@Override
	public void toHost(MessageBuffer target, int offset, int bytes) {
		add(target, offset, bytes, (from, to, stream) -> this.context.download(to, from, stream));
	}

	private void add(MessageBuffer buffer, int offset, int bytes, Transfer transfer) {
		for (int done = 0; done < bytes; done += Math.min(this.piece, bytes - done)) {
			int at = offset + done;
			ByteBuffer host = buffer.bytes().slice(at, Math.min(this.piece, bytes - done));
			DevicePointer device = this.region.plus(at);
			this.copies.add((stream) -> transfer.enqueue(device, host, stream));
		}
	}

	List<Consumer<CudaStream>> take() {
		List<Consumer<CudaStream>> taken = this.copies;
		this.copies = new ArrayList<>();
		return taken;
	}

	private interface Transfer {

		void enqueue(DevicePointer device, ByteBuffer host, CudaStream stream);

	}

}
