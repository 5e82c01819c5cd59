package io.ringkernel.sample.stream;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Where a broker runs, and nodes of the application can be started.
 */
interface StreamSite extends AutoCloseable {

	/** What a broker is told that has no others, and is not to wait long. */
	Map<String, String> BROKER_SETTINGS = Map.ofEntries(Map.entry("offsets.topic.replication.factor", "1"),
			Map.entry("transaction.state.log.replication.factor", "1"), Map.entry("transaction.state.log.min.isr", "1"),
			Map.entry("offsets.topic.num.partitions", "4"), Map.entry("transaction.state.log.num.partitions", "4"),
			Map.entry("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000"),
			Map.entry("group.initial.rebalance.delay.ms", "0"), Map.entry("group.min.session.timeout.ms", "1000"),
			Map.entry("auto.create.topics.enable", "false"));

	/**
	 * Where this process reaches the broker.
	 */
	String brokers();

	/**
	 * Where nodes reach the broker.
	 */
	String brokersOfNodes();

	/**
	 * Starts a node.
	 * @param name that of its log
	 * @param arguments its arguments
	 */
	StreamNode start(String name, List<String> arguments) throws IOException;

	@Override
	void close();

}
