package io.ringkernel.sample.neighbours;

import org.springframework.boot.test.context.SpringBootTest;

/**
 * The same of the handler that excludes changes by a lock in its state.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = { "sample.validation.enabled=false", "sample.nearest-neighbours.dimensions=64",
				"sample.nearest-neighbours.handler=java", "ringkernel.kernels.nearest-neighbours.workers=4",
				"ringkernel.backend=cpu" })
class NearestNeighboursInJavaConcurrencyTests extends NearestNeighboursConcurrencyTests {

}
