package io.ringkernel.sample.stream;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;

import io.ringkernel.sample.stream.kernel.CardRequest;
import io.ringkernel.sample.stream.kernel.CardResponse;
import io.ringkernel.sample.stream.kernel.Outcome;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.cloud.stream.binder.kafka.KafkaBindingRebalanceListener;
import org.springframework.stereotype.Component;

/**
 * Which partitions the kernel holds the state of, and up to which record. The state of a
 * partition is a function of its topics: features, scores and offsets are committed in
 * one transaction, so the committed features are those after the last committed offset,
 * and nothing has to be replayed. A state is read from the topic again
 * <ul>
 * <li>after its partition was assigned to this node,</li>
 * <li>after a transaction was aborted, which shows by records that are delivered once
 * more, and</li>
 * <li>after the kernel lost it, which shows by the epoch.</li>
 * </ul>
 * The threads of several consumers may call this; a partition belongs to one of them.
 */
@Component
class PartitionStates implements KafkaBindingRebalanceListener {

	private static final Logger logger = LoggerFactory.getLogger(PartitionStates.class);

	/** The binding to the transactions. The others have partitions of other topics. */
	private static final String BINDING = "score-in-0";

	private final Map<Integer, Held> held = new ConcurrentHashMap<>();

	/** The threads of the consumers that partitions are assigned to. */
	private final Map<Integer, Thread> owners = new ConcurrentHashMap<>();

	/** An epoch is never used twice by a process. 0 is that of a new kernel. */
	private final AtomicLong latestEpoch = new AtomicLong();

	private final FeatureTopic topic;

	private final Function<List<CardRequest>, List<CardResponse>> scoring;

	PartitionStates(FeatureTopic topic, Function<List<CardRequest>, List<CardResponse>> scoring) {
		this.topic = topic;
		this.scoring = scoring;
	}

	/**
	 * Sees to it that the kernel holds the state before these records.
	 * @return the epoch of each of their partitions
	 * @throws IllegalStateException if a state cannot be restored
	 */
	Map<Integer, Long> begin(List<ReceivedRecord> records) {
		Map<Integer, Long> first = new HashMap<>();
		Map<Integer, Long> next = new HashMap<>();
		for (ReceivedRecord received : records) {
			first.putIfAbsent(received.partition(), received.offset());
			next.put(received.partition(), received.offset() + 1);
		}
		Set<Integer> missing = new TreeSet<>();
		first.forEach((partition, offset) -> {
			@Nullable Held state = this.held.get(partition);
			if (state == null || state.next() > offset) {
				missing.add(partition);
			}
		});
		if (!missing.isEmpty()) {
			missing.addAll(others());
			restore(missing);
		}
		Map<Integer, Long> epochs = new HashMap<>();
		next.forEach((partition, offset) -> {
			long epoch = Objects.requireNonNull(this.held.get(partition)).epoch();
			epochs.put(partition, epoch);
			this.held.put(partition, new Held(epoch, offset));
		});
		return epochs;
	}

	/**
	 * What this thread is going to need as well, and reads in the same pass: one after
	 * another would take as many times as long.
	 */
	private Set<Integer> others() {
		Set<Integer> others = new TreeSet<>();
		this.owners.forEach((partition, owner) -> {
			if (Thread.currentThread().equals(owner) && !this.held.containsKey(partition)) {
				others.add(partition);
			}
		});
		return others;
	}

	private void restore(Set<Integer> partitions) {
		partitions.forEach(this.held::remove);
		Map<Integer, Long> epochs = new HashMap<>();
		partitions.forEach((partition) -> epochs.put(partition, this.latestEpoch.incrementAndGet()));
		apply(epochs.entrySet().stream().map((epoch) -> CardRequest.clear(epoch.getKey(), epoch.getValue())));
		long count = this.topic.read(partitions,
				(batch) -> apply(batch.stream()
					.map((kept) -> CardRequest.load(kept.partition(), epochs.getOrDefault(kept.partition(), 0L),
							kept.card(), kept.features()))));
		epochs.forEach((partition, epoch) -> this.held.put(partition, new Held(epoch, 0)));
		logger.info("Restored partitions {} from {} records", partitions, count);
	}

	private void apply(Stream<CardRequest> requests) {
		for (CardResponse response : this.scoring.apply(requests.toList())) {
			if (response.outcome() != Outcome.DONE) {
				throw new IllegalStateException("A feature cannot be restored: %s. If FULL, raise %s."
					.formatted(response.outcome(), "card-stream.cards-per-partition"));
			}
		}
	}

	/**
	 * Has all states restored before the next records: a kernel that has lost one has
	 * lost the others with it.
	 */
	void lost() {
		logger.warn("The kernel has lost its state, which is restored");
		this.held.clear();
	}

	/**
	 * Another node may have written since the partition was here, which is not told where
	 * this node was taken for dead.
	 */
	@Override
	public void onPartitionsAssigned(String bindingName, Consumer<?, ?> consumer, Collection<TopicPartition> partitions,
			boolean initial) {
		if (bindingName.equals(BINDING)) {
			drop(partitions);
			partitions.forEach((partition) -> this.owners.put(partition.partition(), Thread.currentThread()));
		}
	}

	@Override
	public void onPartitionsRevokedAfterCommit(String bindingName, Consumer<?, ?> consumer,
			Collection<TopicPartition> partitions) {
		if (bindingName.equals(BINDING)) {
			drop(partitions);
			partitions.forEach((partition) -> this.owners.remove(partition.partition()));
		}
	}

	private void drop(Collection<TopicPartition> partitions) {
		partitions.forEach((partition) -> this.held.remove(partition.partition()));
	}

	/**
	 * A state that the kernel holds.
	 *
	 * @param epoch that of the requests to it
	 * @param next the offset after the last record that was sent to it
	 */
	private record Held(long epoch, long next) {
	}

}
