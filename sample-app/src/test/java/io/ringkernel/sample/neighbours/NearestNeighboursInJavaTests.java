package io.ringkernel.sample.neighbours;

import java.util.List;
import java.util.stream.Stream;

import io.ringkernel.HandlerFailedException;
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
 * the CPU, and as the search in the heap does but for the order in which it adds.
 */
@RingKernelTest(kernels = NearestNeighboursInJava.class,
		properties = { "sample.nearest-neighbours.handler=java", "sample.nearest-neighbours.dimensions=24",
				"ringkernel.kernels.nearest-neighbours.workers=2",
				"ringkernel.kernels.nearest-neighbours.threads-per-worker=64" })
@AutoConfigurePtxMachine
@EnableConfigurationProperties(NearestNeighboursProperties.class)
class NearestNeighboursInJavaTests {

	private static final int[] ONE_ID = { 7 };

	private static final float[] ONE_VECTOR = new float[NearestNeighboursParityTests.DIMENSIONS];

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

	/** A lock that is kept would have all that follow wait until they time out. */
	@ParameterizedTest
	@MethodSource("refused")
	void whatIsRefusedLeavesTheLockFree(NeighbourRequest refused) {
		Assertions.assertThatExceptionOfType(HandlerFailedException.class)
			.isThrownBy(() -> this.nearestNeighbours.client().call(refused));
		NeighbourResponse added = this.nearestNeighbours.client().call(NeighbourRequest.add(ONE_ID, ONE_VECTOR, 10));
		Assertions.assertThat(added.outcome()).isEqualTo(Outcome.DONE);
	}

	static Stream<NeighbourRequest> refused() {
		return Stream.of(NeighbourRequest.query(ONE_VECTOR, -1, 0, 1),
				NeighbourRequest.query(ONE_VECTOR, NeighbourRequest.MAX_K + 1, 0, 1),
				NeighbourRequest.query(ONE_VECTOR, 1, 0, 0), NeighbourRequest.query(ONE_VECTOR, 1, 1, 1),
				new NeighbourRequest(Operation.QUERY, 1, 0, 0, 0, ONE_ID, ONE_VECTOR),
				NeighbourRequest.query(new float[1], 1, 0, 1),
				new NeighbourRequest(Operation.REMOVE, 0, 0, 0, 0, new int[0], new float[0]),
				NeighbourRequest.add(ONE_ID, new float[1], 10));
	}

	@Test
	void ofAnIdThatOccursTwiceTheLastVectorIsStored() {
		float[] vectors = new float[2 * ONE_VECTOR.length];
		vectors[ONE_VECTOR.length] = 3;
		NeighbourRequest twice = NeighbourRequest.add(new int[] { 7, 7 }, vectors, 1);
		assertThat(this.nearestNeighbours).usingHandler(new NearestNeighbours(this.properties))
			.agreesWithItsHandlerOn(List.of(twice, NeighbourRequest.query(ONE_VECTOR, 2, 0, 1)));
	}

	@Test
	void anAdditionThatAsksForNeighboursIsAnswered() {
		NeighbourRequest odd = new NeighbourRequest(Operation.ADD, -1, 0, 0, 10, ONE_ID, ONE_VECTOR);
		Assertions.assertThat(this.nearestNeighbours.client().call(odd).outcome()).isEqualTo(Outcome.DONE);
	}

}
