package io.ringkernel.sample.stream;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.Chaos;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.cuda.host.HostServer;
import io.ringkernel.test.ptx.PtxMachine;

import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/**
 * Has a node run its kernel in a kernel host, on a device that interprets PTX, and
 * replace the host however often that ends. With {@code -Dstream.device=threads}, Java
 * threads of the host pass for the device: for loads that take the interpreter hours.
 * Without a stereotype, as the application looks for components in this package;
 * {@code spring.main.sources} names it.
 */
public class DeviceNode {

	/**
	 * The kernel host.
	 * @param arguments where it connects to
	 */
	public static void main(String[] arguments) {
		HostServer.run(arguments, new PtxMachine().provider(), HostServer.Handlers.NONE);
	}

	@Bean
	@Order(1)
	BackendProvider device() {
		return Chaos.patient(new PtxMachine().provider(), DeviceNode.class, HostOptions.DEFAULTS);
	}

	@Bean
	@Order(2)
	BackendProvider cpu() {
		return new CpuBackendProvider();
	}

}
