package io.ringkernel.sample.stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The image of the application, with a broker in a container of its own.
 */
@Tag("every-platform")
@ExtendWith(BaseImage.class)
class StreamImageIT {

	private static final long COUNT = 20_000;

	private static final int PARTITIONS = 8;

	private static final Workload WORKLOAD = new Workload(1, 1, 2000);

	@Test
	void scoresAreThoseOfAnOracleThoughANodeIsKilled() throws Exception {
		try (StreamCluster cluster = new StreamCluster(new ContainerSite(BaseImage.name()), PARTITIONS)) {
			cluster.start("first", KilledNode.LOGGED);
			new KilledNode(cluster, WORKLOAD, COUNT).verify((scores) -> {
			});
		}
	}

}
