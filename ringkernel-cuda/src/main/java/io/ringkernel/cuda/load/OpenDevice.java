package io.ringkernel.cuda.load;

import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.DeviceLoss;
import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.cuda.image.Modules;
import io.ringkernel.cuda.memory.DeviceResources;
import io.ringkernel.cuda.probe.Behaviour;

/**
 * A device that is open, with all that its kernels share.
 *
 * @param driverVersion the version of its driver, as that counts
 * @param resources what is taken from it
 * @param loss whether it is lost to this process
 * @param timings how long it is waited for
 * @since 0.2.0
 */
public record OpenDevice(DeviceProperties properties, int driverVersion, Behaviour behaviour, CudaContext context,
		Modules modules, DeviceResources resources, DeviceLoss loss, DeviceTimings timings) {
}
