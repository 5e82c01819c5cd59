package io.ringkernel.cuda;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.ringkernel.Capacity;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.simulated.SimulatedContext;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.cuda.simulated.SimulatedPlatform;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A JVM has direct memory for a ring, and not for the image of it that a bridge keeps.
 */
@Timeout(120)
class DirectMemoryTests {

	private static final long RING_MEMORY = 4 << 20;

	private static final int WORKERS = 2;

	@Test
	void aBridgeWithoutMemoryForItsImageHasTheKernelRunOnTheCpu() throws Exception {
		int maxBytes = MessageLayout.of(Text.class).maxSize();
		int ring = RingLayout.forBudget(ControlBlock.bytes(WORKERS), RING_MEMORY, maxBytes, maxBytes).endOffset();
		assertThat(ChildJvm.run(List.of("-XX:MaxDirectMemorySize=" + ring / 2 * 3), Map.of(), 100, Child.class))
			.contains("answered on CPU", "B of direct memory are not to be had", "held: 0 streams, 0 B");
	}

	/** It travels in its slot, of which the image has all. */
	record Text(@Capacity(1000) byte[] bytes) {
	}

	/**
	 * Runs a kernel over a bridge, and prints what runs it, why, and what the device
	 * still holds for it.
	 */
	static final class Child {

		public static void main(String... arguments) {
			SimulatedDriver driver = new SimulatedDriver();
			SimulatedContext context = driver.context();
			context.platform(new SimulatedPlatform(false, true, true, true));
			CudaPlatform platform = new CudaPlatform(driver);
			CudaDevice device = platform.device();
			int streams = context.streams();
			long bytes = context.allocatedBytes();
			try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
					List.of(new CudaBackendProvider(platform), new CpuBackendProvider()))) {
				KernelOptions options = KernelOptions.builder()
					.workers(WORKERS)
					.ringMemory(RING_MEMORY)
					.requestTimeout(Duration.ofSeconds(20))
					.build();
				Kernel<Text, Text> kernel = runtime.define(
						context.install(KernelSpec.of("text", Text.class, Text.class, (request) -> request, options)));
				kernel.launch();
				kernel.activate();
				kernel.client().call(new Text(new byte[1000]));
				System.out.println("answered on " + kernel.plan().backend() + ": " + kernel.plan().reasons());
			}
			device.resources().reclaim();
			System.out.println(
					"held: %d streams, %d B".formatted(context.streams() - streams, context.allocatedBytes() - bytes));
		}

	}

}
