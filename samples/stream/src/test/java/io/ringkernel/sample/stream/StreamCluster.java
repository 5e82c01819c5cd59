package io.ringkernel.sample.stream;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A Kafka broker with the topics of the application, and nodes of that.
 */
final class StreamCluster implements AutoCloseable {

	private static final Duration POLL = Duration.ofMillis(100);

	private static final String GROUP = "card-stream";

	/** The partition that the broker keeps the offsets of the group in. */
	private static final String GROUP_LOG = "__consumer_offsets-%d".formatted(Math.abs(GROUP.hashCode())
			% Integer.parseInt(StreamSite.BROKER_SETTINGS.get("offsets.topic.num.partitions")));

	private final StreamSite site;

	private final Admin admin;

	private final int partitions;

	private final List<StreamNode> nodes = new ArrayList<>();

	/**
	 * A broker in this process, and nodes in others.
	 * @param directory where nodes write their logs to
	 */
	StreamCluster(Path directory, int partitions) throws ExecutionException, InterruptedException {
		this(new LocalSite(directory, partitions), partitions);
	}

	/**
	 * A cluster with the topics of the application.
	 * @param site where broker and nodes run; it is closed with the cluster
	 */
	StreamCluster(StreamSite site, int partitions) throws ExecutionException, InterruptedException {
		this.site = site;
		this.partitions = partitions;
		this.admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, site.brokers()));
		NewTopic features = topic("card-features", partitions).configs(Map.of("cleanup.policy", "compact"));
		NewTopic models = topic("card-models", 1).configs(Map.of("cleanup.policy", "compact"));
		this.admin.createTopics(List.of(topic("transactions", partitions), topic("scores", partitions), features,
				models, topic("transactions.dead-letters", 1)))
			.all()
			.get();
	}

	private static NewTopic topic(String name, int partitions) {
		return new NewTopic(name, partitions, (short) 1);
	}

	/**
	 * Starts a node of the application, whose kernel runs on the CPU.
	 * @param name that of the node
	 * @param more further arguments
	 */
	StreamNode start(String name, String... more) throws IOException {
		return startWith("cpu", name, more);
	}

	/**
	 * Starts a node of the application, whose kernel runs on a device.
	 * @param name that of the node
	 * @param more further arguments
	 */
	ProcessNode startWithDevice(String name, String... more) throws IOException {
		List<String> all = new ArrayList<>(List.of(more));
		all.add("--spring.main.sources=" + DeviceNode.class.getName());
		return (ProcessNode) startWith("auto", name, all.toArray(String[]::new));
	}

	private StreamNode startWith(String backend, String name, String... more) throws IOException {
		List<String> arguments = new ArrayList<>(arguments());
		arguments.add("--ringkernel.backend=" + backend);
		arguments.addAll(List.of(more));
		arguments.add("--card-stream.node=" + name);
		StreamNode node = this.site.start(name, arguments);
		this.nodes.add(node);
		return node;
	}

	/**
	 * The arguments of an application that uses this broker, on a port that is free. A
	 * node that dies is missed after six seconds.
	 */
	List<String> arguments() {
		String binder = "--spring.cloud.stream.kafka.binder.";
		return List.of("--server.port=0", "--spring.kafka.bootstrap-servers=" + this.site.brokersOfNodes(),
				"--card-stream.partitions=" + this.partitions, binder + "consumer-properties.session.timeout.ms=6000",
				binder + "consumer-properties.heartbeat.interval.ms=1000");
	}

	/**
	 * Whether as many nodes share the partitions.
	 */
	boolean isSharedBy(int members) throws ExecutionException, InterruptedException {
		if (this.admin.listGroups().all().get().stream().noneMatch((group) -> group.groupId().equals(GROUP))) {
			return false;
		}
		ConsumerGroupDescription group = this.admin.describeConsumerGroups(List.of(GROUP))
			.describedGroups()
			.get(GROUP)
			.get();
		return group.groupState() == GroupState.STABLE && group.members().size() == members
				&& group.members().stream().noneMatch((member) -> member.assignment().topicPartitions().isEmpty());
	}

	/**
	 * Has the broker refuse the producers of the nodes, as after a transaction that took
	 * too long.
	 */
	void fenceProducers() throws ExecutionException, InterruptedException {
		List<String> ids = this.admin.listTransactions()
			.all()
			.get()
			.stream()
			.map(TransactionListing::transactionalId)
			.toList();
		this.admin.fenceProducers(ids).all().get();
	}

	/**
	 * Whether all transactions of the topic are handled, and that is committed.
	 */
	boolean isCaughtUp() throws ExecutionException, InterruptedException {
		Map<TopicPartition, OffsetAndMetadata> committed = this.admin.listConsumerGroupOffsets(GROUP)
			.partitionsToOffsetAndMetadata()
			.get();
		return ends("transactions").entrySet()
			.stream()
			.allMatch((end) -> end.getValue() == 0
					|| (committed.get(end.getKey()) != null && committed.get(end.getKey()).offset() >= end.getValue()));
	}

	private Map<TopicPartition, Long> ends(String topic) throws ExecutionException, InterruptedException {
		return this.admin
			.listOffsets(partitions(topic).stream()
				.collect(Collectors.toMap((source) -> source, (source) -> OffsetSpec.latest())))
			.all()
			.get()
			.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (end) -> end.getValue().offset()));
	}

	private Collection<TopicPartition> partitions(String topic) throws ExecutionException, InterruptedException {
		return this.admin.describeTopics(List.of(topic))
			.allTopicNames()
			.get()
			.get(topic)
			.partitions()
			.stream()
			.map((partition) -> new TopicPartition(topic, partition.partition()))
			.toList();
	}

	LoadProducer producer() {
		return new LoadProducer(this.site.brokers());
	}

	/**
	 * A reader of what is committed to a topic, from its beginning.
	 */
	KafkaConsumer<byte[], byte[]> consumer(String topic) throws ExecutionException, InterruptedException {
		KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
				Map.of("bootstrap.servers", this.site.brokers(), "isolation.level", "read_committed"),
				new ByteArrayDeserializer(), new ByteArrayDeserializer());
		consumer.assign(partitions(topic));
		consumer.seekToBeginning(consumer.assignment());
		return consumer;
	}

	/**
	 * Returns the committed dead letters.
	 */
	List<DeadLetter> deadLetters() throws ExecutionException, InterruptedException {
		List<DeadLetter> letters = new ArrayList<>();
		try (KafkaConsumer<byte[], byte[]> consumer = consumer("transactions.dead-letters")) {
			Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
			while (ends.entrySet().stream().anyMatch((end) -> consumer.position(end.getKey()) < end.getValue())) {
				consumer.poll(POLL).forEach((written) -> letters.add(DeadLetter.of(written)));
			}
		}
		return letters;
	}

	/**
	 * Returns what the nodes have written.
	 */
	String output() {
		return this.nodes.stream().map(StreamNode::output).collect(Collectors.joining("\n\n"));
	}

	/**
	 * Returns what can tell why a transaction was scored twice: where it lies in its
	 * topic, which Kafka transactions wrote scores of its partition, which wrote offsets
	 * of the group and in which generation, and what the nodes have logged.
	 */
	String historyOf(long transaction, int partition) {
		try {
			String records = Stream
				.of(this.site.stored("transactions-" + partition, "--print-data-log")
					.filter((line) -> line.contains("\"id\":%d,".formatted(transaction))),
						this.site.stored("scores-" + partition, "--print-data-log")
							.filter((line) -> line.startsWith("baseOffset") || line.contains("endTxnMarker")
									|| line.contains("\"transaction\":%d,".formatted(transaction))),
						this.site.stored(GROUP_LOG, "--offsets-decoder")
							.filter((line) -> line.startsWith("baseOffset") || line.startsWith("|")))
				.map((lines) -> lines.collect(Collectors.joining("\n")))
				.collect(Collectors.joining("\n\n"));
			return records + "\n\n" + output();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return output();
		}
		catch (IOException ex) {
			return ex + "\n\n" + output();
		}
	}

	@Override
	public void close() {
		this.nodes.forEach(StreamNode::close);
		this.admin.close();
		this.site.close();
	}

}
