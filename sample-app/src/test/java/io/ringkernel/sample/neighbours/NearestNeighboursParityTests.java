package io.ringkernel.sample.neighbours;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.boot.test.autoconfigure.RingKernelTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

import static io.ringkernel.test.RingKernelAssertions.assertThat;

/**
 * The kernel searches as a Java handler does that is given the same requests. That is
 * another one than the kernel's own, since it stores vectors.
 */
@RingKernelTest(kernels = NearestNeighbours.class, properties = "sample.nearest-neighbours.dimensions=24")
@EnableConfigurationProperties(NearestNeighboursProperties.class)
class NearestNeighboursParityTests {

	static final int DIMENSIONS = 24;

	@Autowired
	private Kernel<NeighbourRequest, NeighbourResponse> nearestNeighbours;

	@Autowired
	private NearestNeighboursProperties properties;

	@Test
	void vectorsAreStoredFoundReplacedAndRemoved() {
		assertThat(this.nearestNeighbours).usingHandler(new NearestNeighbours(this.properties))
			.withRelativeTolerance(1e-5)
			.agreesWithItsHandlerOn(requests());
	}

	/** Of all operations, on vectors of {@value #DIMENSIONS} elements. */
	static List<NeighbourRequest> requests() {
		Random random = new Random(1);
		List<NeighbourRequest> requests = new ArrayList<>();
		requests.add(NeighbourRequest.clear());
		requests.add(query(random, 3));
		for (int first = 0; first < 500; first += 100) {
			requests.add(add(random, first));
			requests.add(query(random, 10));
		}
		requests.add(add(random, 50));
		requests.add(query(random, NeighbourRequest.MAX_K));
		requests.add(NeighbourRequest.remove(75));
		requests.add(NeighbourRequest.remove(75));
		requests.add(query(random, 50));
		requests.add(NeighbourRequest.query(vector(random), 20, 1, 3));
		requests.add(NeighbourRequest.size());
		return requests;
	}

	private static NeighbourRequest add(Random random, int first) {
		int[] ids = new int[100];
		float[] vectors = new float[ids.length * DIMENSIONS];
		for (int i = 0; i < ids.length; i++) {
			ids[i] = first + i;
			System.arraycopy(vector(random), 0, vectors, i * DIMENSIONS, DIMENSIONS);
		}
		return NeighbourRequest.add(ids, vectors, 100_000);
	}

	private static NeighbourRequest query(Random random, int k) {
		return NeighbourRequest.query(vector(random), k, 0, 1);
	}

	private static float[] vector(Random random) {
		return BruteForce.vector(random, DIMENSIONS);
	}

}
