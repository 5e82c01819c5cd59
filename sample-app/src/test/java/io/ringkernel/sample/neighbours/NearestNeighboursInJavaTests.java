package io.ringkernel.sample.neighbours;

import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.boot.test.autoconfigure.AutoConfigurePtxMachine;
import io.ringkernel.spring.boot.test.autoconfigure.RingKernelTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

import static io.ringkernel.test.RingKernelAssertions.assertThat;

/**
 * What the handler is compiled to for a device answers to the bit as the handler does on
 * the CPU, and as the search in the heap does but for the order in which it adds.
 */
@RingKernelTest(kernels = NearestNeighboursInJava.class,
		properties = { "sample.nearest-neighbours.handler=java", "sample.nearest-neighbours.dimensions=24",
				"ringkernel.kernels.nearest-neighbours.workers=2",
				"ringkernel.kernels.nearest-neighbours.threads-per-worker=64" })
@AutoConfigurePtxMachine
@EnableConfigurationProperties(NearestNeighboursProperties.class)
class NearestNeighboursInJavaTests {

	@Autowired
	private Kernel<NeighbourRequest, NeighbourResponse> nearestNeighbours;

	@Autowired
	private NearestNeighboursProperties properties;

	@BeforeEach
	void beginAnew() {
		this.nearestNeighbours.relaunch();
	}

	@Test
	void theDeviceAnswersAsTheHandlerDoes() {
		assertThat(this.nearestNeighbours).failingWithoutDevice()
			.usingHandler(new NearestNeighboursInJava(this.properties))
			.agreesWithItsHandlerOn(NearestNeighboursParityTests.requests());
	}

	@Test
	void theHandlerAnswersAsTheSearchInTheHeapDoes() {
		assertThat(this.nearestNeighbours).usingHandler(new NearestNeighbours(this.properties))
			.withRelativeTolerance(1e-5)
			.agreesWithItsHandlerOn(NearestNeighboursParityTests.requests());
	}

}
