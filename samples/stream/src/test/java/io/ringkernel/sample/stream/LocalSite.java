package io.ringkernel.sample.stream;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * A broker in this process, and nodes in others.
 */
final class LocalSite implements StreamSite {

	private final EmbeddedKafkaKraftBroker broker;

	private final Path directory;

	/**
	 * Starts the broker.
	 * @param directory where nodes write their logs to
	 */
	LocalSite(Path directory, int partitions) {
		this.directory = directory;
		this.broker = new EmbeddedKafkaKraftBroker(1, partitions);
		this.broker.brokerProperties(BROKER_SETTINGS);
		this.broker.afterPropertiesSet();
	}

	@Override
	public String brokers() {
		return this.broker.getBrokersAsString();
	}

	@Override
	public String brokersOfNodes() {
		return brokers();
	}

	@Override
	public ProcessNode start(String name, List<String> arguments) throws IOException {
		return ProcessNode.start(this.directory, name, arguments);
	}

	@Override
	public Stream<String> stored(String partition, String... options) throws IOException {
		String logs = this.broker.getCluster().brokers().get(0).config().logDirs().get(0);
		List<String> command = StreamSite.dump(System.getProperty("java.class.path"), logs, partition, options);
		command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
		return new ProcessBuilder(command).redirectErrorStream(true).start().inputReader().lines();
	}

	@Override
	public void close() {
		this.broker.destroy();
	}

}
