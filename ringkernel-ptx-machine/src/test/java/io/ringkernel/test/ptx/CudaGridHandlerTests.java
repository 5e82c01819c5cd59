package io.ringkernel.test.ptx;

import java.util.function.Consumer;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.cuda.RequiresGpu;

/**
 * The same on a device.
 */
@RequiresGpu
class CudaGridHandlerTests extends GridHandlerTests {

	@Override
	void onDevice(Consumer<BackendProvider> work) {
		work.accept(new CudaBackendProvider());
	}

}
