package io.ringkernel.cuda.loop;

import java.util.List;

/**
 * Says that the kernels of a device make way: none is launched until it is closed. Those
 * that are still wanted go on then.
 */
final class YieldTicket {

	private final List<CudaLoop> loops;

	private YieldTicket(List<CudaLoop> loops) {
		this.loops = loops;
	}

	/**
	 * Tells kernels to make way.
	 */
	static YieldTicket tell(List<CudaLoop> loops) {
		loops.forEach(CudaLoop::makeWay);
		return new YieldTicket(loops);
	}

	/**
	 * A ticket for kernels that have made way already.
	 */
	static YieldTicket ofYielded(List<CudaLoop> loops) {
		return new YieldTicket(loops);
	}

	void close() {
		this.loops.forEach(CudaLoop::resume);
	}

}
