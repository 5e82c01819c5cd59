package io.ringkernel.sample.stream;

import io.ringkernel.sample.stream.kernel.CardFeatures;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeptFeatures}.
 */
class KeptFeaturesTests {

	private final KeptFeatures kept = new KeptFeatures(3, 7, new CardFeatures(2, 12.5f, 50, 8));

	@Test
	void areReadAsTheyWereWritten() {
		assertThat(KeptFeatures.of(new ConsumerRecord<>("card-features", 3, 0, this.kept.key(), this.kept.value())))
			.isEqualTo(this.kept);
	}

	@Test
	void withoutAValueAreThoseOfACardThatIsNotKnown() {
		assertThat(KeptFeatures.of(new ConsumerRecord<>("card-features", 3, 0, this.kept.key(), null)))
			.isEqualTo(new KeptFeatures(3, 7, new CardFeatures(0, 0, 0, 0)));
	}

}
