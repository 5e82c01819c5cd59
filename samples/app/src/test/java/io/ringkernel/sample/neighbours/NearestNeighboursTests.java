package io.ringkernel.sample.neighbours;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.boot.test.autoconfigure.AutoConfigurePtxMachine;
import io.ringkernel.spring.boot.test.autoconfigure.RingKernelTest;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

import static io.ringkernel.test.RingKernelAssertions.assertThat;

/**
 * What the handler is compiled to for a device answers to the bit as the handler does on
 * the CPU.
 */
@RingKernelTest(kernels = NearestNeighbours.class,
		properties = { "sample.nearest-neighbours.dimensions=24", "ringkernel.kernels.nearest-neighbours.workers=2",
				"ringkernel.kernels.nearest-neighbours.threads-per-worker=64" })
@AutoConfigurePtxMachine
@EnableConfigurationProperties(NearestNeighboursProperties.class)
class NearestNeighboursTests {

	private static final int DIMENSIONS = 24;

	private static final int[] ONE_ID = { 7 };

	private static final float[] ONE_VECTOR = new float[DIMENSIONS];

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
			.usingHandler(new NearestNeighbours(this.properties))
			.agreesWithItsHandlerOn(requests());
	}

	/** A lock that is kept would have all that follow wait until they time out. */
	@ParameterizedTest
	@MethodSource("refused")
	void whatIsRefusedLeavesTheLockFree(NeighbourRequest refused) {
		Assertions.assertThatExceptionOfType(HandlerFailedException.class)
			.isThrownBy(() -> this.nearestNeighbours.client().call(refused));
		NeighbourResponse added = this.nearestNeighbours.client().call(NeighbourRequest.add(ONE_ID, ONE_VECTOR));
		Assertions.assertThat(added.outcome()).isEqualTo(Outcome.DONE);
	}

	static Stream<NeighbourRequest> refused() {
		return Stream.of(NeighbourRequest.query(ONE_VECTOR, -1, 0, 1),
				NeighbourRequest.query(ONE_VECTOR, NeighbourRequest.MAX_K + 1, 0, 1),
				NeighbourRequest.query(ONE_VECTOR, 1, 0, 0), NeighbourRequest.query(ONE_VECTOR, 1, 1, 1),
				new NeighbourRequest(Operation.QUERY, 1, 0, 0, ONE_ID, ONE_VECTOR),
				NeighbourRequest.query(new float[1], 1, 0, 1),
				new NeighbourRequest(Operation.REMOVE, 0, 0, 0, new int[0], new float[0]),
				NeighbourRequest.add(ONE_ID, new float[1]));
	}

	@Test
	void ofAnIdThatOccursTwiceTheLastVectorIsStored() {
		float[] vectors = new float[2 * ONE_VECTOR.length];
		vectors[ONE_VECTOR.length] = 3;
		this.nearestNeighbours.client().call(NeighbourRequest.add(new int[] { 7, 7 }, vectors));
		NeighbourResponse found = this.nearestNeighbours.client().call(NeighbourRequest.query(ONE_VECTOR, 2, 0, 1));
		Assertions.assertThat(found.neighbours()).containsExactly(new Neighbour(7, 9));
	}

	@Test
	void anAdditionThatAsksForNeighboursIsAnswered() {
		NeighbourRequest odd = new NeighbourRequest(Operation.ADD, -1, 0, 0, ONE_ID, ONE_VECTOR);
		Assertions.assertThat(this.nearestNeighbours.client().call(odd).outcome()).isEqualTo(Outcome.DONE);
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
		return NeighbourRequest.add(ids, vectors);
	}

	private static NeighbourRequest query(Random random, int k) {
		return NeighbourRequest.query(vector(random), k, 0, 1);
	}

	private static float[] vector(Random random) {
		return BruteForce.vector(random, DIMENSIONS);
	}

}
