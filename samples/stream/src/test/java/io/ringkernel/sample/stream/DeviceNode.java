package io.ringkernel.sample.stream;

import java.time.Duration;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.Chaos;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.cuda.host.server.HostServer;
import io.ringkernel.models.Model;
import io.ringkernel.sample.stream.kernel.CardScoring;
import io.ringkernel.sample.stream.kernel.CardStreamProperties;
import io.ringkernel.test.ptx.PtxMachine;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.ClassPathResource;

/**
 * Has a node run its kernel in a kernel host, on a device that interprets PTX, and
 * replace the host however often that ends. With the environment variable
 * {@value #THREADS} set, Java threads of the host pass for the device: for loads that
 * would take the interpreter hours. Without a stereotype, as the application looks for
 * components in this package; {@code spring.main.sources} names it.
 */
public class DeviceNode {

	/** Holds how many partitions there are. */
	private static final String THREADS = "STREAM_DEVICE_THREADS";

	private static final Duration RESTORE_TIMEOUT = Duration.ofMinutes(2);

	/**
	 * The kernel host.
	 * @param arguments where it connects to
	 */
	public static void main(String[] arguments) {
		String partitions = System.getenv(THREADS);
		if (partitions == null) {
			HostServer.run(arguments, provider(), HostServer.NO_HANDLERS);
		}
		else {
			HostServer.run(arguments, provider(), (id) -> handler(Integer.parseInt(partitions)));
		}
	}

	@SuppressWarnings("unchecked")
	private static RingKernelHandler<Record, Record> handler(int partitions) {
		CardStreamProperties properties = new CardStreamProperties(partitions, 16384, RESTORE_TIMEOUT,
				new ClassPathResource("fraud.json"), 0.5f);
		return (RingKernelHandler<Record, Record>) (RingKernelHandler<?, ?>) new CardScoring(properties,
				Model.read(properties.model()));
	}

	private static BackendProvider provider() {
		return (System.getenv(THREADS) != null) ? new ThreadsDevice() : new PtxMachine().provider();
	}

	@Bean
	@Order(1)
	BackendProvider device() {
		return Chaos.patient(provider(), DeviceNode.class, HostOptions.DEFAULTS);
	}

	@Bean
	@Order(2)
	BackendProvider cpu() {
		return new CpuBackendProvider();
	}

}
