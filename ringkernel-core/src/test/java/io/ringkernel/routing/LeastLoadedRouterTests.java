package io.ringkernel.routing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import io.ringkernel.KernelState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class LeastLoadedRouterTests {

	private static final int REQUESTS = 20_000;

	private final List<FakeReplica> replicas = new ArrayList<>();

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 8 })
	void theFullestReplicaGetsNothing(int count) {
		replicas(count);
		this.replicas.get(1).load = 4;
		assertThat(shares()[1]).isZero();
	}

	@Test
	void ofTwoReplicasTheLessLoadedOneGetsAll() {
		replicas(2);
		this.replicas.get(0).load = 2;
		this.replicas.get(1).load = 1;
		assertThat(shares()).containsExactly(0, REQUESTS);
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 8 })
	void replicasOfTheSameLoadGetEqualShares(int count) {
		replicas(count);
		// Ten standard deviations of a fair share.
		double tolerance = 10 * Math.sqrt(REQUESTS / (double) count);
		double fair = REQUESTS / (double) count;
		assertThat(Arrays.stream(shares()).boxed())
			.allSatisfy((share) -> assertThat((double) share).isBetween(fair - tolerance, fair + tolerance));
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 8 })
	void aReplicaThatTakesNoRequestsIsLeftOut(int count) {
		replicas(count);
		this.replicas.get(0).state = KernelState.FAILED;
		assertThat(shares()[0]).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 8 })
	void theOnlyActiveReplicaGetsAllHoweverLoaded(int count) {
		replicas(count);
		this.replicas.forEach((replica) -> replica.state = KernelState.INACTIVE);
		FakeReplica last = this.replicas.get(count - 1);
		last.state = KernelState.ACTIVE;
		last.load = 1024;
		assertThat(shares()[count - 1]).isEqualTo(REQUESTS);
	}

	@Test
	void aReplicaThatIsActiveAgainGetsRequestsAgain() {
		replicas(2);
		this.replicas.get(0).state = KernelState.TERMINATED;
		assertThat(shares()[0]).isZero();
		this.replicas.get(0).state = KernelState.ACTIVE;
		assertThat(shares()[0]).isPositive();
	}

	private void replicas(int count) {
		IntStream.range(0, count).forEach((i) -> this.replicas.add(new FakeReplica()));
	}

	private int[] shares() {
		LeastLoadedRouter<Ping> router = new LeastLoadedRouter<>(this.replicas);
		int[] shares = new int[this.replicas.size()];
		for (int i = 0; i < REQUESTS; i++) {
			shares[router.replicaFor(new Ping(i))]++;
		}
		return shares;
	}

	record Ping(int value) {
	}

}
