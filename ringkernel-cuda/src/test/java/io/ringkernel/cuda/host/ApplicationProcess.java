package io.ringkernel.cuda.host;

import java.nio.file.Path;
import java.util.List;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * An application with a kernel host. It prints the process of the host, and sends
 * requests until it is killed.
 */
final class ApplicationProcess {

	private ApplicationProcess() {
	}

	/**
	 * Runs the application.
	 * @param arguments the directory of the rings
	 */
	public static void main(String[] arguments) {
		KernelHostProvider provider = new KernelHostProvider(new DeviceHostMain.Device(), DeviceHostMain.class,
				new HostOptions(Path.of(arguments[0]), HostOptions.DEFAULTS.startTimeout(),
						HostOptions.DEFAULTS.silenceTimeout(), HostOptions.STUCK_AFTER));
		RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
				List.of(provider, new CpuBackendProvider()));
		Kernel<Number, Number> kernel = runtime.define(DeviceHostMain.kernel("numbers", KernelOptions.DEFAULTS));
		kernel.launch();
		kernel.activate();
		kernel.client().call(new Number(1));
		System.out.println("host: " + provider.hosts().get(0).pid());
		for (long i = 0; kernel.client().call(new Number(i)).value() == 2 * i; i++) {
			Thread.onSpinWait();
		}
	}

}
