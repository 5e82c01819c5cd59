package io.ringkernel.sample.stream;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.sample.stream.kernel.CardFeatures;
import io.ringkernel.sample.stream.kernel.CardRequest;
import io.ringkernel.sample.stream.kernel.CardResponse;
import io.ringkernel.sample.stream.kernel.Outcome;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link PartitionStates}, with a topic of features that is empty.
 */
class PartitionStatesTests {

	private final List<CardRequest> requests = new ArrayList<>();

	private final PartitionStates states = new PartitionStates(mock(), this::done);

	private List<CardResponse> done(List<CardRequest> requests) {
		this.requests.addAll(requests);
		return requests.stream()
			.map((request) -> new CardResponse(Outcome.DONE, 0, new CardFeatures(0, 0, 0, 0)))
			.toList();
	}

	private void poll(long offset) {
		this.states.begin(List.of(new ReceivedRecord(0, offset, null, null)));
	}

	@Test
	void aPartitionThatIsAssignedAgainIsRestored() {
		poll(0);
		poll(1);
		assertThat(this.requests).hasSize(1);
		this.states.onPartitionsAssigned("score-in-0", mock(Consumer.class),
				List.of(new TopicPartition("transactions", 0)), false);
		poll(2);
		assertThat(this.requests).hasSize(2);
	}

	@Test
	void partitionsOfOtherTopicsAreNone() {
		poll(0);
		List<TopicPartition> models = List.of(new TopicPartition("card-models", 0));
		this.states.onPartitionsAssigned("model-in-0", mock(Consumer.class), models, true);
		poll(1);
		this.states.onPartitionsRevokedAfterCommit("model-in-0", mock(Consumer.class), models);
		poll(2);
		assertThat(this.requests).hasSize(1);
	}

}
