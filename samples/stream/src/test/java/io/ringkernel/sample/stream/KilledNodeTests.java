package io.ringkernel.sample.stream;

import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills one of two nodes under load. {@code -Dstream.transactions} sets how many
 * transactions there are, {@code -Dstream.partitions} and {@code -Dstream.seed} the rest.
 */
@Tag("every-platform")
class KilledNodeTests {

	private static final long COUNT = Long.getLong("stream.transactions", 60_000);

	private static final int PARTITIONS = Integer.getInteger("stream.partitions", 8);

	private static final Workload WORKLOAD = new Workload(Long.getLong("stream.seed", 1), 1, 5000);

	@TempDir
	private Path directory;

	@Test
	void scoresAreThoseOfAnOracle() throws Exception {
		try (StreamCluster cluster = new StreamCluster(this.directory, PARTITIONS)) {
			cluster.start("first", KilledNode.LOGGED);
			new KilledNode(cluster, WORKLOAD, COUNT).verify((scores) -> {
			});
		}
	}

	@Test
	@EnabledOnOs(value = OS.LINUX, disabledReason = "a kernel host is started under Linux only")
	void scoresAreThoseOfAnOracleIfTheDeviceOfTheLivingNodeIsLostAgainAndAgain() throws Exception {
		try (StreamCluster cluster = new StreamCluster(this.directory, PARTITIONS)) {
			DeviceFaults faults = new DeviceFaults(cluster.startWithDevice("first", KilledNode.LOGGED), COUNT / 12);
			new KilledNode(cluster, WORKLOAD, COUNT).verify(faults::look);
			assertThat(faults.count()).isGreaterThanOrEqualTo(3);
			assertThat(faults.statesLost()).isPositive();
		}
	}

}
