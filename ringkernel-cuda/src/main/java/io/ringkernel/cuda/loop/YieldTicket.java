package io.ringkernel.cuda.loop;

import java.util.List;

/**
 * Says that the kernels of a device make way: none is launched until it is closed. Those
 * that are still wanted go on then. The loops have been told before.
 */
record YieldTicket(List<CudaLoop> loops) {

	void close() {
		this.loops.forEach(CudaLoop::resume);
	}

}
