package io.ringkernel.sample.stream;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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

	/**
	 * Returns what the broker has stored of a partition, line by line, with the markers
	 * of transactions that were committed or aborted.
	 * @param partition the topic, a hyphen and the number
	 * @param options those of Kafka's {@code DumpLogSegments}
	 */
	Stream<String> stored(String partition, String... options) throws IOException, InterruptedException;

	/**
	 * Returns the command that prints what {@link #stored} returns.
	 * @param classPath has Kafka's jars
	 * @param logs the directory of the broker's logs
	 */
	static List<String> dump(String classPath, String logs, String partition, String... options) {
		List<String> command = new ArrayList<>(List.of("java", "-cp", classPath, "kafka.tools.DumpLogSegments",
				"--files", "%s/%s/00000000000000000000.log".formatted(logs, partition)));
		command.addAll(List.of(options));
		return command;
	}

	@Override
	void close();

}
