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
 * @param properties what it is
 * @param driverVersion the version of its driver, as that counts
 * @param behaviour what the driver was seen to do
 * @param context the context that everything happens in
 * @param modules the modules in it
 * @param resources what is taken from it
 * @param loss whether it is lost to this process
 * @param timings how long it is waited for
 * @since 0.2.0
 */
public record OpenDevice(DeviceProperties properties, int driverVersion, Behaviour behaviour, CudaContext context,
		Modules modules, DeviceResources resources, DeviceLoss loss, DeviceTimings timings) {
}
